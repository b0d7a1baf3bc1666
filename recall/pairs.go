package recall

import (
	"maps"
	"slices"

	"mcp-memory/recall/index"
	"mcp-memory/text/slots"
)

// Pair is an older and a newer record, with the signs that tell whether the newer is a
// later word on what the older says, and on what is asked.
type Pair struct {
	Older, Newer string    // ids
	Places       [2]int    // of the older and the newer by relevance, from 0
	Signs        []float64 // in the order of [PairSigns], about -1 to 1
	Many         bool      // they are the best of many
	ByWords      bool      // one of them has no vector of its sentence
}

// PairSigns returns the names of the signs of a [Pair], in order.
func PairSigns() []string {
	names := make([]string, len(pairSigns))
	for i, s := range pairSigns {
		names[i] = s.name
	}
	return names
}

// SentenceSigns are the signs of a [Pair] that [Models.Sentences] measures: of the older one, that it
// is one that later ones take the place of, and of the newer one, that it takes that of another.
var SentenceSigns = [2]string{"sentence_older", "sentence_newer"}

// pairSigns are what two records say, beside what the others say and what is asked.
// What each counts is fitted (eval/fit) and stands in pairs.txt.
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
	many      bool           // they are the best of many
	leaders   int            // how many of them are looked at for other versions
	bank      map[string]int // how many records have each stem
	heads     []string       // first stem of each
	like      [][]float64    // how near each two are by their words, 0 to 1
	encoded   [][]float64    // the same by the encoder
	sentences [2][]float64   // how far each lies in the directions of sentences
	relation  [][]slots.Relation
	opposite  map[[2]int]bool // what opposed has found
}

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

// frequencies returns how many records of the bank have each stem of some; without an
// index, how many of these.
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

// byWords reports whether one of two has no vector of its sentence.
func (p *pairs) byWords(i, n int) bool { return p.encoded[i] == nil || p.encoded[i][n] == 0 }

// beside is by how much the newer is nearer to the older, by the encoder, than to any
// other before it, -1 to 1.
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

// alone is how many stems the two share that hardly another record has and the question has
// not, such as the name of what was before ("Unleash"): of those that n records of the bank
// have, each counts 2/n. One that the question has is only what both are about.
func (p *pairs) alone(i, n int) (alone float64) {
	for stem := range p.pool[i].counted() {
		if of := p.bank[stem]; of <= index.Rarely && p.pool[n].counted()[stem] > 0 && !slices.Contains(p.q.stems, stem) {
			alone += 2 / float64(max(2, of))
		}
	}
	return alone
}

// otherSubject reports whether both say something of somebody or something, and nothing of
// the same.
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

// opposed reports whether the two say the opposite of each other.
func (p *pairs) opposed(i, n int) bool {
	found, known := p.opposite[[2]int{i, n}]
	if !known {
		older, newer := p.pool[i], p.pool[n]
		found = mayOppose(older.counted(), newer.counted()) && slots.Opposed(older.Content, newer.Content)
		p.opposite[[2]int{i, n}] = found
	}
	return found
}

// otherPhrase reports whether the older has two stems of the question one behind the other,
// of which the newer has the first with another one behind it: "favourite tea", "favourite
// player".
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

// followed reports whether a stem stands before one that fits.
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
