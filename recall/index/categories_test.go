package index_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"mcp-memory/recall/index"
	"mcp-memory/text/semantics"
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
		docs = append(docs, index.Document{Seq: last + int64(n+1), Text: fmt.Sprintf("the picnic at the harbour lake %d", n), Category: "social"})
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
