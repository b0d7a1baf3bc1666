package recall

import (
	"context"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

const (
	// smallPool is how many records at most are all compared with the question:
	// where so few may answer, weak evidence is enough.
	smallPool = 30
	// Weights in likeness: of how much of the question's meaning a candidate has, and of how
	// much of the candidate's the question has.
	forthShare, backShare = 1.0, 0.75
	// nearest is in how many of the best candidates strangeness looks for the question's words, and
	// judge for anything that is related.
	nearest = 3
)

// pool returns the numbers of the newest documents that pass the question's filter, ascending: one
// more than a small pool or the answer holds, beside the known ones that search found, so that
// their count tells whether there are few. counted is false for a large bank without an explicit
// filter, which is not looked at.
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

// chosen reports whether an explicit filter, such as a tag, narrows down what is asked for. AsOf and
// KnownAt alone do not: most of a bank was true, or known, then.
func (q question) chosen() bool {
	f := q.Filter
	f.AsOf, f.KnownAt = time.Time{}, time.Time{}
	return f.Narrow()
}

// likeness is how near the stems of a question and of a candidate are to each other: the similarity
// of each to the nearest of the other text, averaged by weight in both directions. 0 to
// forthShare + backShare.
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

// strangeness is how far a question's stems, by weight, are from any stem of the best candidates, 0
// to 1: where it is high, what is asked for may not be in the bank at all.
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

// similarity is 1 for equal stems, else the cosine of their rows, 0 to 1; 0 without rows.
func similarity(table *semantics.Table, x, y row) float64 {
	switch {
	case x.stem == y.stem:
		return 1
	case x.id >= 0 && y.id >= 0:
		return max(0, float64(table.Cosine(x.id, y.id)))
	}
	return 0
}

// rows returns the content stems of a candidate's beginning, with their rows in the table. It looks
// them up once.
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

// weighted is the mean of values, one for each stem, by the weights of the stems; 0 for none.
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

func square(x float64) float64 { return x * x }
func cube(x float64) float64   { return x * x * x }
