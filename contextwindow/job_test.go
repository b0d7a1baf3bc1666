package contextwindow_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/internal/job"
	"mcp-memory/memory"
)

// A process that TestKilledAtEveryStep starts works in killDir and kills
// itself when killStep is recorded.
const (
	killDir  = "MCP_MEMORY_TEST_KILL_DIR"
	killStep = "MCP_MEMORY_TEST_KILL_STEP"
)

func TestMain(m *testing.M) { os.Exit(m.Run()) }

// scene fills the window until it is compacted; the last append takes it
// from under 60 % past 70 %.
func scene(b *bank) {
	for i := range 8 {
		b.append(filler(i, 100))
	}
	for range 2 {
		b.append(calls(memory.ToolCall{Name: "bash", Error: "exit status 1"}))
	}
	b.append(calls(memory.ToolCall{Name: "edit", Arguments: json.RawMessage(`{"path":"main.go"}`), Result: "ok"}))
	b.append(filler(8, 400), answer("So it is."))
}

// killed is the last thing that the other process says.
const killed = "killed\n"

// killSelf ends the process as a power cut would.
func killSelf() {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(killed)
	if err := self.Kill(); err != nil {
		panic(err)
	}
	select {}
}

// TestKilledChild is the other process.
func TestKilledChild(t *testing.T) {
	if os.Getenv(killDir) == "" {
		t.Skip("started by TestKilledAtEveryStep")
	}
	b := openBank(t, os.Getenv(killDir), func(o *contextwindow.Options) {
		o.Holder = "the other process"
		o.Recorded = func(step string) {
			if step == os.Getenv(killStep) {
				killSelf()
			}
		}
	})
	scene(b)
}

// TestKilledAtEveryStep: a process is killed right after it has recorded a
// step. The next one comes to the state that it would have come to itself.
func TestKilledAtEveryStep(t *testing.T) {
	whole := newBank(t)
	scene(whole)
	want := stateOf(whole)
	if whole.window().Compacted == 0 {
		t.Fatal("the scene compacts nothing")
	}
	for _, step := range contextwindow.Steps() {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledChild$")
			child.Env = append(os.Environ(), killDir+"="+dir, killStep+"="+step)
			out, err := child.CombinedOutput()
			if err == nil || !strings.HasSuffix(string(out), killed) {
				t.Fatalf("the process was not killed: %v\n%s", err, out)
			}
			b := openBank(t, dir, func(o *contextwindow.Options) {
				o.Gone = func(holder string) bool { return holder == "the other process" }
			})
			left := 1
			if step == contextwindow.StepSwapped {
				left = 0
			}
			if n, err := b.Resume(t.Context(), ""); n != left || err != nil {
				t.Fatalf("%d jobs resumed, %v; want %d", n, err, left)
			}
			if got := stateOf(b); got != want {
				t.Errorf("state is\n%s\nwant\n%s", got, want)
			}
			if n, err := b.Resume(t.Context(), ""); n != 0 || err != nil {
				t.Errorf("%d jobs are left, %v", n, err)
			}
			// The host that heard nothing of it learns it, once.
			action := contextwindow.ActionCompacted
			if step == contextwindow.StepSwapped {
				action = contextwindow.ActionNone
			}
			if s := b.status(); s.Action != action || s.Action == contextwindow.ActionCompacted && len(s.Messages) == 0 {
				t.Errorf("status says %s with %d messages", s.Action, len(s.Messages))
			}
			if s := b.status(); s.Action != contextwindow.ActionNone {
				t.Errorf("status says %s again", s.Action)
			}
		})
	}
}

// TestTakenOverAtEveryStep: another process takes a job from a living one.
func TestTakenOverAtEveryStep(t *testing.T) {
	whole := newBank(t)
	scene(whole)
	want := stateOf(whole)
	for _, step := range contextwindow.Steps()[:6] {
		t.Run(step, func(t *testing.T) {
			var b *bank
			taken := false
			b = newBank(t, func(o *contextwindow.Options) {
				o.Recorded = func(s string) {
					if s == step && !taken {
						taken = true
						other := b.service(func(o *contextwindow.Options) { o.Gone = func(string) bool { return true } })
						if n, err := other.Resume(t.Context(), ""); n != 1 || err != nil {
							t.Errorf("%d jobs, %v", n, err)
						}
					}
				}
			})
			scene(b)
			if got := stateOf(b); got != want {
				t.Errorf("state is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestLost: whoever has lost a job to another records nothing more.
func TestLost(t *testing.T) {
	var b *bank
	b = newBank(t, func(o *contextwindow.Options) {
		o.Recorded = func(step string) {
			if step != contextwindow.StepFacts {
				return
			}
			err := b.store.Write(t.Context(), anna.Agent, func(tx memory.Tx) error {
				j, err := tx.Job("compaction", session)
				if err != nil {
					return err
				}
				j.Holder, j.HeldUntil = "another process/1", b.clock().Add(job.Term)
				return tx.PutJob(*j)
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	scene(b)
	s := b.status()
	if s.PendingJobs != 1 || s.Step != contextwindow.StepFacts || s.Attempts != 0 || s.Compacted != 0 || s.Flushed != 0 {
		t.Errorf("status %+v", s)
	}
}

// TestLease: a job that somebody may still work on is left alone until its
// lease ends.
func TestLease(t *testing.T) {
	block := &rules{remote: true, wait: make(chan struct{})}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{block} })
	fill(b, contextwindow.ActionFlushStarted)
	waitFor(t, func() bool { return block.asked.Load() > 0 })
	other := b.service()
	if _, err := other.Resume(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if len(b.facts()) != 0 {
		t.Error("another process did the job within the lease")
	}
	b.later(job.Term)
	if _, err := other.Resume(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	facts := len(b.facts())
	if facts == 0 {
		t.Error("nobody did the job after the lease")
	}
	close(block.wait)
	if err := b.Close(soon(t, patience)); err != nil {
		t.Fatal(err)
	}
	if n := len(b.facts()); n != facts {
		t.Errorf("%d facts, want %d: the first process went on", n, facts)
	}
}

// TestLeaseIsRenewed: a summarizer may take longer than a lease. Whoever has lost
// the job all the same is not kept waiting for its answer.
func TestLeaseIsRenewed(t *testing.T) {
	block := &rules{remote: true, wait: make(chan struct{})}
	b := newBank(t, func(o *contextwindow.Options) { o.Summarizers = []memory.Summarizer{block} })
	b.Beat(time.Millisecond)
	fill(b, contextwindow.ActionFlushStarted)
	waitFor(t, func() bool { return block.asked.Load() > 0 })
	b.later(2 * job.Term)
	row := func() (j memory.Job) {
		jobs, err := b.store.Jobs(t.Context(), anna.Agent, "compaction")
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) == 1 {
			j = jobs[0]
		}
		return j
	}
	waitFor(t, func() bool { return row().HeldUntil.After(b.clock()) })
	if _, err := b.service().Resume(t.Context(), ""); err != nil || len(b.facts()) != 0 {
		t.Errorf("another process took the job: %v", err)
	}
	taken := row()
	taken.Holder = "another process/1"
	if err := b.store.Write(t.Context(), anna.Agent, func(tx memory.Tx) error { return tx.PutJob(taken) }); err != nil {
		t.Fatal(err)
	}
	if err := b.Wait(soon(t, patience)); err != nil {
		t.Fatal(err)
	}
	if j := row(); j.Holder != taken.Holder || j.Attempts != 0 || j.Step != contextwindow.StepPlanned {
		t.Errorf("whoever lost the job left %+v", j)
	}
}

var ids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// stateOf is all that a compaction has to do with, without the ids.
func stateOf(b *bank) string {
	w := b.window()
	w.UpdatedAt, w.Version = w.LastCompaction, 0
	jobs, err := b.store.Jobs(b.t.Context(), "", "compaction")
	if err != nil {
		b.t.Fatal(err)
	}
	var facts []string
	err = b.store.EachRecord(b.t.Context(), anna.Agent, func(r memory.Record) error {
		facts = append(facts, fmt.Sprintf("%s %s ×%d", r.Kind, r.Content, r.Confirmations))
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	slices.Sort(facts)
	history := ids.ReplaceAllString(b.file("HISTORY.md"), "ID")
	remembered := strings.Split(ids.ReplaceAllString(b.file("MEMORY.md"), "ID"), "\n")
	slices.Sort(remembered)
	var turns []string
	for _, content := range b.turns() {
		turns = append(turns, fmt.Sprintf("%.24s", content))
	}
	return fmt.Sprintf("%+v\njobs %v\nturns %q\nfacts %q\nhistory %q\nmemory %q\nlearnings %q\nfile %.9999q", w, jobs, turns, facts,
		history, remembered, ids.ReplaceAllString(b.file("learnings.md"), "ID"), b.file(session+".jsonl"))
}
