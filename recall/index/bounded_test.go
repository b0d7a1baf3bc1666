package index_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

// TestBoundedIsFlat: what clears the bar is all that a flat search finds, and
// measured alike: with words of every kind, mistyped ones, sessions, documents
// without a category, times, and when only some are allowed.
func TestBoundedIsFlat(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	word := func() string { // rare ones less often
		if random.IntN(3) == 0 {
			return fmt.Sprintf("zorb%dx", int(60*random.Float64()*random.Float64()))
		}
		return lexicon[int(float64(len(lexicon))*random.Float64()*random.Float64())]
	}
	text := func(most int) string {
		words := make([]string, 1+random.IntN(most))
		for i := range words {
			words[i] = word()
			if i > 0 && random.IntN(6) == 0 {
				words[i] = words[i-1]
			}
		}
		return strings.Join(words, " ")
	}
	day := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	less := 0
	for round := range 120 {
		ix := index.New(semantics.Builtin(), nil)
		docs := make([]index.Document, 400)
		for i := range docs {
			docs[i] = index.Document{Seq: int64(i + 1), Text: text(12), At: day.AddDate(0, 0, random.IntN(400)),
				Category: []string{"", "a", "b", "c"}[random.IntN(4)]}
			switch {
			case round%3 == 1 && random.IntN(20) == 0, round%3 == 2:
				docs[i].Session = fmt.Sprint(random.IntN(60))
			case random.IntN(2) == 0:
				docs[i].Session = fmt.Sprint("alone ", i)
			}
			if random.IntN(2) == 0 {
				docs[i].Vector = vectorOf(docs[i].Text)
			}
		}
		ix.Add(docs)
		for range 25 {
			q := query(text(6))
			if random.IntN(3) == 0 { // a word that nobody wrote, or mistyped
				q = query(text(3) + [...]string{" doctr", " zorb7", " hospitle", " qqqqq"}[random.IntN(4)])
			}
			if random.IntN(4) == 0 {
				from := day.AddDate(0, 0, random.IntN(300))
				q.Times = []index.Span{{From: from, To: from.AddDate(0, 0, 60)}}
			}
			for i := range docs {
				if round%4 == 0 && i%3 > 0 {
					q.Allowed = append(q.Allowed, docs[i].Seq)
				}
			}
			flat := ix.SearchFlat(q, 8)
			q.Categories = []string{"a", "c"}
			if bounded := ix.SearchBounded(q, 8); !reflect.DeepEqual(bounded, flat) {
				t.Fatalf("round %d, %q: found\n%+v\nflat\n%+v", round, q.Stems, bounded, flat)
			}
			if n := ix.Scored(q, 8); n < len(docs)/2 {
				less++
			}
		}
	}
	if less < 480 {
		t.Errorf("%d of 3000 questions were answered by scoring less than half of all", less)
	}
}

func query(text string) index.Query {
	stems, words := analysis.ContentWords(text)
	return index.Query{Stems: stems, Words: words, Vector: vectorOf(text)}
}
