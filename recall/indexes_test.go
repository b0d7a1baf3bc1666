package recall_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

func found(t *testing.T, s *recall.Service, query, content string) bool {
	t.Helper()
	return slices.Contains(contents(ask(t, s, query)), content)
}

// TestWhatOthersWrite: the index follows the file, whoever changes it.
func TestWhatOthersWrite(t *testing.T) {
	b := newBank(t, builtin())
	first := b.record("Anna has a boat in the harbour.")
	b.save(t, b, first)
	s, other := b.service(b), b.open(t)
	if !found(t, s, "Anna's boat", first.Content) {
		t.Fatal("not found to begin with")
	}
	second := b.record("Boris repairs tractors in Lyon.")
	b.save(t, other, second)
	if !found(t, s, "Who repairs tractors?", second.Content) {
		t.Error("a new record was not seen")
	}
	err := other.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.EraseRecord(first.ID) })
	if err != nil {
		t.Fatal(err)
	}
	if found(t, s, "Anna's boat", first.Content) {
		t.Error("an erased record is still there")
	}
	if err := same(ask(t, s, "boat tractor"), ask(t, b.service(b), "boat tractor")); err != nil {
		t.Errorf("after an erasure: %v", err)
	}
	turn := memory.Turn{ID: b.ids.New(), Agent: "ann", Session: "s", Speaker: "Carla", Content: "The clinic moved to Ghent.",
		SaidAt: b.clock(), CreatedAt: b.clock()}
	err = other.Write(t.Context(), "ann", func(tx memory.Tx) error {
		_, err := tx.InsertTurns([]memory.Turn{turn}, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	said := ask(t, s, "Where did the clinic move?", func(r *recall.Request) { r.Corpora = []memory.Corpus{memory.Conversations} })
	if len(said) != 1 || said[0].Content != turn.Content {
		t.Errorf("turns found: %q", contents(said))
	}
}

func TestWhatIsSetAsideIsGoneAtOnce(t *testing.T) {
	for name, edit := range map[string]func(*memory.Record){
		"archived":  func(r *memory.Record) { r.ArchivedAt = start },
		"corrected": func(r *memory.Record) { r.SupersededBy, r.SupersededAt = "another", start },
	} {
		b := newBank(t, builtin())
		gone := b.record("Anna has a boat in the harbour.")
		b.save(t, b, gone, b.record("Boris repairs boats."))
		for path, s := range map[string]*recall.Service{"index": b.service(b), "database": b.fallback()} {
			b.change(t, gone.ID, func(r *memory.Record) { r.ArchivedAt, r.SupersededBy, r.SupersededAt = time.Time{}, "", time.Time{} })
			if !found(t, s, "boat", gone.Content) {
				t.Fatalf("%s, %s: not found to begin with", name, path)
			}
			b.change(t, gone.ID, edit)
			if found(t, s, "boat", gone.Content) {
				t.Errorf("%s, %s: still found", name, path)
			}
		}
	}
}

// TestForgottenWhileTheIndexIsRenewed: a large bank's index is made anew
// in the background, and the old one must not show what is gone.
func TestForgottenWhileTheIndexIsRenewed(t *testing.T) {
	b := newBank(t, builtin())
	gone, stays := b.record("Anna has a boat in the harbour."), b.record("Boris repairs boats.")
	b.save(t, b, gone, stays)
	s := b.service(b)
	s.IndexAtOnce(-1)
	until(t, "the index is built", func() bool { return found(t, s, "boat", gone.Content) && s.Indexed() == 1 })
	err := b.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.EraseRecord(gone.ID) })
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if found(t, s, "boat", gone.Content) || !found(t, s, "boat", stays.Content) {
			t.Fatal("erased and found, or kept and not found")
		}
	}
	until(t, "the index is the new one", func() bool {
		return same(ask(t, s, "boat"), ask(t, b.service(b), "boat")) == nil
	})
}

// until polls, which the services drive: each question looks for the index.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not in 20 s", what)
		}
	}
}

func TestBuiltInBackground(t *testing.T) {
	b := newBank(t, builtin())
	b.save(t, b, b.record("Anna has a boat in the harbour."))
	s := b.service(b)
	s.IndexAtOnce(0)
	until(t, "the index is ready", func() bool {
		if got := ask(t, s, "Anna's boat"); len(got) != 1 {
			t.Fatalf("found %q meanwhile", contents(got))
		}
		return s.Indexed() == 1
	})
}

// TestAnswersWithoutAnIndex: a build that fails is tried again, and every
// question is answered from the database.
func TestAnswersWithoutAnIndex(t *testing.T) {
	b := newBank(t, builtin())
	b.save(t, b, b.record("Anna has a boat in the harbour."))
	broken := &unreadable{Store: b.Store}
	s := b.service(broken)
	s.IndexAtOnce(0)
	until(t, "it was tried again", func() bool {
		if got := ask(t, s, "Anna's boat"); len(got) != 1 {
			t.Fatalf("found %q", contents(got))
		}
		return broken.tried.Load() > 1
	})
	if s.Indexed() != 0 {
		t.Error("there is an index of nothing")
	}
}

func TestDroppedWhenIdle(t *testing.T) {
	b := newBank(t, builtin())
	b.save(t, b, b.record("Anna has a boat."))
	s := b.service(b)
	ask(t, s, "boat")
	ask(t, s, "boat", func(r *recall.Request) { r.Corpora = memory.Corpora() })
	if s.Indexed() != 2 {
		t.Fatalf("%d indexes", s.Indexed())
	}
	b.pass(10 * time.Minute)
	ask(t, s, "boat")
	s.SweepsAgain() // now it is the test that sweeps
	s.Sweep()
	if s.Indexed() != 2 || !s.SweepsAgain() {
		t.Error("dropped too soon, or never")
	}
	b.pass(10 * time.Minute)
	s.Sweep()
	if s.Indexed() != 1 {
		t.Errorf("%d indexes, of which one was used", s.Indexed())
	}
	s.SweepsAgain()
	b.pass(time.Hour)
	s.Sweep()
	if s.SweepsAgain() {
		t.Error("it sweeps on where nothing is left")
	}
	if s.Indexed() != 0 || len(ask(t, s, "boat")) != 1 || s.Indexed() != 1 {
		t.Error("not dropped, or not made again")
	}
}

// remote is an embedder that is not local: vectors come later.
type remote struct{}

func (remote) Fingerprint() memory.Fingerprint {
	return memory.Fingerprint{Model: "remote", Dimensions: 192}
}

func (remote) EmbedDocuments(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = semantics.Builtin().TextVector(analysis.Stems(text), nil)
	}
	return vectors, nil
}

func (r remote) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	v, err := r.EmbedDocuments(ctx, []string{query})
	return v[0], err
}

func (remote) Local() bool { return false }

func TestVectorsThatComeLate(t *testing.T) {
	b, random := newBank(t, remote{}), rand.New(rand.NewPCG(4, 4))
	for i := range 30 {
		b.save(t, b, b.record(sentence(random, i)))
	}
	s := b.service(b)
	vectors := func() (n int) {
		for _, r := range ask(t, s, "Where is the doctor?", func(r *recall.Request) { r.Explain = true }) {
			if r.Why.VectorScore != 0 {
				n++
			}
		}
		return n
	}
	if n := vectors(); n > 0 {
		t.Fatalf("%d vectors before any was made", n)
	}
	for round := range 3 {
		jobs, err := b.VectorJobs(t.Context(), b.clock(), 10)
		if err != nil || len(jobs) != 10 {
			t.Fatalf("%d jobs, %v", len(jobs), err)
		}
		made := make([][]float32, len(jobs))
		for i, j := range jobs {
			one, _ := remote{}.EmbedDocuments(t.Context(), []string{j.Content})
			made[i] = one[0]
		}
		if err := b.FinishVectorJobs(t.Context(), jobs, made); err != nil {
			t.Fatal(err)
		}
		if n := vectors(); n < 10*round+5 {
			t.Errorf("round %d: %d results have a vector", round, n)
		}
		if err := same(ask(t, s, "Where is the doctor?"), ask(t, b.service(b), "Where is the doctor?")); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
}

// TestTogether asks and writes at the same time.
func TestTogether(t *testing.T) {
	b := newBank(t, builtin())
	s := b.service(b)
	s.IndexAtOnce(20) // grows from the one kind into the other
	done := make(chan error, 3)
	for worker := range 3 {
		go func() {
			random := rand.New(rand.NewPCG(7, uint64(worker)))
			for range 15 {
				_, err := s.Recall(t.Context(),
					recall.Request{Query: questions[random.IntN(len(questions))], Scope: memory.Scope{Agent: "ann"}})
				if err != nil {
					done <- fmt.Errorf("recall: %w", err)
					return
				}
			}
			done <- nil
		}()
	}
	random := rand.New(rand.NewPCG(7, 7))
	var last string
	for i := range 60 {
		r := b.record(sentence(random, i))
		b.save(t, b, r)
		if i%10 == 9 {
			err := b.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.EraseRecord(last) })
			if err != nil {
				t.Fatal(err)
			}
		}
		last = r.ID
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestIndexesGiveWay: however many banks are asked, no more indexes are kept than there is
// room for, and those stay that were asked last.
func TestIndexesGiveWay(t *testing.T) {
	b := newBank(t, builtin())
	s := b.service(b)
	s.MakeRoomFor(3, 3)
	ask := func(agent string) {
		t.Helper()
		b.pass(time.Second)
		got, err := s.Recall(t.Context(), recall.Request{Query: "Where is the boat?", Scope: memory.Scope{Agent: agent}})
		if err != nil || len(got.Results) != 1 {
			t.Errorf("%s: %+v, %v", agent, got, err)
		}
	}
	for n := range 6 {
		r := b.record(fmt.Sprintf("The boat lies at quay %d.", n))
		r.Agent = fmt.Sprint("agent", n)
		if err := b.Write(t.Context(), r.Agent, func(tx memory.Tx) error { return tx.InsertRecord(r, nil) }); err != nil {
			t.Fatal(err)
		}
		ask(r.Agent)
		if got := s.Indexed(); got != min(n+1, 3) {
			t.Errorf("%d indexes after %d banks", got, n+1)
		}
		ask("agent0") // so that it stays
	}
	for agent, want := range map[string]bool{"agent0": true, "agent5": true, "agent1": false, "agent3": false} {
		if got := s.HasIndex(agent); got != want {
			t.Errorf("an index of %s: %v", agent, got)
		}
	}
	// One that has no room by itself displaces none.
	s.MakeRoomFor(0, 3)
	before := s.Indexed()
	ask("agent3")
	if got := s.Indexed(); got != before {
		t.Errorf("%d indexes, then %d", before, got)
	}
}
