package recall

import (
	"slices"
	"strings"

	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
)

// Pair is an older and a newer record, with the signs that tell whether the newer is a
// later word on what the older says, and on what is asked.
type Pair struct {
	Older, Newer string    // ids
	Places       [2]int    // of the older and the newer by relevance, from 0
	Signs        []float64 // in the order of [PairSigns], about -1 to 1
	Many         bool      // they are the best of many
}

// PairSigns returns the names of the signs of a [Pair], in order.
func PairSigns() []string {
	names := make([]string, len(pairSigns))
	for i, s := range pairSigns {
		names[i] = s.name
	}
	return names
}

// pairSigns are what two records say, beside what the others say and what is asked.
// What each counts is fitted (eval/fit) and stands in pairs.txt.
var pairSigns = []struct {
	name string
	of   func(p *pairs, i, n int) float64
}{
	// What the newer one tells of a change.
	{"change_loose", func(p *pairs, i, n int) float64 { return one(p.pool[n].sense.changes == loosely) }},
	{"change_local", func(p *pairs, i, n int) float64 { return one(p.pool[n].sense.changes == locally) }},
	{"change_plain", func(p *pairs, i, n int) float64 { return one(p.pool[n].sense.changes == plainly) }},
	{"change_like", func(p *pairs, i, n int) float64 { return p.pool[n].sense.changes.share() * p.like[i][n] }},
	{"change_encoded", func(p *pairs, i, n int) float64 { return p.pool[n].sense.changes.share() * p.alike(i, n) }},
	{"change_alone", func(p *pairs, i, n int) float64 { return p.pool[n].sense.changes.share() * min(1, p.alone(i, n)) }},
	// How near they are.
	{"like", func(p *pairs, i, n int) float64 { return p.like[i][n] }},
	{"like_closest", func(p *pairs, i, n int) float64 { return p.beside(p.like, i, n) }},
	{"encoded", func(p *pairs, i, n int) float64 { return p.alike(i, n) }},
	{"encoded_closest", func(p *pairs, i, n int) float64 { return p.beside(p.encoded, i, n) }},
	{"alone", func(p *pairs, i, n int) float64 { return min(1, p.alone(i, n)/2) }},
	{"shared", func(p *pairs, i, n int) float64 {
		return min(1, float64(inBoth(p.pool[i].counted(), p.pool[n].counted()))/3)
	}},
	{"jaccard", func(p *pairs, i, n int) float64 { return jaccard(p.pool[i].counted(), p.pool[n].counted()) }},
	{"frame", func(p *pairs, i, n int) float64 { return one(p.sameFrame(i, n)) }},
	{"head", func(p *pairs, i, n int) float64 { return one(p.heads[i] != "" && p.heads[i] == p.heads[n]) }},
	{"numbers", func(p *pairs, i, n int) float64 { return one(p.otherNumbers(i, n)) }},
	{"names", func(p *pairs, i, n int) float64 { return one(len(p.names[i]) > 0 && len(p.names[n]) > 0) }},
	{"names_same", func(p *pairs, i, n int) float64 { return one(p.sameName(i, n)) }},
	{"kinds", func(p *pairs, i, n int) float64 { return p.kindsKept(i, n) }},
	// Whether it belongs to something else.
	{"head_elsewhere", func(p *pairs, i, n int) float64 { return one(p.beginsElsewhere(i, n)) }},
	{"rivals", func(p *pairs, i, n int) float64 { return p.rivals(i, n) }},
	// What both say, as far as it can be read.
	{"certain", func(p *pairs, i, n int) float64 { return one(p.relation[i][n] == slots.Certain) }},
	{"likely", func(p *pairs, i, n int) float64 { return one(p.relation[i][n] == slots.Likely) }},
	{"contradicts", func(p *pairs, i, n int) float64 { return one(p.relation[i][n] == slots.Contradicts) }},
	{"besides", func(p *pairs, i, n int) float64 { return one(p.relation[i][n] == slots.Beside) }},
	{"opposed", func(p *pairs, i, n int) float64 { return one(p.opposed(i, n)) }},
	{"attribute_same", func(p *pairs, i, n int) float64 { return one(p.said(i, n).attribute) }},
	{"attribute_other", func(p *pairs, i, n int) float64 { return one(p.said(i, n).otherAttribute) }},
	{"subject_other", func(p *pairs, i, n int) float64 { return one(p.said(i, n).otherSubject) }},
	{"topics_same", func(p *pairs, i, n int) float64 { return one(shareAny(p.topics[i], p.topics[n])) }},
	{"awaited", func(p *pairs, i, n int) float64 { return one(p.pool[n].awaited()) }},
	{"past", func(p *pairs, i, n int) float64 { return one(p.pool[n].sense.was && !p.pool[n].sense.holds) }},
	// What is asked.
	{"fit_older", func(p *pairs, i, n int) float64 { return float64(p.pool[i].sense.fit) / float64(slots.FitBoth) }},
	{"another", func(p *pairs, i, n int) float64 { return one(p.q.fillsAnother(&p.pool[n].sense)) }},
	{"relevance", func(p *pairs, i, n int) float64 { return p.behind(i, n) }},
	{"asked_shared", func(p *pairs, i, n int) float64 { return p.askedShared(i, n) }},
	{"asked_names_lost", func(p *pairs, i, n int) float64 { return one(p.askedNameLost(i, n)) }},
	{"asked_names_instead", func(p *pairs, i, n int) float64 { return one(p.askedNameLost(i, n) && p.namesNew(i, n)) }},
	{"asked_parallel", func(p *pairs, i, n int) float64 { return p.parallel(i, n) }},
	{"asked_phrase_other", func(p *pairs, i, n int) float64 { return one(p.otherPhrase(i, n)) }},
	{"asked_topic", func(p *pairs, i, n int) float64 { return one(shareAny(p.sought, p.topics[n])) }},
	{"time_lost", func(p *pairs, i, n int) float64 { return p.timeLost(i, n) }},
	{"first", func(p *pairs, i, n int) float64 { return one(i == 0) }},
	{"then", func(p *pairs, i, n int) float64 { return one(p.q.asksWhatWas()) }},
	{"yes_no", func(p *pairs, i, n int) float64 { return one(p.q.asks.YesNo) }},
	{"happened", func(p *pairs, i, n int) float64 { return one(!p.q.asksHowItIs()) }},
	{"few", func(p *pairs, i, n int) float64 { return 1 / float64(len(p.pool)) }},
	{"late", func(p *pairs, i, n int) float64 { return p.late(n) }},
}

// pairs compares the best candidates of a question with each other.
type pairs struct {
	q        *question
	pool     []*candidate
	many     bool // they are the best of many
	names    [][]string
	words    [][]string
	heads    []string    // first stem of each
	kinds    [][5]bool   // which kinds of thing each tells
	topics   [][]string  // classes of package slots
	sought   []string    // those of the question
	like     [][]float64 // how near each two are by their words, 0 to 1
	encoded  [][]float64 // the same by the encoder
	relation [][]slots.Relation
}

// toldKinds are those that two versions of a fact mostly share.
var toldKinds = [5]wanted{aNumber, aTime, anHour, aPerson, aPlace}

func (s *Service) pairsOf(q *question, pool []*candidate, many bool) *pairs {
	table, n := s.table(), len(pool)
	p := &pairs{
		q: q, pool: pool, many: many, names: make([][]string, n), words: make([][]string, n), heads: make([]string, n), kinds: make([][5]bool, n), topics: make([][]string, n),
		like: make([][]float64, n), encoded: make([][]float64, n), sought: slots.Topics(beginning(q.Query, readable)),
	}
	seqs := make([]int64, n)
	for i, c := range pool {
		seqs[i] = c.Document.Seq
		q.senseOf(c)
	}
	p.relation = q.relate(pool)
	if q.memories != nil {
		p.encoded = q.memories.EncodedLikeness(seqs)
	}
	for i, c := range pool {
		text := beginning(c.Content, readable)
		p.like[i] = make([]float64, n)
		for _, name := range namesIn(text) {
			p.names[i] = append(p.names[i], analysis.Content(name)...)
		}
		p.words[i] = plainWords(text)
		told := c.rows(table)
		if len(told) > 0 {
			p.heads[i] = told[0].stem
		}
		p.topics[i] = slots.Topics(text)
		for j, kind := range toldKinds {
			p.kinds[i][j] = kind.tells(text)
		}
		for j := range i {
			x := likeness(table, pool[j].rows(table), c) / (forthShare + backShare)
			p.like[i][j], p.like[j][i] = x, x
		}
	}
	return p
}

// signs measures an older and a newer candidate, by their places.
func (p *pairs) signs(i, n int) []float64 {
	values := make([]float64, len(pairSigns))
	for k, s := range pairSigns {
		values[k] = s.of(p, i, n)
	}
	return values
}

// alike is how near two are by the encoder, 0 where one has no vector.
func (p *pairs) alike(i, n int) float64 {
	if p.encoded[i] == nil {
		return 0
	}
	return max(0, p.encoded[i][n])
}

// beside is by how much the newer is nearer to the older than to any other before it,
// -1 to 1.
func (p *pairs) beside(like [][]float64, i, n int) float64 {
	if like[i] == nil {
		return 0
	}
	rival := 0.0
	for j, c := range p.pool {
		if j != i && j != n && p.pool[n].EventTime().After(c.EventTime()) {
			rival = max(rival, like[j][n])
		}
	}
	return max(-1, min(1, (like[i][n]-rival)/0.3))
}

// rivals is how many before the newer one are nearer to it than the older, of three.
func (p *pairs) rivals(i, n int) float64 {
	nearer := 0
	for j, c := range p.pool {
		if j != i && j != n && p.pool[n].EventTime().After(c.EventTime()) {
			nearer += int(one(p.like[j][n] > p.like[i][n]))
		}
	}
	return float64(min(3, nearer)) / 3
}

// late is the share of the others that are older.
func (p *pairs) late(n int) float64 {
	late := 0
	for _, c := range p.pool {
		late += int(one(p.pool[n].EventTime().After(c.EventTime())))
	}
	return float64(late) / float64(max(1, len(p.pool)-1))
}

// behind is by how much the newer is less relevant than the older, 0 to 1.
func (p *pairs) behind(i, n int) float64 {
	return max(0, min(1, (p.pool[i].relevance-p.pool[n].relevance)/8))
}

// alone counts the stems that the two share and no other candidate has, such as the name
// of what was before.
func (p *pairs) alone(i, n int) float64 {
	alone := 0
	for term := range p.pool[i].counted() {
		alone += int(one(p.pool[n].counted()[term] > 0 && !p.elsewhere(term, i, n)))
	}
	return float64(alone)
}

// elsewhere reports whether a candidate besides two has a stem.
func (p *pairs) elsewhere(stem string, i, n int) bool {
	for j, c := range p.pool {
		if j != i && j != n && c.counted()[stem] > 0 {
			return true
		}
	}
	return false
}

// beginsElsewhere reports whether the newer begins with a word that others have and the
// older has not: it is about something else.
func (p *pairs) beginsElsewhere(i, n int) bool {
	return p.heads[n] != "" && p.pool[i].counted()[p.heads[n]] == 0 && p.elsewhere(p.heads[n], i, n)
}

// namesNew reports whether the newer has a name that the older has not.
func (p *pairs) namesNew(i, n int) bool {
	return slices.ContainsFunc(p.names[n], func(name string) bool { return !slices.Contains(p.names[i], name) })
}

func (p *pairs) sameName(i, n int) bool {
	return slices.ContainsFunc(p.names[n], func(name string) bool { return slices.Contains(p.names[i], name) })
}

// sameFrame reports whether the two say the same with another value: they differ in a
// word or two each.
func (p *pairs) sameFrame(i, n int) bool {
	a, b := p.pool[i].counted(), p.pool[n].counted()
	shared := inBoth(a, b)
	rest := max(len(a), len(b)) - shared
	return shared >= 2 && rest <= 2 && shared >= 2*rest
}

// otherNumbers reports whether both have numbers, and not the same ones.
func (p *pairs) otherNumbers(i, n int) bool {
	a, b := numbers(p.pool[i].Content), numbers(p.pool[n].Content)
	return len(a) > 0 && len(b) > 0 && !slices.Equal(a, b)
}

// kindsKept is the share of the kinds of thing that the older tells which the newer tells
// too.
func (p *pairs) kindsKept(i, n int) float64 {
	both, had := 0.0, 0.0
	for k, told := range p.kinds[i] {
		had += one(told)
		both += one(told && p.kinds[n][k])
	}
	return both / max(1, had)
}

// opposed reports whether the two say the opposite of each other.
func (p *pairs) opposed(i, n int) bool {
	older, newer := p.pool[i], p.pool[n]
	return mayOppose(older.counted(), newer.counted()) && slots.Opposed(older.Content, newer.Content)
}

// askedShared is the share of the question's stems that both have.
func (p *pairs) askedShared(i, n int) float64 {
	return p.asked(func(stem string) bool { return p.pool[i].counted()[stem] > 0 && p.pool[n].counted()[stem] > 0 })
}

func (p *pairs) asked(has func(stem string) bool) float64 {
	n := 0
	for _, stem := range p.q.stems {
		n += int(one(has(stem)))
	}
	return float64(n) / float64(max(1, len(p.q.stems)))
}

// parallel is how much two say the same of different things, of which the question has the
// word of the older: "the backup on host A", "the backup on host B".
func (p *pairs) parallel(i, n int) float64 {
	older, newer := p.pool[i].counted(), p.pool[n].counted()
	lost := slices.ContainsFunc(p.q.stems, func(stem string) bool { return older[stem] > 0 && newer[stem] == 0 })
	return one(lost) * jaccard(older, newer)
}

// otherPhrase reports whether the older has two words of the question one behind the other,
// of which the newer has the first with another one behind it: "favourite tea", "favourite
// player".
func (p *pairs) otherPhrase(i, n int) bool {
	asked, older, newer := plainWords(beginning(p.q.Query, readable)), p.words[i], p.words[n]
	for k := range max(0, len(asked)-1) {
		if followed(older, asked[k], func(w string) bool { return w == asked[k+1] }) && followed(newer, asked[k], func(w string) bool { return w != asked[k+1] }) &&
			!slices.Contains(newer, asked[k+1]) && len(analysis.Content(asked[k+1])) > 0 {
			return true
		}
	}
	return false
}

// followed reports whether a word stands before one that fits.
func followed(words []string, word string, fits func(string) bool) bool {
	for i := range max(0, len(words)-1) {
		if words[i] == word && fits(words[i+1]) {
			return true
		}
	}
	return false
}

// askedNameLost reports whether the newer lacks a name of the question that the older has.
func (p *pairs) askedNameLost(i, n int) bool {
	for k, stem := range p.q.stems {
		named := k < len(p.q.stemmed) && !strings.Contains(p.q.Query, strings.ToLower(p.q.stemmed[k]))
		if named && p.pool[i].counted()[stem] > 0 && p.pool[n].counted()[stem] == 0 {
			return true
		}
	}
	return false
}

// timeLost is 1 if the older is of the time that is asked about and the newer is not.
func (p *pairs) timeLost(i, n int) float64 {
	older, newer := p.pool[i].evidence, p.pool[n].evidence
	return one(older != nil && newer != nil && older.inside > 0 && newer.outside > 0)
}

// comparedSaid is what statements of two records have in common.
type comparedSaid struct{ attribute, otherAttribute, otherSubject bool }

// said reports whether two records have statements of one attribute, have some of
// attributes and none of one, and have subjects of which none is the same.
func (p *pairs) said(i, n int) (x comparedSaid) {
	sameSubject, other, otherSubject := false, false, false
	older, newer := p.pool[i].sense.said, p.pool[n].sense.said
	for i := range older {
		for k := range newer {
			a, b := &older[i], &newer[k]
			if a.Attribute != "" && b.Attribute != "" {
				x.attribute = x.attribute || a.Attribute == b.Attribute
				other = other || a.Attribute != b.Attribute
			}
			if a.Subject != "" && b.Subject != "" {
				sameSubject = sameSubject || a.Subject == b.Subject
				otherSubject = otherSubject || a.Subject != b.Subject
			}
		}
	}
	x.otherAttribute, x.otherSubject = other && !x.attribute, otherSubject && !sameSubject
	return x
}

func shareAny(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}
