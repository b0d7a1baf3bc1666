package recall

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/salience"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
)

// shelf is a store of made-up documents, from which some have been taken away
// since the index was made. It notes what is read.
type shelf struct {
	Store
	docs []memory.Document
	gone map[int64]bool
	read [][]int64
}

func (s *shelf) Changes(context.Context, string) (memory.Changes, error) {
	return memory.Changes{Writes: 1, Rewrites: 1}, nil
}

// Apart knows of nothing undone.
func (s *shelf) CountRecords(context.Context, string, memory.Kind) (int, error) { return 0, nil }

func (s *shelf) Apart(context.Context, string, []string) (memory.Apart, error) { return nil, nil }

// FactsBySlot finds nobody.
func (s *shelf) FactsBySlot(context.Context, string, []string, []uint64) ([]memory.Document, error) {
	return nil, nil
}

func (s *shelf) Statistics(context.Context, string, memory.Corpus, []string) (memory.Statistics, error) {
	return memory.Statistics{Documents: len(s.docs)}, nil
}

func (s *shelf) After(_ context.Context, _ memory.Corpus, _ string, seq int64, _ int) (docs []memory.Document, err error) {
	for _, d := range s.docs {
		if d.Seq > seq {
			docs = append(docs, d)
		}
	}
	return docs, nil
}

func (s *shelf) passes(d memory.Document, f memory.Filter) bool {
	return !s.gone[d.Seq] && (len(f.Kinds) == 0 || slices.Contains(f.Kinds, d.Kind))
}

func (s *shelf) Select(_ context.Context, _ memory.Corpus, f memory.Filter) (seqs []int64, err error) {
	for _, d := range s.docs {
		if s.passes(d, f) {
			seqs = append(seqs, d.Seq)
		}
	}
	return seqs, nil
}

func (s *shelf) Newest(ctx context.Context, c memory.Corpus, f memory.Filter, before int64, limit int) ([]int64, error) {
	seqs, err := s.Select(ctx, c, f)
	seqs = slices.DeleteFunc(seqs, func(seq int64) bool { return before > 0 && seq >= before })
	return seqs[max(0, len(seqs)-limit):], err
}

func (s *shelf) Documents(_ context.Context, _ memory.Corpus, f memory.Filter, seqs []int64) (docs []memory.Document, err error) {
	s.read = append(s.read, seqs)
	for _, d := range s.docs {
		if slices.Contains(seqs, d.Seq) && s.passes(d, f) {
			docs = append(docs, d)
		}
	}
	slices.Reverse(docs) // in no particular order
	return docs, nil
}

// service answers from the shelf by words alone.
func (s *shelf) service() *Service {
	return New(Options{
		Store: s, Table: semantics.Builtin, Embedder: wordless{}, Categories: taxonomy.New(memory.DefaultCategories(), semantics.Builtin),
		Salience: salience.Default(), Tokens: letters{}, Clock: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler),
		Recalled: func(memory.Scope, []string) {},
	})
}

// wordless is an embedder that knows no word.
type wordless struct{ memory.Embedder }

func (wordless) EmbedQuery(context.Context, string) ([]float32, error) { return nil, nil }
func (wordless) EmbedDocuments(_ context.Context, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}
func (wordless) Local() bool { return true }

func seqsOf(list []*candidate) (seqs []int64) {
	for _, c := range list {
		seqs = append(seqs, c.Document.Seq)
	}
	return seqs
}

// Hits are ordered by relevance, equals by their number, and numbered by words
// and by vector alone.
func TestBest(t *testing.T) {
	hits := []index.Hit{
		{Seq: 1, Lexical: 0.2, Vector: 0.9},
		{Seq: 2, Soft: 0.8},
		{Seq: 3, Soft: 0.8},
		{Seq: 4, Lexical: 0.9, Vector: -0.5},
		{Seq: 5, Lexical: 0.4, Vector: 0.2, Soft: 1},
	}
	type row struct {
		seq          int64
		text, vector int
	}
	want := []row{{5, 2, 2}, {2, 0, 0}, {3, 0, 0}, {1, 3, 1}, {4, 1, 0}}
	for range hits {
		hits = append(hits[1:], hits[0])
		var got []row
		for _, one := range bestOf(question{}, memory.Memories, slices.Clone(hits)) {
			got = append(got, row{one.Seq, one.textRank, one.vectorRank})
		}
		if !slices.Equal(got, want) {
			t.Errorf("ranked %v, want %v", got, want)
		}
	}
	if got := bestOf(question{}, memory.Memories, nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func bestOf(q question, c memory.Corpus, hits []index.Hit) []*weighedHit {
	all := new(Service).weighed(q, c, hits)
	noteRanks(all)
	best, _ := q.best(all)
	return best
}

// Where words found little and the table knows the question's, the vector
// counts more and the words less: by the best coverage of any, and by the share
// of the stems that are known.
func TestMeaningFillsInForWords(t *testing.T) {
	byVector, byWords := index.Hit{Seq: 1, Vector: 0.5}, index.Hit{Seq: 2, Lexical: 1, Soft: 1, Best: 1}
	relevance := func(covered, known float64, c memory.Corpus, seq int64) float64 {
		list := bestOf(question{known: known}, c, []index.Hit{byVector, byWords, {Seq: 3, Coverage: covered}})
		return list[slices.IndexFunc(list, func(r *weighedHit) bool { return r.Seq == seq })].relevance
	}
	w := recordWeights
	for _, row := range []struct{ covered, known, vector, words float64 }{
		{0, 1, 1 + w.Meaning, 1 - w.Yield},
		{0.5, 1, 1 + w.Meaning/8, 1 - w.Yield/2},
		{0, 0.5, 1 + w.Meaning/4, 1 - w.Yield/4},
		{0, 0, 1, 1},
		{1, 1, 1, 1},
	} {
		if got, want := relevance(row.covered, row.known, memory.Memories, 1),
			w.Vector*byVector.Vector*row.vector/w.Scale; !near(got, want) {
			t.Errorf("coverage %v, known %v: the vector gives %v, want %v", row.covered, row.known, got, want)
		}
		words := (w.Lexical + w.Soft + w.Best) * row.words / w.Scale
		if got := relevance(row.covered, row.known, memory.Memories, 2); !near(got, words) {
			t.Errorf("coverage %v, known %v: words give %v, want %v", row.covered, row.known, got, words)
		}
	}
	for _, seq := range []int64{1, 2} {
		if a, b := relevance(0, 1, memory.Conversations, seq), relevance(1, 1, memory.Conversations, seq); !near(a, b) {
			t.Errorf("in conversations %d counts %v and %v", seq, a, b)
		}
	}
}

// Thirty are read, or three for each result wanted, and the one that covers the
// question best in any case.
func TestBestReadsEnough(t *testing.T) {
	var hits []index.Hit
	for i := range 200 {
		hits = append(hits, index.Hit{Seq: int64(i + 1), Soft: 1 - float64(i)/1000})
	}
	covering := index.Hit{Seq: 999, Coverage: 0.01}
	for _, c := range []struct{ limit, want int }{{1, 30}, {10, 30}, {17, 51}, {60, 180}, {100, 200}} {
		got := bestOf(question{Request: Request{Limit: c.limit}}, memory.Memories, hits)
		if len(got) != c.want || got[0].Seq != 1 || got[c.want-1].Seq != int64(c.want) {
			t.Errorf("limit %d: %d hits from %d on", c.limit, len(got), got[0].Seq)
		}
		if c.want == len(hits) {
			continue
		}
		got = bestOf(question{Request: Request{Limit: c.limit}}, memory.Memories, append(slices.Clone(hits), covering))
		if len(got) != c.want+1 || got[c.want].Seq != covering.Seq {
			t.Errorf("limit %d: %d hits, the last is %d", c.limit, len(got), got[len(got)-1].Seq)
		}
	}
}

// Each kind of text has its weights, and an ablation leaves a signal out.
func TestWeightsOf(t *testing.T) {
	const people, assistant = false, true
	for name, c := range map[string]struct {
		assisted bool
		corpus   memory.Corpus
		asks     bool
		without  []string
		want     func() Weights
	}{
		"a record":            {people, memory.Memories, false, nil, func() Weights { return recordWeights }},
		"a passage":           {people, memory.Workspace, false, nil, func() Weights { w := recordWeights; w.Meaning = 2; return w }},
		"people":              {people, memory.Conversations, false, nil, func() Weights { return dialogueWeights }},
		"an assistant":        {assistant, memory.Conversations, false, nil, func() Weights { return assistedWeights }},
		"what it said itself": {assistant, memory.Conversations, true, nil, func() Weights { w := assistedWeights; w.User = 0; return w }},
		"without vectors": {people, memory.Memories, false, []string{"vector"},
			func() Weights { w := recordWeights; w.Vector = 0; return w }},
		"without time, length": {people, memory.Conversations, false, []string{"time", "length"},
			func() Weights { w := dialogueWeights; w.Time, w.Dated, w.Short = 0, 0, 0; return w }},
	} {
		s := &Service{without: c.without}
		if got := s.weightsOf(question{asksAssistant: c.asks}, c.assisted, c.corpus); got != c.want() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What was forgotten since the index was made is neither there nor does it
// count for what is: the others are ranked, and more of them read, without it.
func TestLoadLeavesOutWhatIsGone(t *testing.T) {
	var s shelf
	var hits []index.Hit
	for i := range 60 {
		seq := int64(i + 1)
		s.docs = append(s.docs, memory.Document{Seq: seq,
			Record: memory.Record{Content: fmt.Sprint("n", i), Category: []string{"health", "project"}[i%2]}})
		hits = append(hits, index.Hit{Seq: seq, Lexical: 1 - float64(i)/100, Coverage: 1 - float64(i)/100})
	}
	s.gone = map[int64]bool{1: true, 4: true}
	q := question{Request: Request{Limit: 1, Explain: true},
		categories: []taxonomy.Score{{Name: "project", Score: 0.9}, {Name: "health", Score: 0.1}}}
	found, err := s.service().load(t.Context(), q, memory.Memories, nil, hits)
	if err != nil || len(found) != 30 || len(s.read) != 2 || !slices.Equal(s.read[1], []int64{31, 32}) {
		t.Fatalf("%d found, read %v, %v", len(found), s.read, err)
	}
	for i, c := range found {
		want := TierFlat // a category that does not fit is none
		if c.Category == "project" {
			want = TierCategory
		}
		if s.gone[c.Document.Seq] || c.Content != fmt.Sprint("n", c.Document.Seq-1) || c.tier != want || c.textRank != i+1 {
			t.Errorf("place %d: %d %q, tier %s, text rank %d", i, c.Document.Seq, c.Content, c.tier, c.textRank)
		}
	}
}

// Where the filter lets little through, candidates are chosen among what it
// lets through.
func TestGatherUnderAFilter(t *testing.T) {
	var s shelf
	for i := range 400 {
		kind := memory.KindFact
		if i >= 390 {
			kind = memory.KindProcedure
		}
		// The procedures are much longer, and so not among the best of all.
		content := "the ferry"
		if kind == memory.KindProcedure {
			content += " to the library, the garden, the bakery, the clinic and the museum"
		}
		s.docs = append(s.docs, memory.Document{Seq: int64(i + 1), Record: memory.Record{Kind: kind, Content: content}})
	}
	service := s.service()
	gather := func(kinds ...memory.Kind) []int64 {
		q, err := service.understand(t.Context(), Request{Query: "ferry", Filter: memory.Filter{Kinds: kinds}})
		if err != nil {
			t.Fatal(err)
		}
		found, err := service.gather(t.Context(), q, memory.Memories)
		if err != nil {
			t.Fatal(err)
		}
		return seqsOf(found)
	}
	if got := gather(); len(got) != 30 || got[0] != 1 || got[29] != 30 {
		t.Errorf("without a filter %v", got)
	}
	if got := gather(memory.KindProcedure); len(got) != 10 || slices.Min(got) != 391 {
		t.Errorf("procedures %v", got)
	}
	if got := gather(memory.KindDiary); len(got) != 0 {
		t.Errorf("diary %v", got)
	}
}
