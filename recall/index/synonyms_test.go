package index_test

import (
	"reflect"
	"testing"

	"mcp-memory/recall/index"
	"mcp-memory/text/semantics"
)

// A document counts for as much of the question as it has synonyms for: whole
// phrases in their order, of each word the most alike, and none of the words themselves.
func TestSynonyms(t *testing.T) {
	ix := index.New(semantics.Builtin(), nil)
	texts := []string{"zorb quux", "quux zorb", "zorb zorb flim", "plug quux", "flam zorb", "zorb flam"}
	docs := make([]index.Document, len(texts))
	for i, text := range texts {
		docs[i] = index.Document{Seq: int64(i + 1), Text: text, Vector: vectorOf("ferry")} // by which all are found
	}
	ix.Add(docs)
	q := index.Query{Stems: []string{"plug", "flam", "frob"}, Vector: vectorOf("ferry"), Synonyms: []index.Synonym{
		{From: 0, To: 1, Stems: []string{"zorb", "quux"}, Likeness: 0.5},
		{From: 1, To: 3, Stems: []string{"flim"}, Likeness: 1},
		{From: 1, To: 2, Stems: []string{"zorb"}, Likeness: 0.25},
		{From: 1, To: 2, Stems: []string{"elsewher"}, Likeness: 1},
	}}
	measured := func(q index.Query) map[int64]float64 {
		q.Allowed = []int64{1, 2, 3, 4, 5, 6}
		found := map[int64]float64{}
		for _, h := range ix.Search(q, 10) {
			found[h.Seq] = h.Synonyms
		}
		return found
	}
	got := measured(q)
	if len(got) != len(texts) {
		t.Fatalf("%d documents are measured, not %d", len(got), len(texts))
	}
	for _, c := range []struct {
		more, less int64
		why        string
	}{
		{3, 1, "two words of the question are more than one"},
		{1, 2, "a phrase has its order"},
		{2, 4, "a word of the question is no synonym of itself"},
	} {
		if got[c.more] <= got[c.less] {
			t.Errorf("%s: %v and %v of %v", c.why, got[c.more], got[c.less], got)
		}
	}
	if got[4] != 0 || got[2] != got[5] || got[2] != got[6] {
		t.Errorf("without a synonym %v; with zorb %v, %v and %v", got[4], got[2], got[5], got[6])
	}
	if again := measured(q); !reflect.DeepEqual(got, again) {
		t.Errorf("asked again: %v, first %v", again, got)
	}
	q.Synonyms = nil
	for seq, share := range measured(q) {
		if share != 0 {
			t.Errorf("without synonyms %d has %v", seq, share)
		}
	}
}
