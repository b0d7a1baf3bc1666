package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/embed"
	"mcp-memory/internal/testbank"
	"mcp-memory/internal/testtranscript"
	"mcp-memory/memory"
	"mcp-memory/transfer"
	"mcp-memory/transfer/foreign"
)

// newTalkBank is a bank with what finds facts in conversations.
func newTalkBank(t testing.TB) (*bank, transfer.ForeignOptions) {
	t.Helper()
	b := &bank{clock: &clock{start}, scope: anna}
	all := testbank.New(t, testbank.Options{Embedder: embed.NewBuiltin(), Clock: b.clock.Now})
	b.store, b.queued, b.Deps = all.Store, &all.Waiting, all.Transfer()
	return b, transfer.ForeignOptions{Learner: contextwindow.New(all.WindowOptions()), Scope: anna}
}

// projects is a folder of Claude Code with some sessions.
func projects(t testing.TB, sessions, bytes int) string {
	t.Helper()
	root := t.TempDir()
	for i := range sessions {
		text := testtranscript.ClaudeCode(testtranscript.Session{
			ID: fmt.Sprintf("s%d", i), Dir: fmt.Sprintf("/home/ann/p%d", i%2),
			Start: start.AddDate(0, 0, -2), Seed: uint64(i), Bytes: bytes,
		})
		put(t, filepath.Join(root, fmt.Sprintf("-work-p%d", i%2), fmt.Sprintf("s%d.jsonl", i)), string(text))
	}
	return root
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644),
		os.Chtimes(path, start, start)); err != nil {
		t.Fatal(err)
	}
}

// of reads what a program has at a path.
func of(program, path string) transfer.Stream {
	return func(ctx context.Context, emit foreign.Emit) error {
		all := foreign.Named(program)
		targets := []foreign.Target{{Source: all[len(all)-1], Path: path}} // its conversations
		return foreign.Read(ctx, targets, foreign.Input{Options: foreign.Options{Now: start}}, emit)
	}
}

func byDir(_ context.Context, item foreign.Item) (string, error) { return filepath.Base(item.Dir), nil }

// held are all turns of a bank, by session and external id.
func (b *bank) held(t testing.TB) map[string]memory.Turn {
	t.Helper()
	all := map[string]memory.Turn{}
	err := b.store.EachTurn(t.Context(), b.scope.Agent, func(turn memory.Turn) error {
		all[turn.Session+" "+turn.ExternalID] = turn
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Conversations come with all that they leave behind; again nothing changes; one
// undo takes all of it back, and then all comes again.
func TestTalks(t *testing.T) {
	b, o := newTalkBank(t)
	o.Project = byDir
	stream := of("claude-code", projects(t, 4, 200_000))
	o.DryRun = true
	plan := b.take(t, o, stream)
	if len(b.held(t)) > 0 || len(b.live(t)) > 0 {
		t.Fatal("a dry run has stored something")
	}
	o.DryRun = false
	report := b.take(t, o, stream)
	turns, kinds := b.held(t), map[memory.Kind]int{}
	facts := b.live(t)
	err := b.store.EachRecord(t.Context(), "anna", func(r memory.Record) error {
		if kinds[r.Kind]++; r.Source != memory.SourceImport || r.OccurredAt.After(start) ||
			!strings.Contains(string(r.Provenance), `"session":"s`) || !strings.HasPrefix(r.Project, "p") {
			t.Errorf("%+v", r)
		}
		return nil
	})
	if err != nil || kinds[memory.KindFact] == 0 || kinds[memory.KindLearning] == 0 || kinds[memory.KindEpisode] == 0 {
		t.Errorf("kinds %v, %v", kinds, err)
	}
	if report.Turns != len(turns) || report.Turns < 100 || report.Records != len(facts) || report.Refused > 0 || report.UndoID == "" {
		t.Errorf("report %+v for %d turns and %d memories", report, len(turns), len(facts))
	}
	if plan.Turns != report.Turns || len(plan.Projects) != 2 || len(plan.Projects[0].Examples) != 5 || plan.Projects[0].Messages == 0 {
		t.Errorf("plan %+v", plan)
	}
	for i, name := range []string{"s0", "s1"} {
		list, err := b.store.Turns(t.Context(), "anna", name, 0, 0)
		if err != nil || len(list) == 0 || list[0].Project != fmt.Sprintf("p%d", i) {
			t.Fatalf("%d turns of %s, %v", len(list), name, err)
		}
		for at, turn := range list {
			if turn.Index != at || at > 0 && turn.SaidAt.Before(list[at-1].SaidAt) || turn.Details.Classification == "" {
				t.Errorf("turn %d is %+v", at, turn)
			}
		}
	}

	again := b.take(t, o, stream)
	if again.Created+again.Updated > 0 || again.UndoID != "" || again.Duplicates != len(turns) || len(b.held(t)) != len(turns) {
		t.Errorf("the second time: %+v", again)
	}
	undone := b.undo(t, report.UndoID)
	if len(b.held(t)) > 0 || len(b.live(t)) > 0 {
		t.Errorf("after the undo: %d turns, %q, %+v", len(b.held(t)), b.live(t), undone)
	}
	anew := b.take(t, o, stream)
	back := b.live(t)
	slices.Sort(back)
	slices.Sort(facts)
	if anew.Turns != len(turns) || !slices.Equal(back, facts) {
		t.Errorf("after the undo came back: %+v, %d memories of %d", anew, len(back), len(facts))
	}
}

// A conversation that goes on brings only what is new.
func TestTalkGoesOn(t *testing.T) {
	b, o := newTalkBank(t)
	whole := string(testtranscript.ClaudeCode(testtranscript.Session{ID: "s", Dir: "/home/ann/p", Start: start, Bytes: 300_000}))
	path := filepath.Join(t.TempDir(), "s.jsonl")
	put(t, path, whole[:len(whole)/2])
	first := b.take(t, o, of("claude-code", path))
	put(t, path, whole)
	second := b.take(t, o, of("claude-code", path))
	other, _ := newTalkBank(t)
	all := other.take(t, o, of("claude-code", path))
	if first.Turns == 0 || second.Turns == 0 || first.Turns+second.Turns != all.Turns || first.Refused+second.Refused > 0 {
		t.Errorf("%d and %d turns of %d", first.Turns, second.Turns, all.Turns)
	}
	got, want := b.held(t), other.held(t)
	for name, turn := range want {
		if got[name].ID != turn.ID || got[name].Index != turn.Index {
			t.Errorf("%s is %+v, want %+v", name, got[name], turn)
		}
	}
}

// brokenStore fails after some writes, as a disk that is full.
type brokenStore struct {
	transfer.Store
	left int
}

func (s *brokenStore) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	if s.left--; s.left < 0 {
		return memory.Errorf(memory.CodeUnavailable, "the disk is full")
	}
	return s.Store.Write(ctx, agent, fn)
}

// An import that fails anywhere can be done again: nothing is lost, nothing is
// there twice, and what it had stored can be taken back.
func TestTalksCutShort(t *testing.T) {
	stream := of("claude-code", projects(t, 3, 150_000))
	whole, o := newTalkBank(t)
	bySession := func(_ context.Context, item foreign.Item) (string, error) { return item.Talk.Session, nil }
	o.Project = bySession // so each is kept by itself
	whole.take(t, o, stream)
	want := whole.live(t)
	slices.Sort(want)
	for _, writes := range []int{0, 1, 2} {
		b, o := newTalkBank(t)
		o.Project = bySession
		deps := b.Deps
		deps.Store = &brokenStore{b.Deps.Store, writes}
		report, err := transfer.ImportForeign(t.Context(), deps, stream, o)
		if memory.CodeOf(err) != memory.CodeUnavailable {
			t.Errorf("after %d writes: %v", writes, err)
		}
		if len(b.held(t))+len(b.live(t)) > 0 && report.UndoID == "" {
			t.Errorf("after %d writes there is no undo", writes)
		}
		b.take(t, o, stream)
		got := b.live(t)
		slices.Sort(got)
		if len(b.held(t)) != len(whole.held(t)) || !slices.Equal(got, want) {
			t.Errorf("after %d writes: %d turns of %d, %d memories of %d", writes, len(b.held(t)), len(whole.held(t)), len(got), len(want))
		}
	}
}

// BenchmarkImportTranscripts measures bytes a second into a new database, of
// sessions as Claude Code writes them, as `import --from claude-code --yes` takes them.
func BenchmarkImportTranscripts(b *testing.B) {
	const sessions, size = 8, 4 << 20
	root := projects(b, sessions, size)
	b.SetBytes(sessions * size)
	for b.Loop() {
		b.StopTimer()
		bank, o := newTalkBank(b)
		b.StartTimer()
		began := time.Now()
		report, err := transfer.ImportForeign(b.Context(), bank.Deps, of("claude-code", root), o)
		if err != nil || report.Turns == 0 {
			b.Fatal(report, err)
		}
		b.ReportMetric(float64(report.Turns)/time.Since(began).Seconds(), "turns/s")
	}
}
