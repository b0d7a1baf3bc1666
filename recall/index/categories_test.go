package index_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"mcp-memory/recall/index"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
)

// A large bank is searched by category first: nearly nothing else has to be
// scored, and what is found is what a flat search finds, whatever the category.
func TestLargeBankIsSearchedByCategoryFirst(t *testing.T) {
	ix := index.New(semantics.Builtin(), nil)
	var docs []index.Document
	for n := range 50_000 {
		docs = append(docs, index.Document{Seq: int64(n + 1), Text: fmt.Sprintf("harbour crane %d by the lake", n), Category: "technical"})
	}
	last := int64(len(docs))
	for n := range 30 {
		docs = append(docs, index.Document{Seq: last + int64(n+1), Text: fmt.Sprintf("the picnic at the harbour lake %d", n),
			Category: "social"})
	}
	docs = append(docs, index.Document{Seq: last + 31, Text: "lake picnic", Category: "technical"})
	ix.Add(docs)
	q := index.Query{Stems: []string{"picnic", "lake"}}
	flat := ix.Search(q, 20)
	if len(flat) != 20 || !slices.ContainsFunc(flat, func(h index.Hit) bool { return h.Seq == last+31 }) {
		t.Fatalf("flat: found %d", len(flat))
	}
	for category, few := range map[string]bool{"social": true, "technical": false, "unknown": false} {
		q.Categories = []string{category}
		if found := ix.Search(q, 20); !reflect.DeepEqual(found, flat) {
			t.Errorf("%s: found %+v", category, found)
		}
		if n := ix.Scored(q, 20); few != (n < 100) {
			t.Errorf("%s: %d documents were scored", category, n)
		}
	}
}

func TestCentroids(t *testing.T) {
	ix := index.New(semantics.Builtin(), nil)
	if got := ix.Centroids(); got != nil {
		t.Errorf("an empty index: %v", got)
	}
	ix.Add([]index.Document{
		{Seq: 1, Text: "a", Category: "birds", Meaning: []float32{1, 0}},
		{Seq: 2, Text: "b", Category: "boats", Meaning: []float32{0, 1}},
		{Seq: 3, Text: "c", Category: "birds", Meaning: []float32{0.5, 0.5}},
		{Seq: 4, Text: "d", Category: "trained"},
		{Seq: 5, Text: "e", Category: "birds", Meaning: []float32{1, 2, 3}}, // of another table
		{Seq: 6, Text: "f", Meaning: []float32{1, 1}},
	})
	want := []taxonomy.Centroid{{Name: "birds", Vector: []float32{1.5, 0.5}}, {Name: "boats", Vector: []float32{0, 1}}}
	if got := ix.Centroids(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var many []index.Document
	for n := range 200 {
		many = append(many, index.Document{Seq: int64(n + 7), Text: "g", Category: fmt.Sprint("c", n), Meaning: []float32{1, 1}})
	}
	ix.Add(many)
	if got := ix.Centroids(); len(got) != 64 || got[0].Name != "birds" {
		t.Errorf("%d of very many, %s first", len(got), got[0].Name)
	}
}
