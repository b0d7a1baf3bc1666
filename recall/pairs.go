package recall

import (
	"maps"
	"slices"

	"mcp-memory/recall/index"
	"mcp-memory/text/slots"
)

// Pair is an older and a newer record, with the signs that tell whether the newer is a later
// version of the fact that the older tells and that is asked for.
type Pair struct {
	Older, Newer string    // ids
	Places       [2]int    // rank of the older and the newer by relevance, from 0
	Signs        []float64 // in the order of [PairSigns], about -1 to 1
	Many         bool      // they are among the best of more than maxCompared candidates
	ByWords      bool      // one of them has no vector by the sentence encoder
}

// PairSigns returns the names of the signs of a [Pair], in order.
func PairSigns() []string {
	names := make([]string, len(pairSigns))
	for i, s := range pairSigns {
		names[i] = s.name
	}
	return names
}

// SentenceSigns are the signs of a [Pair] that [Models.Sentences] measures: how far the older one
// looks like a sentence that later ones replace, and the newer one like one that replaces another.
var SentenceSigns = [2]string{"sentence_older", "sentence_newer"}

// pairSigns measure an older candidate i and a newer one n, both by their place. Their weights are
// fitted (eval/fit) and stand in pairs.txt. change_* is how clearly the newer tells of a change
// ("now", "no longer"); like is by words and encoded by sentence vectors; head is whether both
// begin with the same stem; certain is what package slots reads; relevance is how much less
// relevant the newer is; first is whether the older is the most relevant; then is whether the
// question asks for what was. The others are explained at their methods.
var pairSigns = []struct {
	name string
	of   func(p *pairs, i, n int) float64
}{
	{"change_loose", func(p *pairs, i, n int) float64 { return one(p.pool[n].changes() == loosely) }},
	{"change_local", func(p *pairs, i, n int) float64 { return one(p.pool[n].changes() == locally) }},
	{"change_plain", func(p *pairs, i, n int) float64 { return one(p.pool[n].changes() == plainly) }},
	{"change_encoded", func(p *pairs, i, n int) float64 { return p.pool[n].changes().share() * p.alike(i, n) }},
	{"like", func(p *pairs, i, n int) float64 { return p.like[i][n] }},
	{"encoded", func(p *pairs, i, n int) float64 { return p.alike(i, n) }},
	{"encoded_closest", func(p *pairs, i, n int) float64 { return p.beside(i, n) }},
	{"alone", func(p *pairs, i, n int) float64 { return min(1, p.alone(i, n)/2) }},
	{"head", func(p *pairs, i, n int) float64 { return one(p.heads[i] != "" && p.heads[i] == p.heads[n]) }},
	{"rivals", func(p *pairs, i, n int) float64 { return p.rivals(i, n) }},
	{"certain", func(p *pairs, i, n int) float64 { return one(p.relation[i][n] == slots.Certain) }},
	{"subject_other", func(p *pairs, i, n int) float64 { return one(p.otherSubject(i, n)) }},
	{"opposed", func(p *pairs, i, n int) float64 { return one(p.opposed(i, n)) }},
	{"relevance", func(p *pairs, i, n int) float64 { return p.behind(i, n) }},
	{"timed", func(p *pairs, i, n int) float64 { return one(p.timed()) }},
	{"first", func(p *pairs, i, n int) float64 { return one(i == 0) }},
	{"then", func(p *pairs, i, n int) float64 { return one(p.q.asksWhatWas()) }},
	{"late", func(p *pairs, i, n int) float64 { return p.late(n) }},
	{SentenceSigns[0], func(p *pairs, i, _ int) float64 { return p.sentences[0][i] }},
	{SentenceSigns[1], func(p *pairs, _, n int) float64 { return p.sentences[1][n] }},
}

// pairs compares the best candidates of a question with each other.
type pairs struct {
	q         *question
	pool      []*candidate
	many      bool               // they are the best of more than maxCompared candidates
	leaders   int                // how many of the first are looked at for other versions
	bank      map[string]int     // how many records of the bank have each stem
	heads     []string           // first stem of each, "" if it has none
	like      [][]float64        // likeness of each two by their words, 0 to 1
	encoded   [][]float64        // cosine of each two by the encoder; nil rows without an index
	sentences [2][]float64       // each one's product with the two directions of [Models.Sentences]
	relation  [][]slots.Relation // [older][newer]; see relate
	opposite  map[[2]int]bool    // results of opposed
}

// pairsOf prepares the comparison of the candidates in pool, best first; many is whether they are
// the best of more than maxCompared.
func (s *Service) pairsOf(q *question, pool []*candidate, many bool) *pairs {
	table, n, first := s.table(), len(pool), leadersOfFew
	if many {
		first = leadersOfMany
	}
	p := &pairs{
		q: q, pool: pool, many: many, leaders: first, heads: make([]string, n),
		like: make([][]float64, n), encoded: make([][]float64, n),
		sentences: [2][]float64{make([]float64, n), make([]float64, n)}, relation: q.relate(pool, first), opposite: map[[2]int]bool{},
	}
	p.bank = frequencies(pool)
	seqs := make([]int64, n)
	for i, c := range pool {
		seqs[i] = c.Document.Seq
	}
	if ix := pool[0].measuredBy; ix != nil {
		p.encoded = ix.EncodedLikeness(seqs)
		for side, direction := range s.models.sentences {
			p.sentences[side] = ix.EncodedAlong(direction, seqs)
		}
	}
	for i, c := range pool {
		p.like[i] = make([]float64, n)
		told := c.rows(table)
		if len(told) > 0 {
			p.heads[i] = told[0].stem
		}
		for j := range i {
			x := likeness(table, pool[j].rows(table), c) / (forthShare + backShare)
			p.like[i][j], p.like[j][i] = x, x
		}
	}
	return p
}

// frequencies returns, for each stem of the candidates in pool, how many records of the bank have
// it; without an index, how many of the pool.
func frequencies(pool []*candidate) map[string]int {
	counts := map[string]int{}
	for _, c := range pool {
		for stem := range c.counted() {
			counts[stem]++
		}
	}
	ix := pool[0].measuredBy
	if ix == nil {
		return counts
	}
	return ix.Frequencies(slices.Collect(maps.Keys(counts)))
}

// signs returns the pairSigns of an older candidate i and a newer one n, by their places in pool.
func (p *pairs) signs(i, n int) []float64 {
	values := make([]float64, len(pairSigns))
	for k, s := range pairSigns {
		values[k] = s.of(p, i, n)
	}
	return values
}

// alike is the cosine of two candidates by the encoder, 0 to 1; 0 where one has no vector.
func (p *pairs) alike(i, n int) float64 {
	if p.encoded[i] == nil {
		return 0
	}
	return max(0, p.encoded[i][n])
}

// byWords reports whether one of two has no vector by the encoder, so that words must do.
func (p *pairs) byWords(i, n int) bool { return p.encoded[i] == nil || p.encoded[i][n] == 0 }

// beside is by how much more the newer is like the older, by the encoder, than like any other
// candidate that is older than it, -1 to 1.
func (p *pairs) beside(i, n int) float64 {
	if p.encoded[i] == nil {
		return 0
	}
	rival := 0.0
	for j, c := range p.pool {
		if j != i && j != n && p.pool[n].EventTime().After(c.EventTime()) {
			rival = max(rival, p.encoded[j][n])
		}
	}
	return max(-1, min(1, (p.encoded[i][n]-rival)/0.3))
}

// rivals is how many candidates that are older than the newer one are more like it, by words, than
// the older of the pair: of three, 0 to 1.
func (p *pairs) rivals(i, n int) float64 {
	nearer := 0
	for j, c := range p.pool {
		if j != i && j != n && p.pool[n].EventTime().After(c.EventTime()) {
			nearer += int(one(p.like[j][n] > p.like[i][n]))
		}
	}
	return float64(min(3, nearer)) / 3
}

// late is the share of the other candidates that are older than n, 0 to 1.
func (p *pairs) late(n int) float64 {
	late := 0
	for _, c := range p.pool {
		late += int(one(p.pool[n].EventTime().After(c.EventTime())))
	}
	return float64(late) / float64(max(1, len(p.pool)-1))
}

// behind is by how much the newer is less relevant than the older, 0 to 1; 8 logits are 1.
func (p *pairs) behind(i, n int) float64 {
	return max(0, min(1, (p.pool[i].relevance-p.pool[n].relevance)/8))
}

// alone counts the rare stems that the two share, such as the name of what was before
// ("Unleash"): a stem that k records of the bank have, at most [index.Rarely], counts 2/k. A stem
// of the question does not count: it only says what both are about.
func (p *pairs) alone(i, n int) (alone float64) {
	for stem := range p.pool[i].counted() {
		if of := p.bank[stem]; of <= index.Rarely && p.pool[n].counted()[stem] > 0 && !slices.Contains(p.q.stems, stem) {
			alone += 2 / float64(max(2, of))
		}
	}
	return alone
}

// otherSubject reports whether both have subjects that can be read, and none in common: "Jana
// lives in Dresden", "Ruben lives in Ulm".
func (p *pairs) otherSubject(i, n int) bool {
	other := false
	for _, a := range p.q.saidBy(p.pool[i]) {
		for _, b := range p.q.saidBy(p.pool[n]) {
			if a.Subject != "" && a.Subject == b.Subject {
				return false
			}
			other = other || a.Subject != "" && b.Subject != ""
		}
	}
	return other
}

// opposed reports whether the two say the opposite of each other, as [slots.Opposed] reads them;
// only texts that share enough stems (mayOppose) are read. It keeps the results.
func (p *pairs) opposed(i, n int) bool {
	found, known := p.opposite[[2]int{i, n}]
	if !known {
		older, newer := p.pool[i], p.pool[n]
		found = mayOppose(older.counted(), newer.counted()) && slots.Opposed(older.Content, newer.Content)
		p.opposite[[2]int{i, n}] = found
	}
	return found
}

// otherPhrase reports whether the older has two adjacent stems of the question ("favourite tea"),
// of which the newer has the first with another stem behind it ("favourite player") and the
// second nowhere: they are about different things.
func (p *pairs) otherPhrase(i, n int) bool {
	asked, older, newer := p.q.stems, p.pool[i].told, p.pool[n].told
	for k := range max(0, len(asked)-1) {
		if followed(older, asked[k], func(s string) bool { return s == asked[k+1] }) &&
			followed(newer, asked[k], func(s string) bool { return s != asked[k+1] }) &&
			p.pool[n].counted()[asked[k+1]] == 0 {
			return true
		}
	}
	return false
}

// followed reports whether a stem stands anywhere right before one that fits.
func followed(rows []row, stem string, fits func(string) bool) bool {
	for i := range max(0, len(rows)-1) {
		if rows[i].stem == stem && fits(rows[i+1].stem) {
			return true
		}
	}
	return false
}

// timed reports whether the question names a time or asks for one.
func (p *pairs) timed() bool { return len(p.q.times) > 0 || p.q.when }
