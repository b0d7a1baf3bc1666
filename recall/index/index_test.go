package index_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

func TestPiecewiseIsTheSameAsAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs, q := drawDocuments(t), drawQuery(t)
		once, pieces := index.New(semantics.Builtin(), nil), index.New(semantics.Builtin(), nil)
		once.Add(docs)
		for rest := docs; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			bare := slices.Clone(rest[:n])
			late := rapid.Bool().Draw(t, "late")
			for i := range bare {
				if late {
					bare[i].Vector = nil
				}
			}
			pieces.Add(bare)
			pieces.Search(q, 3) // what is remembered of it must not stay as it was
			for _, d := range rest[:n] {
				if late && d.Vector != nil {
					pieces.SetVector(d.Seq, d.Vector)
				}
			}
			rest = rest[n:]
		}
		if a, b := once.Search(q, 50), pieces.Search(q, 50); !reflect.DeepEqual(a, b) {
			t.Fatalf("at once\n%+v\nin pieces\n%+v", a, b)
		}
		if once.Len() != pieces.Len() || once.Last() != pieces.Last() {
			t.Fatal("another length or end")
		}
	})
}

// TestStatisticsReplaceItsOwn: a part of a bank is measured as the whole is.
func TestStatisticsReplaceItsOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs, q := drawDocuments(t), drawQuery(t)
		for i := range docs {
			docs[i].Session = "" // neighbours and sessions have to be there
		}
		whole := index.New(semantics.Builtin(), nil)
		whole.Add(docs)
		stats := index.Statistics{Documents: len(docs), Frequency: map[string]int{}, AverageLength: newNaive(docs, q).average()}
		var vocabulary []string
		for _, d := range docs {
			for _, stem := range distinct(analysis.Content(d.Text)) {
				stats.Frequency[stem]++
				vocabulary = append(vocabulary, stem)
			}
		}
		part := index.New(semantics.Builtin(), &stats)
		slices.Sort(vocabulary) // in another order
		part.Learn(vocabulary)
		part.Add(docs[:1])
		for _, h := range part.Search(q, 5) {
			all := whole.Search(q, len(docs))
			i := slices.IndexFunc(all, func(other index.Hit) bool { return other.Seq == h.Seq })
			if i < 0 || !reflect.DeepEqual(all[i], h) {
				t.Fatalf("part %+v\nwhole %+v", h, all)
			}
		}
	})
}

func TestSearchesAndAdditionsTogether(t *testing.T) {
	ix := index.New(semantics.Builtin(), nil)
	var group sync.WaitGroup
	for worker := range 3 {
		group.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(worker)))
			for range 60 {
				text := lexicon[random.IntN(len(lexicon))] + " " + lexicon[random.IntN(len(lexicon))]
				before := ix.Len()
				hits := ix.Search(index.Query{Stems: analysis.Content(text), Vector: vectorOf(text)}, 10)
				if len(hits) > 20 || before > ix.Len() {
					t.Errorf("%d hits", len(hits))
				}
				ix.Similar(index.Query{Stems: []string{"doctor"}}, 0.3)
			}
		})
	}
	group.Go(func() {
		for seq := range 200 {
			text := fmt.Sprintf("%s new%d", lexicon[seq%len(lexicon)], seq)
			ix.Add([]index.Document{{Seq: int64(seq + 1), Text: text, Session: fmt.Sprint(seq / 5)}})
			ix.SetVector(int64(seq+1), vectorOf(text))
		}
	})
	group.Wait()
}

func TestAllowed(t *testing.T) {
	const n = 3000
	ix := index.New(semantics.Builtin(), nil)
	var docs []index.Document
	for i := range n {
		text := fmt.Sprintf("ferry %s number%d", lexicon[i%len(lexicon)], i)
		docs = append(docs, index.Document{Seq: int64(2 * i), Text: text, Vector: vectorOf(text), Session: fmt.Sprint(i / 7)})
	}
	ix.Add(docs)
	random := rand.New(rand.NewPCG(3, 3))
	for _, share := range []float64{0, 0.001, 0.05, 0.5, 1} {
		allowed := []int64{}
		for i := range 2 * n {
			if random.Float64() < share {
				allowed = append(allowed, int64(i)) // half of them are not there
			}
		}
		hits := ix.Search(index.Query{Stems: []string{"ferri", "doctor"}, Vector: vectorOf("ferry doctor"), Allowed: allowed}, n)
		for _, h := range hits {
			if !slices.Contains(allowed, h.Seq) {
				t.Fatalf("%d was found", h.Seq)
			}
		}
		if there := slices.DeleteFunc(slices.Clone(allowed), func(n int64) bool { return n%2 == 1 }); len(hits) != len(there) {
			t.Errorf("share %v: %d of %d found", share, len(hits), len(there))
		}
	}
}

func TestCorrections(t *testing.T) {
	ix := index.New(semantics.Builtin(), nil)
	ix.Learn(analysis.Content("zorblaxian zorble quux quuxer Kubernetes krankenhaus 東京 xanthophyll wibble mechanical allotments"))
	for word, want := range map[string]string{
		"zorbel":      "zorbl",      // swapped
		"zorblaxiam":  "zorblaxian", // replaced
		"zorblaxan":   "zorblaxian", // left out
		"xanthopyl":   "xanthophyl", // two of a long word
		"kubernetis":  "kubernet",   // as stemmed
		"zorblax":     "zorblaxian", // the beginning
		"krankenh":    "krankenhau", // the beginning
		"mechnic":     "mechan",     // a word without its ending
		"mechancial":  "mechan",     // swapped in the ending
		"allotmen":    "allot",      // with a part of it
		"allotmnets":  "allot",
		"zorblaxx":    "",           // what is left over is no ending
		"京":           "東京",         // a character of a pair
		"wib":         "",           // too short
		"wibbxx":      "",           // two of a short word
		"orblaxian":   "zorblaxian", // the first letter left out
		"qorblaxyan":  "",           // two with another first letter
		"doctor":      "",           // a known word is never corrected
		"zzzzzzzzzzz": "",
		"":            "",
	} {
		got := ix.Similar(index.Query{Stems: []string{analysis.Stem(word)}, Words: []string{word}}, 0.5)
		if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, want) {
			t.Errorf("%q is taken for %q, want %q", word, got, want)
		}
	}
	if got := ix.Similar(index.Query{Stems: []string{strings.Repeat("z", 30000)}}, 0); len(got) > 0 {
		t.Errorf("a wall of letters is taken for %q", got)
	}
}

// TestManyCorrections: which of many count does not depend on the order in
// which they came.
func TestManyCorrections(t *testing.T) {
	var stems []string
	for i := range 300 {
		stems = append(stems, fmt.Sprintf("zorb%03d", i))
	}
	there, back := index.New(semantics.Builtin(), nil), index.New(semantics.Builtin(), nil)
	there.Learn(stems)
	slices.Reverse(stems)
	back.Learn(stems)
	a, b := there.Similar(index.Query{Stems: []string{"zorb"}}, 0), back.Similar(index.Query{Stems: []string{"zorb"}}, 0)
	if len(a) != 16 || !slices.Equal(a, b) {
		t.Errorf("%q and %q", a, b)
	}
}

func TestOfNothing(t *testing.T) {
	ix := index.New(semantics.Builtin(), nil)
	q := index.Query{Stems: []string{"ferri"}, Vector: vectorOf("ferry")}
	if hits := ix.Search(q, 10); len(hits) > 0 || ix.Len() != 0 || ix.Last() != 0 {
		t.Errorf("%v", hits)
	}
	ix.Add([]index.Document{{Seq: 1, Text: "ferry"}, {Seq: 2, Text: "..."}, {Seq: 3, Text: "", Vector: make([]float32, 128)}})
	for _, q := range []index.Query{{}, {Stems: []string{""}}, {Vector: make([]float32, 128)}, {Vector: make([]float32, 3)},
		{Stems: []string{"ferri"}, Allowed: []int64{}}} {
		if hits := ix.Search(q, 10); len(hits) > 0 {
			t.Errorf("%+v: %+v", q, hits)
		}
	}
	if hits := ix.Search(q, 0); len(hits) > 0 {
		t.Errorf("depth 0: %v", hits)
	}
	ix.SetVector(99, vectorOf("ferry")) // not there
}
