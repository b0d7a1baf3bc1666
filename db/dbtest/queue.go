package dbtest

import (
	"slices"
	"sync"
	"testing"

	"mcp-memory/memory"
)

var queueTests = map[string]func(*testing.T, *env){
	"until searchable":       untilSearchable,
	"deferred":               deferred,
	"of a changed embedder":  changedEmbedder,
	"jobs that are obsolete": obsoleteJobs,
	"refuses bad vectors":    badVectors,
	"a second set":           secondSet,
	"sets beside writes":     setsOpenedBesideWrites,
	"a set in use":           setInUse,
}

// jobs returns the vector jobs that are due inDays days after start.
func (e *env) jobs(t *testing.T, inDays int) []memory.VectorJob {
	t.Helper()
	jobs, err := e.VectorJobs(t.Context(), day(inDays), 100)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func contents(jobs []memory.VectorJob) (texts []string) {
	for _, j := range jobs {
		texts = append(texts, j.Content)
	}
	return texts
}

// finish finishes the jobs, all with the same vector.
func (e *env) finish(t *testing.T, jobs []memory.VectorJob, v []float32) {
	t.Helper()
	vectors := make([][]float32, len(jobs))
	for i := range vectors {
		vectors[i] = v
	}
	if err := e.FinishVectorJobs(t.Context(), jobs, vectors); err != nil {
		t.Fatal(err)
	}
}

func (e *env) wantNearest(t *testing.T, c memory.Corpus, question []float32, want ...string) {
	t.Helper()
	hits, err := e.NearestVectors(t.Context(), c, memory.Filter{Agent: agent}, question, 10)
	got := e.names(t, c, agent, hits, err)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("nearest in %s: %q, want %q", c, got, want)
	}
}

func untilSearchable(t *testing.T, e *env) {
	e.save(t, nil, e.record("one"), e.record("two"))
	e.say(t, e.turn("three"))
	jobs := e.jobs(t, 1)
	if got := contents(jobs); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Fatalf("jobs %q", got)
	}
	if j := jobs[2]; j.Agent != agent || j.Corpus != memory.Conversations || j.Attempts != 0 {
		t.Errorf("job %+v", j)
	}
	if few, err := e.VectorJobs(t.Context(), day(1), 2); len(few) != 2 || err != nil {
		t.Errorf("two of three: %v, %v", few, err)
	}
	e.wantNearest(t, memory.Memories, towards(1))
	e.reopen(t, Fingerprint)
	e.finish(t, jobs, towards(1))
	e.finish(t, jobs, towards(-1)) // by another worker, too late
	e.wantNearest(t, memory.Memories, towards(1), "one", "two")
	e.wantNearest(t, memory.Conversations, towards(1), "three")
	vectors, err := e.Vectors(t.Context(), agent, memory.Memories, []int64{jobs[0].Seq})
	if err != nil || !slices.Equal(vectors[jobs[0].Seq], towards(1)) {
		t.Errorf("vector %v, %v", vectors, err)
	}
	if rest := e.jobs(t, 1); len(rest) != 0 {
		t.Errorf("left: %v", rest)
	}
}

func deferred(t *testing.T, e *env) {
	e.save(t, nil, e.record("one"), e.record("two"))
	for attempt := 1; attempt <= 2; attempt++ {
		due := e.jobs(t, attempt)
		if err := e.DeferVectorJobs(t.Context(), due[:1], day(attempt+1), "it did not answer"); err != nil {
			t.Fatal(err)
		}
		if got := contents(e.jobs(t, attempt)); !slices.Equal(got, []string{"two"}) {
			t.Errorf("due after deferral %d: %q", attempt, got)
		}
		if later := e.jobs(t, attempt+1); len(later) != 2 || later[0].Attempts != attempt {
			t.Errorf("due the day after: %+v", later)
		}
	}
	if n, err := e.VectorBacklog(t.Context()); n != 2 || err != nil {
		t.Errorf("backlog %d, %v", n, err)
	}
	if stats, err := e.Stats(t.Context(), agent); stats.VectorsQueued != 2 || stats.VectorsFailed != 1 || err != nil {
		t.Errorf("statistics %+v, %v", stats, err)
	}
}

func changedEmbedder(t *testing.T, e *env) {
	second := memory.Fingerprint{Model: "dbtest/second", Dimensions: 5}
	question := []float32{1, 0, 0, 0, 0}
	e.save(t, towards(1), e.record("old"))
	e.say(t, e.turn("said"))

	e.reopen(t, second)
	e.wantNearest(t, memory.Memories, question)
	if got := contents(e.jobs(t, 1)); !slices.Equal(got, []string{"old", "said"}) {
		t.Errorf("queued for the second: %q", got)
	}
	hits, err := e.MatchWords(t.Context(), memory.Memories, memory.Filter{Agent: agent}, []string{"old"}, 5)
	if len(hits) != 1 || err != nil {
		t.Errorf("words meanwhile: %v, %v", hits, err)
	}
	gone := e.record("gone")
	e.save(t, question, e.record("new"))
	e.save(t, question, gone)
	e.finish(t, e.jobs(t, 1), question)
	e.wantNearest(t, memory.Memories, question, "gone", "new", "old")
	e.write(t, func(tx memory.Tx) error { return tx.EraseRecord(gone.ID) })

	e.reopen(t, Fingerprint)
	e.wantNearest(t, memory.Memories, towards(1), "old")
	if got := contents(e.jobs(t, 1)); !slices.Equal(got, []string{"new", "said"}) {
		t.Errorf("queued for the first: %q", got)
	}
	e.finish(t, e.jobs(t, 1), towards(1))
	e.wantNearest(t, memory.Memories, towards(1), "new", "old")

	e.reopen(t, second)
	e.wantNearest(t, memory.Memories, question, "new", "old")
	stats, err := e.Stats(t.Context(), agent)
	if err != nil || stats.Embedder != second.String() || stats.Vectors != 3 || stats.VectorsQueued != 0 {
		t.Errorf("stats %+v, %v", stats, err)
	}
}

func obsoleteJobs(t *testing.T, e *env) {
	r := e.record("one")
	e.save(t, nil, r)
	jobs := e.jobs(t, 1)
	e.write(t, func(tx memory.Tx) error { return tx.EraseRecord(r.ID) })
	before := bankState(t, e)
	e.finish(t, jobs, towards(1))
	if err := e.DeferVectorJobs(t.Context(), jobs, day(1), "late"); err != nil {
		t.Error(err)
	}
	if after := bankState(t, e); after != before {
		t.Errorf("the bank changed\n from %s\n   to %s", before, after)
	}
}

func badVectors(t *testing.T, e *env) {
	e.save(t, nil, e.record("one"), e.record("two"))
	jobs := e.jobs(t, 1)
	for name, vectors := range map[string][][]float32{
		"too few":      {towards(1)},
		"a wrong size": {towards(1), {1, 0}},
		"none":         {towards(1), nil},
	} {
		if err := e.FinishVectorJobs(t.Context(), jobs, vectors); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if rest := e.jobs(t, 1); len(rest) != 2 {
			t.Errorf("%s: %d jobs left", name, len(rest))
		}
		e.wantNearest(t, memory.Memories, towards(1))
	}
}

// setsOpenedBesideWrites opens a vector set repeatedly while records are saved, as a server does
// daily.
func setsOpenedBesideWrites(t *testing.T, e *env) {
	second := memory.Fingerprint{Model: memory.EncoderModels + "dbtest", Dimensions: 3}
	var opening sync.WaitGroup
	for range 4 {
		opening.Go(func() {
			for range 100 {
				if _, err := e.VectorSet(t.Context(), second); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 50 {
		e.save(t, towards(1), e.record("written meanwhile"))
	}
	opening.Wait()
}

// secondSet opens a second vector set: existing documents are queued for it, memories before turns,
// and its vectors are apart from the store's own.
func secondSet(t *testing.T, e *env) {
	ctx := t.Context()
	vector := []float32{0, 0, 0, 0, 0, 0, 0, 1}
	e.save(t, vector, e.record("before"))
	e.say(t, e.turn("a turn before"))
	if s, err := e.Stats(ctx, agent); err != nil || s.Encoded+s.EncoderQueued != 0 {
		t.Errorf("without a set: %d encoded, %d queued, error %v", s.Encoded, s.EncoderQueued, err)
	}
	second := memory.Fingerprint{Model: memory.EncoderModels + "dbtest", Dimensions: 3}
	set, err := e.VectorSet(ctx, second)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := e.VectorSet(ctx, second); err != nil {
		t.Fatal(err)
	} else if n, err := again.VectorBacklog(ctx); n != 2 || err != nil {
		t.Errorf("opened again: %d wait, error %v", n, err)
	}
	e.save(t, vector, e.record("after"))
	e.say(t, e.turn("a turn after", func(t *memory.Turn) { t.Role, t.Speaker = memory.RoleAssistant, "Ann" }))
	jobs, err := set.VectorJobs(ctx, day(1), 100)
	if got := contents(jobs); err != nil || !slices.Equal(got, []string{"before", "after", "a turn before", "a turn after"}) {
		t.Fatalf("in the second queue: %q, error %v", got, err)
	}
	for c, want := range map[memory.Corpus][]string{memory.Memories: {"before", "after"},
		memory.Conversations: {"a turn before", "a turn after"}} {
		if of, err := set.VectorJobs(ctx, day(1), 100, c); err != nil || !slices.Equal(contents(of), want) {
			t.Errorf("%s in the second queue: %q, error %v", c, contents(of), err)
		}
	}
	seqs := []int64{jobs[0].Seq, jobs[1].Seq}
	turns := jobs[2:]
	if turns[0].People || !turns[1].People || jobs[0].People {
		t.Errorf("said among people: %+v", jobs)
	}
	jobs = jobs[:2]
	if got, err := set.Queued(ctx, agent, memory.Conversations, 5); err != nil || !slices.Equal(got, []int64{turns[0].Seq, turns[1].Seq}) {
		t.Errorf("turns in the queue: %v, error %v", got, err)
	}
	if err := set.FinishVectorJobs(ctx, turns, [][]float32{{0, 1, 0}, {0, 0, 0}}); err != nil {
		t.Fatal(err)
	}
	if v, err := set.Vectors(ctx, agent, memory.Conversations, []int64{turns[0].Seq, turns[1].Seq}); err != nil || len(v) != 1 ||
		!slices.Equal(v[turns[0].Seq], []float32{0, 1, 0}) {
		t.Errorf("of turns the second set has %v, error %v", v, err)
	}
	wantQueued(t, set, seqs...)
	changed := e.changes(t, agent)
	if err := set.FinishVectorJobs(ctx, jobs[:1], [][]float32{{1, 0, 0}}); err != nil {
		t.Fatal(err)
	}
	if now := e.changes(t, agent); now.Writes == changed.Writes {
		t.Error("a cache does not notice the vector")
	}
	if err := set.FinishVectorJobs(ctx, jobs[1:], [][]float32{{1, 0}}); err == nil {
		t.Error("a vector of other dimensions is taken")
	}
	if err := set.DeferVectorJobs(ctx, jobs[1:], day(5), "later"); err != nil {
		t.Fatal(err)
	}
	if waiting, err := set.VectorJobs(ctx, day(1), 100); len(waiting) != 0 || err != nil {
		t.Errorf("deferred, and %q waits, error %v", contents(waiting), err)
	}
	wantQueued(t, set, seqs[1]) // deferred is queued
	vectors, err := set.Vectors(ctx, agent, memory.Memories, seqs)
	if err != nil || len(vectors) != 1 || !slices.Equal(vectors[jobs[0].Seq], []float32{1, 0, 0}) {
		t.Errorf("the second set has %v, error %v", vectors, err)
	}
	own, err := e.Vectors(ctx, agent, memory.Memories, seqs)
	if err != nil || len(own) != 2 || !slices.Equal(own[jobs[0].Seq], vector) {
		t.Errorf("the store's own set has %v, error %v", own, err)
	}
	if n, err := e.VectorBacklog(ctx); n != 2 || err != nil { // the two turns
		t.Errorf("%d wait for the store's own embedder, error %v", n, err)
	}
	if s, err := e.Stats(ctx, agent); err != nil || s.Encoded != 1 || s.EncoderQueued != 1 || s.Vectors != 2 || s.VectorsQueued != 2 {
		t.Errorf("stats: %+v, error %v", s, err)
	}
}

// wantQueued checks which memories of ann's bank are queued in a set, for several limits.
func wantQueued(t *testing.T, set memory.VectorSet, want ...int64) {
	t.Helper()
	for limit := range 4 {
		got, err := set.Queued(t.Context(), agent, memory.Memories, limit)
		if err != nil || !slices.Equal(got, want[:min(limit, len(want))]) {
			t.Errorf("the first %d in the queue: %v of %v, error %v", limit, got, want, err)
		}
	}
	for name, c := range map[string]memory.Corpus{agent: memory.Conversations, "nobody": memory.Memories} {
		if got, err := set.Queued(t.Context(), name, c, 5); len(got) != 0 || err != nil {
			t.Errorf("%s of %s in the queue: %v, error %v", c, name, got, err)
		}
	}
}

// setInUse opens two vector sets daily for 40 days: both must stay, also when a store with a third
// embedder is opened then. A set that is not opened for a month is dropped, and created anew when
// it is opened again.
func setInUse(t *testing.T, e *env) {
	second := memory.Fingerprint{Model: memory.EncoderModels + "dbtest", Dimensions: 3}
	e.save(t, towards(1), e.record("before"))
	days := func(n int, opened ...memory.Fingerprint) (set memory.VectorSet) {
		t.Helper()
		for range n {
			e.mu.Lock()
			e.now = e.now.AddDate(0, 0, 1)
			e.mu.Unlock()
			for _, f := range opened {
				var err error
				if set, err = e.VectorSet(t.Context(), f); err != nil {
					t.Fatal(err)
				}
			}
		}
		return set
	}
	set := days(1, Fingerprint, second)
	jobs, err := set.VectorJobs(t.Context(), e.clock(), 5)
	if err != nil || len(jobs) != 1 {
		t.Fatalf("jobs %v, error %v", jobs, err)
	}
	if err := set.FinishVectorJobs(t.Context(), jobs, [][]float32{{1, 0, 0}}); err != nil {
		t.Fatal(err)
	}
	days(40, Fingerprint, second)
	e.another(t, memory.Fingerprint{Model: "dbtest/third", Dimensions: 4})
	if vectors, err := set.Vectors(t.Context(), agent, memory.Memories, []int64{jobs[0].Seq}); err != nil || len(vectors) != 1 {
		t.Errorf("in use for 40 days, the set has %v, error %v", vectors, err)
	}
	e.wantNearest(t, memory.Memories, towards(1), "before")

	days(31, Fingerprint)
	e.another(t, memory.Fingerprint{Model: "dbtest/fourth", Dimensions: 4})
	if vectors, err := set.Vectors(t.Context(), agent, memory.Memories, []int64{jobs[0].Seq}); err == nil && len(vectors) > 0 {
		t.Errorf("not in use for 31 days, the set has %v", vectors)
	}
	e.save(t, towards(1), e.record("meanwhile"))
	jobs, err = days(1, second).VectorJobs(t.Context(), e.clock(), 5)
	if got := contents(jobs); err != nil || !slices.Equal(got, []string{"before", "meanwhile"}) {
		t.Errorf("made anew, %q wait, error %v", got, err)
	}
}
