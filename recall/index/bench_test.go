package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"mcp-memory/recall/index"
	"mcp-memory/text/semantics"
)

// BenchmarkSearch asks a large index, of records and of conversations, by
// scoring every document that matches and only those that can be among the best.
func BenchmarkSearch(b *testing.B) {
	const documents, depth = 60_000, 150
	random := rand.New(rand.NewPCG(3, 3))
	word := func() string { // rare ones less often
		if random.IntN(2) == 0 {
			return fmt.Sprintf("zorb%dx", int(20_000*random.Float64()*random.Float64()))
		}
		return lexicon[int(float64(len(lexicon))*random.Float64()*random.Float64())]
	}
	text := func(words int) string {
		list := make([]string, words)
		for i := range list {
			list[i] = word()
		}
		return strings.Join(list, " ")
	}
	var questions []index.Query
	for range 20 {
		q := query(text(4))
		q.Vector, q.Categories = nil, []string{"a", "b"}
		questions = append(questions, q)
	}
	for _, kind := range []string{"records", "turns"} {
		ix := index.New(semantics.Builtin(), nil)
		docs := make([]index.Document, documents)
		for i := range docs {
			docs[i] = index.Document{Seq: int64(i + 1), Text: text(12), Category: []string{"a", "b", "c", "d"}[random.IntN(4)]}
			if kind == "turns" {
				docs[i].Session = fmt.Sprint(i / 30)
			}
		}
		ix.Add(docs)
		ways := map[string]func(index.Query, int) []index.Hit{"all": ix.SearchFlat, "bounded": ix.SearchBounded}
		if kind == "records" {
			ways["synonyms"] = func(q index.Query, depth int) []index.Hit {
				for i := range 60 {
					at := i % len(q.Stems)
					q.Synonyms = append(q.Synonyms,
						index.Synonym{From: at, To: at + 1, Stems: []string{lexicon[i%len(lexicon)]}, Likeness: 1})
				}
				return ix.SearchBounded(q, depth)
			}
		}
		for way, search := range ways {
			b.Run(kind+"/"+way, func(b *testing.B) {
				b.ReportAllocs()
				for i := range b.N {
					search(questions[i%len(questions)], depth)
				}
			})
		}
	}
}
