package recall

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

const (
	// smallPool is how many records at most are all compared with the question,
	// word by word: where so few may answer, weak evidence is enough.
	smallPool = 30
	// What a comparison adds up: how much of the question's meaning the record
	// has, how much of the record's meaning the question has, and in a small pool
	// the vectors, by the table and by the encoder.
	forthShare, backShare, vectorShare, encoderShare = 1.0, 0.75, 0.6, 1.0
	// smallShare is what it counts in a small pool beside the other measures.
	smallShare = 4.0
	// missingShare is what it counts among the best of a larger one if words found
	// nothing; with what they found it falls by the third power.
	missingShare = 1.5
	// anyLikeness is what a record has to do with any question.
	anyLikeness = 0.35
	// leastShare is the share from which it is worth the time.
	leastShare = 0.02
	// nearest is how many of the best candidates may have a word that is like one of the question.
	nearest = 3
	// tilt is how much more the newest of a small pool counts than the oldest.
	tilt = 0.1
	// Factor, in a large pool, of what lacks the kind of thing that is asked for;
	// for a small one see [wanted.unmetFactor].
	unmetInLarge = 0.9
)

// alignedPart is the part of a score that comes from comparing word by word.
const alignedPart = "aligned"

// pool returns the newest records that pass the filter of a question, in order of
// their numbers, more than a small pool has or an answer needs beside those that
// are known; and whether they were counted: those of a large bank only are if a
// filter was given.
func (s *Service) pool(ctx context.Context, q question, corpus memory.Corpus, known int) (seqs []int64, counted bool, err error) {
	if !q.chosen() {
		stats, err := s.store.Statistics(ctx, q.Scope.Agent, corpus, nil)
		if err != nil || stats.Documents > max(smallPool, fitting*q.Limit) {
			return nil, false, err
		}
	}
	seqs, err = s.store.Newest(ctx, corpus, q.Filter, 0, max(smallPool, q.Limit)+known+1)
	return seqs, err == nil, err
}

// chosen reports whether a filter says what is asked for. As of when something was true,
// or known, says nothing of that: most of a bank was.
func (q question) chosen() bool {
	f := q.Filter
	f.AsOf, f.KnownAt = time.Time{}, time.Time{}
	return f.Narrow()
}

// align compares records with the question word by word: each stem of one finds
// the nearest of the other, so that a question in other words is near to what it
// asks for, even if as a whole it is nearer to something else. In a small pool
// that decides; the square keeps what is near to nothing below [Floor]. Vectors
// of an endpoint or a model know more than the table, and are left alone.
func (s *Service) align(q question, list []*candidate, small bool) {
	want := wantedBy(q.Query)
	for _, c := range list {
		c.want = want
	}
	asked := rowsOf(s.table(), q.stems)
	share := missingShare * cube(1-covering(list)) * square(knownShare(asked))
	switch {
	case slices.Contains(s.without, alignedPart) || !q.summed && q.vector != nil:
		return
	case small:
		s.alignAll(q, want, asked, list)
		return
	case share >= leastShare:
		for _, c := range head(list, loaded) {
			if c.relevance <= 0 {
				continue
			}
			c.add(alignedPart, share*max(0, likeness(s.table(), asked, c)-anyLikeness)*c.factor())
		}
	}
	if want > aPerson {
		return // who asks where, why or how among many is often told in other ways
	}
	for _, c := range list {
		if c.unmet() {
			c.add(alignedPart, (unmetInLarge-1)*c.strength())
		}
	}
}

// alignAll scores a small pool. Of two that are about as near, the newer comes
// first, and the older where it is asked how things were: then the versions of a
// fact are near to each other, and the square would part them.
func (s *Service) alignAll(q question, want wanted, asked []row, list []*candidate) {
	order, near := byTime(list), s.nearness(asked, list)
	for place, i := range order {
		c := list[i]
		if c.relevance <= 0 && !q.Lenient {
			continue // found by nothing
		}
		x := near[i]
		if c.unmet() {
			x *= want.unmetFactor()
		}
		age := 1 - float64(place)/float64(max(1, len(order)-1))
		switch {
		case q.Lenient && q.asksWhatWas():
			x *= 1 + tilt*age
		case q.Lenient:
			x = square(x * (1 + tilt*(1-age)))
		default: // the pool may not be whole
			x = square(x)
		}
		c.add(alignedPart, x*c.factor()-c.strength())
		c.aligned = true
	}
}

// nearness is how near each of a small pool is to the question. What the encoder
// says of it changes the order, not how near the nearest is: to some sentence of a few
// any question is a little alike, also one that none of them answers.
func (s *Service) nearness(asked []row, list []*candidate) []float64 {
	near := make([]float64, len(list))
	before, after := 0.0, 0.0
	for i, c := range list {
		x := (c.strength()/c.factor() + smallShare*(likeness(s.table(), asked, c)+vectorShare*max(0, c.Vector))) / (1 + smallShare)
		near[i] = x + smallShare*encoderShare*likeSentence(c.Encoded)/(1+smallShare)
		before, after = max(before, x), max(after, near[i])
	}
	for i := range near {
		if after > 0 {
			near[i] *= before / after
		}
	}
	return near
}

// covering is the largest share of the question's words that a candidate has.
func covering(list []*candidate) float64 {
	most := 0.0
	for _, c := range list {
		most = max(most, c.Coverage)
	}
	return most
}

// likeness is how near the stems of a question and of a candidate are to each
// other, 0 to forthShare + backShare.
func likeness(table *semantics.Table, asked []row, c *candidate) float64 {
	told := c.rows(table)
	forth, back := make([]float64, len(asked)), make([]float64, len(told))
	for i, x := range asked {
		for k, y := range told {
			near := similarity(table, x, y)
			forth[i], back[k] = max(forth[i], near), max(back[k], near)
		}
	}
	return forthShare*weighted(asked, forth) + backShare*weighted(told, back)
}

// strangeness is the share of a question's stems, by weight, to which nothing in
// the best candidates is near: what is asked for may not be there at all.
func (s *Service) strangeness(q question, ranked []*candidate) float64 {
	if q.broadly || len(q.stems) == 0 {
		return 0
	}
	table := s.table()
	asked := rowsOf(table, q.stems)
	strange := make([]float64, len(asked))
	for i := range strange {
		strange[i] = 1
	}
	for _, c := range head(ranked, nearest) {
		told := c.rows(table)
		for i, x := range asked {
			for _, y := range told {
				strange[i] = min(strange[i], 1-similarity(table, x, y))
			}
		}
	}
	return weighted(asked, strange)
}

// row is a stem with its row in the semantic table and its weight there.
type row struct {
	stem   string
	id     int // -1 if the table does not know it
	weight float64
}

// similarity of two stems, 0 to 1.
func similarity(table *semantics.Table, x, y row) float64 {
	switch {
	case x.stem == y.stem:
		return 1
	case x.id >= 0 && y.id >= 0:
		return max(0, float64(table.Cosine(x.id, y.id)))
	}
	return 0
}

// rows returns the stems of what is read of a candidate.
func (c *candidate) rows(table *semantics.Table) []row {
	if c.told == nil {
		c.told = rowsOf(table, analysis.Content(beginning(c.Content, readable)))
	}
	return c.told
}

func rowsOf(table *semantics.Table, stems []string) []row {
	rows := make([]row, len(stems))
	for i, stem := range stems {
		rows[i] = row{stem, -1, float64(table.Rare())}
		if id, known := table.Lookup(stem); known {
			rows[i].id, rows[i].weight = id, float64(table.Length(id))
		}
	}
	return rows
}

// stemsIn returns the stems of rows.
func stemsIn(rows []row) []string {
	stems := make([]string, len(rows))
	for i, r := range rows {
		stems[i] = r.stem
	}
	return stems
}

// weighted is the mean of the values of stems by their weight, 0 of none.
func weighted(rows []row, values []float64) float64 {
	total, sum := 0.0, 0.0
	for i, r := range rows {
		total += r.weight
		sum += r.weight * values[i]
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

// knownShare is the share of stems that the table knows, by weight.
func knownShare(rows []row) float64 {
	known := make([]float64, len(rows))
	for i, r := range rows {
		if r.id >= 0 {
			known[i] = 1
		}
	}
	return weighted(rows, known)
}

func square(x float64) float64 { return x * x }
func cube(x float64) float64   { return x * x * x }
