package semantics_test

import (
	"cmp"
	"slices"
	"testing"

	"mcp-memory/text/semantics"
)

func allRows(table *semantics.Table) []int32 {
	rows := make([]int32, table.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// TestNeighboursByDefinition compares with one cosine for every row and a sort.
func TestNeighboursByDefinition(t *testing.T) {
	table := semantics.Builtin()
	among := allRows(table)
	for _, stem := range []string{"doctor", "deploi", "the", "salari"} {
		self, _ := table.Lookup(stem)
		var want []semantics.Neighbour
		for _, other := range among {
			similarity := (table.Cosine(self, int(other)) - 0.2) / 0.8
			if int(other) == self {
				similarity = 1
			}
			if similarity > 0 {
				want = append(want, semantics.Neighbour{ID: other, Similarity: similarity})
			}
		}
		slices.SortStableFunc(want, func(a, b semantics.Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) })
		want = want[:min(16, len(want))]
		got := table.Neighbours(stem, among, 16, 0.2)
		if len(got) != len(want) {
			t.Fatalf("%s: %d neighbours, want %d", stem, len(got), len(want))
		}
		if int(got[0].ID) != self || got[0].Similarity != 1 {
			t.Errorf("%s: first is %v, want itself", stem, got[0])
		}
		for i := range want {
			if !near(got[i].Similarity, want[i].Similarity, 1e-5) {
				t.Errorf("%s: neighbour %d is %v, want %v", stem, i, got[i], want[i])
			}
		}
	}
}

func TestNeighboursAmong(t *testing.T) {
	table := semantics.Builtin()
	row := func(word string) int32 { return int32(id(t, word)) }
	among := []int32{row("banana"), row("physician"), row("the"), row("hospital"), row("doctor")}
	ids := func(found []semantics.Neighbour) (list []int32) {
		for _, n := range found {
			list = append(list, n.ID)
		}
		return list
	}
	for name, c := range map[string]struct {
		stem      string
		among     []int32
		limit     int
		threshold float64
		want      []int32
	}{
		"itself first":     {"doctor", among, 2, 0.2, []int32{row("doctor"), row("physician")}},
		"not among":        {"doctor", among[:4], 1, 0.2, []int32{row("physician")}},
		"high threshold":   {"doctor", among, 9, 0.99, []int32{row("doctor")}},
		"empty store":      {"doctor", nil, 9, 0.2, nil},
		"no room":          {"doctor", among, 0, 0.2, nil},
		"not in the table": {"zzyzzx", among, 9, 0.2, nil},
	} {
		if got := ids(table.Neighbours(c.stem, c.among, c.limit, c.threshold)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func BenchmarkNeighbours(b *testing.B) {
	table := semantics.Builtin()
	among := allRows(table)
	b.ReportAllocs()
	for b.Loop() {
		table.Neighbours("doctor", among, 16, 0.2)
	}
}
