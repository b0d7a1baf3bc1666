package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"mcp-memory/eval/metrics"
)

// floorReport says what would happen if results with a score below Floor were
// left out.
type floorReport struct {
	Floor  float64            `json:"floor"`
	Silent float64            `json:"silent"`          // share of the abstention questions answered with nothing
	Kinds  map[string]float64 `json:"kinds,omitempty"` // Silent by kind of question
	Empty  float64            `json:"empty"`           // share of the other questions answered with nothing
	Lost   float64            `json:"lost"`            // share of them whose gold was among the first five and no longer is
	Hit5   float64            `json:"hit5"`            // share of them whose gold still is
}

// newFloors sweeps the floor from 0 to 0.60.
func newFloors(replies []reply) []floorReport {
	var rows []floorReport
	for step := 0; step <= 12; step++ {
		rows = append(rows, atFloor(replies, float64(step)/20))
	}
	return rows
}

func atFloor(replies []reply, floor float64) floorReport {
	row := floorReport{Floor: floor, Kinds: map[string]float64{}}
	unanswerable, answerable, kinds := 0, 0, map[string]int{}
	for _, r := range replies {
		silent := len(r.hits) == 0 || r.hits[0].score < floor
		switch {
		case len(r.Gold) > 0:
			answerable++
			if silent {
				row.Empty++
			}
			if score, found := r.goldScore(5); found && score < floor {
				row.Lost++
			} else if found {
				row.Hit5++
			}
		case r.Category == metrics.Abstention:
			unanswerable++
			kinds[r.Kind]++
			if silent {
				row.Silent++
				row.Kinds[r.Kind]++
			}
		}
	}
	row.Silent /= float64(max(1, unanswerable))
	for kind, n := range kinds {
		row.Kinds[kind] /= float64(n)
	}
	delete(row.Kinds, "")
	row.Empty /= float64(max(1, answerable))
	row.Lost /= float64(max(1, answerable))
	row.Hit5 /= float64(max(1, answerable))
	return row
}

// goldScore returns the score of the first result that names a gold id, if it
// is among the first k.
func (r reply) goldScore(k int) (score float64, found bool) {
	for _, h := range r.hits[:min(k, len(r.hits))] {
		ids := r.bank.itemIDs(h)
		if slices.ContainsFunc(r.Gold, func(g string) bool { return slices.Contains(ids, g) }) {
			return h.score, true
		}
	}
	return 0, false
}

func printFloors(w io.Writer, rows []floorReport) {
	if len(rows) == 0 {
		return
	}
	kinds := slices.Sorted(maps.Keys(rows[0].Kinds))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "floor\tsilent\t")
	for _, kind := range kinds {
		fmt.Fprintf(t, "%s\t", kind)
	}
	fmt.Fprintln(t, "empty\tlost\thit@5\t")
	for _, row := range rows {
		fmt.Fprintf(t, "%.2f\t%.1f\t", row.Floor, 100*row.Silent)
		for _, kind := range kinds {
			fmt.Fprintf(t, "%.1f\t", 100*row.Kinds[kind])
		}
		fmt.Fprintf(t, "%.1f\t%.1f\t%.1f\t\n", 100*row.Empty, 100*row.Lost, 100*row.Hit5)
	}
	t.Flush()
}
