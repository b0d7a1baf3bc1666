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

// In a large bank only the question's categories are searched where one of
// their documents has its words; where none has, everything is.
func TestLargeBankIsSearchedByCategory(t *testing.T) {
	ix := index.New(semantics.Builtin(), nil)
	var docs []index.Document
	for n := range 20_000 {
		docs = append(docs, index.Document{Seq: int64(n + 1), Text: fmt.Sprintf("harbour crane %d", n), Category: "technical"})
	}
	last := int64(len(docs))
	docs = append(docs,
		index.Document{Seq: last + 1, Text: "the picnic by the harbour lake", Category: "social"},
		index.Document{Seq: last + 2, Text: "lake picnic", Category: "technical"},
		index.Document{Seq: last + 3, Text: "picnic in the park", Category: "social", Session: "s"},
		index.Document{Seq: last + 4, Text: "the lake is cold", Category: "technical", Session: "s"})
	ix.Add(docs)
	find := func(category string, stems ...string) (found []int64) {
		for _, h := range ix.Search(index.Query{Stems: stems, Categories: []string{category}}, 30) {
			if h.Seq > last {
				found = append(found, h.Seq-last)
			}
		}
		return found
	}
	if got := find("social", "picnic", "lake"); !slices.Equal(got, []int64{1, 3, 4}) {
		t.Errorf("answered in its category, and neighbours: found %v", got)
	}
	if got := find("unknown", "picnic", "lake"); !slices.Equal(got, []int64{1, 2, 3, 4}) {
		t.Errorf("without a category: found %v", got)
	}
	if got := find("social", "picnic", "cold"); !slices.Equal(got, []int64{1, 2, 3, 4}) {
		t.Errorf("not answered in its category: found %v", got)
	}
}
