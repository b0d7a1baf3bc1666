package recall_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// nothing is said in a memory of which the encoder knows nothing.
const nothing = "Zxqv"

// bankOf has memories without meaning to the encoder before and behind the fact.
func bankOf(t *testing.T, before, behind int) *testbank.Bank {
	t.Helper()
	b := testbank.New(t, testbank.Options{Encoder: pairs{means: map[string]int{fact: 1, reworded: 1}}})
	var texts []string
	for i := range before {
		texts = append(texts, fmt.Sprint(nothing, " ", i))
	}
	texts = append(texts, fact)
	for i := range behind {
		texts = append(texts, fmt.Sprint(nothing, " behind ", i))
	}
	keep(t, b, texts...)
	return b
}

// keep stores memories that wait for the encoder.
func keep(t *testing.T, b *testbank.Bank, texts ...string) {
	t.Helper()
	vectors, err := b.Embedder.EmbedDocuments(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	err = b.Store.Write(t.Context(), "ann", func(tx memory.Tx) error {
		for i, text := range texts {
			r := memory.Record{ID: b.IDs.New(), Agent: "ann", Kind: memory.KindFact, Category: "other", Content: text, CreatedAt: b.Clock(),
				Source: memory.SourceUser}
			if err := tx.InsertRecord(r, vectors[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// counted are stored vectors that may fail, and count what they are asked for.
type counted struct {
	recall.StoredVectors
	asked map[int64]int
	err   error
}

func (c *counted) Vectors(ctx context.Context, agent string, corpus memory.Corpus, seqs []int64) (map[int64][]float32, error) {
	if c.err != nil {
		return nil, c.err
	}
	for _, seq := range seqs {
		c.asked[seq]++
	}
	return c.StoredVectors.Vectors(ctx, agent, corpus, seqs)
}

func (c *counted) Queued(ctx context.Context, agent string, corpus memory.Corpus, limit int) ([]int64, error) {
	if c.err != nil {
		return nil, c.err
	}
	return c.StoredVectors.Queued(ctx, agent, corpus, limit)
}

// counting is recall over a bank whose stored vectors are watched; open says
// whether they can be read.
func counting(b *testbank.Bank) (s *recall.Service, c *counted, open *bool) {
	o := b.RecallOptions()
	c, open = &counted{StoredVectors: o.Encoder.Stored(), asked: map[int64]int{}}, new(bool)
	watched := *o.Encoder
	watched.Stored = func() recall.StoredVectors {
		if !*open {
			return nil
		}
		return c
	}
	o.Encoder = &watched
	return recall.New(o), c, open
}

// reaches asks until the encoder finds the fact, and fails after so many questions.
func reaches(t *testing.T, s *recall.Service, questions int) {
	t.Helper()
	for range questions {
		if found, part := firstFound(t, s); found == fact && part > 0 {
			return
		}
	}
	t.Errorf("the encoder does not find the fact within %d questions", questions)
}

// Memories that have no vector for good do not stand in the way of others, and no
// save is needed for those that came last.
func TestVectorsBehindThoseThatNeverCome(t *testing.T) {
	b := bankOf(t, 300, 20)
	s, c, open := counting(b)
	*open = true
	if _, part := firstFound(t, s); part != 0 {
		t.Fatal("found before it is encoded")
	}
	if err := b.Encode(t.Context()); err != nil {
		t.Fatal(err)
	}
	reaches(t, s, 1+321/recall.TakenAtOnce)
	firstFound(t, s)
	if len(c.asked) != 321 {
		t.Errorf("%d of 321 memories were looked for", len(c.asked))
	}
}

// Each memory is looked for once, when its vector is there; never again at each save.
func TestVectorsAreLookedForOnce(t *testing.T) {
	b := bankOf(t, 40, 0)
	s, c, open := counting(b)
	*open = true
	for i := range 5 {
		keep(t, b, fmt.Sprint(nothing, " meanwhile ", i))
		firstFound(t, s)
	}
	if len(c.asked) != 0 {
		t.Errorf("%d memories that wait were looked for", len(c.asked))
	}
	if err := b.Encode(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		firstFound(t, s)
		keep(t, b, fmt.Sprint(nothing, " later ", i))
	}
	for seq, times := range c.asked {
		if times != 1 {
			t.Errorf("memory %d was looked for %d times", seq, times)
		}
	}
	if len(c.asked) != 46 {
		t.Errorf("%d of 46 memories were looked for", len(c.asked))
	}
}

// An index that was built before the vectors could be read takes them up when they
// can, though nothing is written.
func TestIndexBeforeTheEncoder(t *testing.T) {
	b := bankOf(t, 5, 5)
	if err := b.Encode(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, _, open := counting(b)
	if _, part := firstFound(t, s); part != 0 {
		t.Fatal("there are vectors though they cannot be read")
	}
	*open = true
	reaches(t, s, 1)
}

// A vector that came out of turn, far behind what waits, is taken up when less waits.
func TestVectorsOutOfTurn(t *testing.T) {
	b := bankOf(t, 1200, 0)
	s, _, open := counting(b)
	*open = true
	firstFound(t, s)
	set, err := b.Store.VectorSet(t.Context(), pairs{}.Fingerprint())
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := set.VectorJobs(t.Context(), b.Clock(), 5000)
	if err != nil || len(jobs) != 1201 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	vector := make([]float32, 16)
	vector[1] = 1
	if err := set.FinishVectorJobs(t.Context(), jobs[1200:], [][]float32{vector}); err != nil {
		t.Fatal(err)
	}
	firstFound(t, s)
	if err := set.FinishVectorJobs(t.Context(), jobs[:300], zeros(300)); err != nil {
		t.Fatal(err)
	}
	reaches(t, s, 2+300/recall.TakenAtOnce)
}

func zeros(n int) [][]float32 {
	list := make([][]float32, n)
	for i := range list {
		list[i] = make([]float32, 16)
	}
	return list
}

// Vectors that cannot be read are done without, in an index and in the database, and
// taken up when they can be read again.
func TestVectorsThatCannotBeRead(t *testing.T) {
	b := bankOf(t, 5, 5)
	if err := b.Encode(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"index", "database"} {
		s, c, open := counting(b)
		*open, c.err = true, errors.New("no such table: vectors_2_record")
		if how == "database" {
			s.MakeRoomFor(0, 0)
		}
		for range 2 {
			a, err := s.Recall(t.Context(), recall.Request{Query: fact, Scope: memory.Scope{Agent: "ann"}})
			if err != nil || len(a.Results) == 0 || a.Results[0].Content != fact {
				t.Errorf("%s: %d results, error %v", how, len(a.Results), err)
			}
		}
		c.err = nil
		if how == "index" {
			reaches(t, s, 1)
		}
	}
}

// The encoder's vectors count for what an index takes. Where there is no room for
// them an index goes without.
func TestRoomForVectors(t *testing.T) {
	b := bankOf(t, 5, 5)
	if err := b.Encode(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := recall.New(b.RecallOptions())
	s.MakeRoomForEncoded(1, 11)
	reaches(t, s, 1)
	s = recall.New(b.RecallOptions())
	s.MakeRoomForEncoded(1, 10)
	if _, part := firstFound(t, s); part != 0 || s.Indexed() != 1 {
		t.Errorf("with too little room %d indexes, of which the encoder has %g", s.Indexed(), part)
	}
	s = recall.New(b.RecallOptions())
	s.MakeRoomFor(2, 22)
	if _, part := firstFound(t, s); part == 0 {
		t.Error("room for two small indexes is too little for one with the encoder")
	}
	if _, err := s.Recall(t.Context(), recall.Request{Query: reworded, Scope: memory.Scope{Agent: "bob"}}); err != nil ||
		s.HasIndex("ann") {
		t.Errorf("beside another index it stays: %v, error %v", s.HasIndex("ann"), err)
	}
}
