package consolidate_test

import (
	"context"
	"testing"
	"time"

	"mcp-memory/consolidate"
	"mcp-memory/internal/job"
	"mcp-memory/memory"
)

// job is the job of a phase as it is stored.
func (b *bank) job() (j memory.Job) {
	b.t.Helper()
	jobs, err := b.store.Jobs(b.t.Context(), agent, "self_care")
	if err != nil || len(jobs) != 1 {
		b.t.Fatal(jobs, err)
	}
	return jobs[0]
}

// TestLeaseIsRenewed: a model may take longer than a lease, and no other call
// comes between.
func TestLeaseIsRenewed(t *testing.T) {
	asked, answer := make(chan struct{}, 99), make(chan struct{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	m := &model{hook: func() {
		asked <- struct{}{}
		select {
		case <-answer:
		case <-ctx.Done():
		}
	}}
	b := newBank(t, func(o *consolidate.Options) { o.Summarizers = []memory.Summarizer{m} })
	b.Beat(time.Millisecond)
	b.fill(0, 40)
	done := make(chan error, 1)
	go func() {
		_, err := b.SelfCare(ctx, consolidate.Request{Agent: agent, Phase: consolidate.PhaseMemories})
		done <- err
	}()
	select {
	case <-asked:
	case <-ctx.Done():
		t.Fatal("the model was never asked")
	}
	b.moved.Pass(2 * job.Term)
	for b.job().HeldUntil.Before(b.clock()) {
		if ctx.Err() != nil {
			t.Fatal("the lease was not renewed")
		}
		time.Sleep(time.Millisecond)
	}
	b.refuse(consolidate.Request{}, memory.CodeConflict, "another call")
	close(answer)
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("the call that held the job: %v", err)
		}
	case <-ctx.Done():
		t.Fatal("the call never ended")
	}
}

// TestLost: a call whose job was taken over writes nothing more and says so. If
// the other dies, its job is done by the first call after its lease.
func TestLost(t *testing.T) {
	var b *bank
	m := &model{hook: func() {
		j := b.job()
		j.Holder = "another process/1"
		b.write(func(tx memory.Tx) error { return tx.PutJob(j) })
	}}
	b = newBank(t, func(o *consolidate.Options) { o.Summarizers = []memory.Summarizer{m} })
	b.fill(0, 40)
	b.refuse(consolidate.Request{Phase: consolidate.PhaseMemories}, memory.CodeConflict, "another call")
	if j := b.job(); j.Holder != "another process/1" || j.Step != consolidate.StepPlanned || len(b.live(memory.KindSummary)) != 0 {
		t.Errorf("it left %+v and %d summaries", j, len(b.live(memory.KindSummary)))
	}
	m.hook = nil
	b.refuse(consolidate.Request{Phase: consolidate.PhaseMemories}, memory.CodeConflict, "another call")
	b.moved.Pass(job.Term)
	if r := b.care(consolidate.Request{Phase: consolidate.PhaseMemories}); r.Status != consolidate.StatusDone || r.MemoriesArchived != 40 {
		t.Errorf("after its lease: %+v", r)
	}
}
