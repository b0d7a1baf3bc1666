package index_test

import (
	"fmt"
	"slices"
	"testing"

	"mcp-memory/recall/index"
	"mcp-memory/semantics"
)

// A document of a category that the question is about is found even if many
// others have more of its words.
func TestCategoryIsSearchedByItself(t *testing.T) {
	ix := index.New(semantics.Builtin(), nil)
	var docs []index.Document
	for n := range 100 {
		docs = append(docs, index.Document{Seq: int64(n + 1), Text: fmt.Sprintf("harbour crane schedule %d", n), Category: "technical"})
	}
	docs = append(docs, index.Document{Seq: 101, Text: "a picnic by the harbour with some friends of ours", Category: "social"})
	ix.Add(docs)
	found := func(categories ...string) bool {
		hits := ix.Search(index.Query{Stems: []string{"harbour", "crane", "schedul"}, Categories: categories}, 10)
		return slices.ContainsFunc(hits, func(h index.Hit) bool { return h.Seq == 101 })
	}
	if found() || found("technical") || found("unknown") {
		t.Error("the picnic is among the ten best without its category")
	}
	if !found("unknown", "social") {
		t.Error("the picnic is not found in its category")
	}
}
