package transfer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
	"mcp-memory/transfer/foreign"
)

// items is a stream of them.
func items(all ...foreign.Item) transfer.Stream {
	return func(_ context.Context, emit foreign.Emit) error {
		for _, i := range all {
			i.Program = "other"
			if err := emit(i); err != nil {
				return err
			}
		}
		return nil
	}
}

func (b *bank) take(t testing.TB, o transfer.ForeignOptions, read transfer.Stream) transfer.ForeignReport {
	t.Helper()
	o.Scope = b.scope
	report, err := transfer.ImportForeign(t.Context(), b.Deps, read, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// live are the contents of the records that hold, in order of creation, with their project.
func (b *bank) live(t testing.TB) (list []string) {
	t.Helper()
	err := b.store.EachRecord(t.Context(), b.scope.Agent, func(r memory.Record) error {
		if r.Live() {
			list = append(list, r.Project+"|"+r.Content)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (b *bank) wantLive(t testing.TB, want ...string) {
	t.Helper()
	got := b.live(t)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}

func (b *bank) undo(t testing.TB, id string) remember.ForgetResult {
	t.Helper()
	r, err := b.Service.Forget(t.Context(), b.scope, remember.ForgetRequest{Undo: id})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var shopItems = []foreign.Item{
	{Key: "other:1", Project: "shop", Content: "The queue is NATS.", Tags: []string{"decision"}, Importance: 0.8,
		At: start.AddDate(0, -2, 0), Origin: map[string]any{"session": "s1"}},
	{Key: "other:2", Project: "shop", Content: "Prices are kept in cents.", Pinned: true},
	{Key: "other:3", Content: "Anna likes tea."},
	{Key: "other:4", Project: "shop", Content: "Read file x.", Skip: "trivial observations"},
	{Key: "other:5", Project: "shop", Content: "  "},
	{Bad: &foreign.Problem{Place: "line 9", Reason: "it is torn"}},
	{Key: "other:m1", Project: "shop", Content: "How do we deploy?", Turn: &foreign.Message{Session: "chat", Role: memory.RoleUser}},
}

func TestForeignImport(t *testing.T) {
	b := newBank(t)
	plan := b.take(t, transfer.ForeignOptions{DryRun: true}, items(shopItems...))
	b.wantLive(t)
	report := b.take(t, transfer.ForeignOptions{}, items(shopItems...))
	b.wantLive(t, "shop|The queue is NATS.", "shop|Prices are kept in cents.", "|Anna likes tea.")
	for what, r := range map[string]transfer.ForeignReport{"plan": plan, "report": report} {
		if r.Created != 4 || r.Records != 3 || r.Turns != 1 || r.LeftOut != 1 || r.Refused != 2 || r.Items != 7 ||
			r.Why["trivial observations"] != 1 || len(r.Bad) != 2 {
			t.Errorf("%s: %+v", what, r)
		}
		if len(r.Projects) != 2 || r.Projects[1].Project != "shop" || r.Projects[1].New != 3 || r.Projects[1].Messages != 1 ||
			r.Projects[1].LeftOut != 1 || r.Projects[1].Refused != 1 {
			t.Errorf("%s: projects %+v", what, r.Projects)
		}
	}
	if plan.UndoID != "" || report.UndoID == "" || !slices.Contains(plan.Projects[1].Examples, "The queue is NATS.") {
		t.Errorf("undo %q and %q, examples %q", plan.UndoID, report.UndoID, plan.Projects[1].Examples)
	}
	err := b.store.EachRecord(t.Context(), "anna", func(r memory.Record) error {
		var origin map[string]string
		if r.Content == "The queue is NATS." {
			if err := json.Unmarshal(r.Provenance, &origin); err != nil || origin["import"] != "other" || origin["key"] != "other:1" ||
				origin["session"] != "s1" || origin["project"] != "shop" ||
				r.Importance != 0.8 || r.ExternalID != "other:1" || !r.OccurredAt.Equal(start.AddDate(0, -2, 0)) ||
				r.Source != memory.SourceImport || !slices.Equal(r.Tags, []string{"decision"}) {
				t.Errorf("%v: %+v with %v", err, r, origin)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	again := b.take(t, transfer.ForeignOptions{}, items(shopItems...))
	if again.Created+again.Updated != 0 || again.Duplicates != 4 || again.UndoID != "" {
		t.Errorf("the second time: %+v", again)
	}
}

// TestForeignUndo takes back what was created, superseded, brought back and said, and lets it come again.
func TestForeignUndo(t *testing.T) {
	b := newBank(t)
	saved, err := b.Service.SaveBatch(t.Context(), b.scope,
		[]remember.SaveRequest{{Content: "Boris plays chess.", ExternalID: "other:old"},
			{Content: "I live in Groningen.", OccurredAt: start.AddDate(-1, 0, 0)}, {Content: "Cats are fed at six."}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Service.Forget(t.Context(), b.scope, remember.ForgetRequest{IDs: []string{saved[2].ID}, Reason: "no cats"}); err != nil {
		t.Fatal(err)
	}
	before := b.live(t)
	all := append(slices.Clone(shopItems),
		foreign.Item{Key: "other:old", Content: "Boris plays go."},
		foreign.Item{Key: "other:moved", Content: "I have moved to Maastricht.", At: start},
		foreign.Item{Key: "other:v", Content: "Version one.", At: start},
		foreign.Item{Key: "other:v", Content: "Version two.", At: start.Add(time.Hour)},
		foreign.Item{Key: "other:cats", Content: "Cats are fed at six."},
		foreign.Item{Key: "other:f1", Content: "The port is 80."},
		foreign.Item{Key: "other:f2", Content: "It listens on 443 now.", Follows: "other:f1"},
	)
	report := b.take(t, transfer.ForeignOptions{Revive: true}, items(all...))
	after := b.live(t)
	b.wantLive(t, "shop|The queue is NATS.", "shop|Prices are kept in cents.", "|Anna likes tea.", "|Boris plays go.",
		"|I have moved to Maastricht.", "|Version two.", "|Cats are fed at six.", "|It listens on 443 now.")
	// What is done since stays: a correction of what was imported, and what the agent saves.
	undone := b.undo(t, report.UndoID)
	if undone.TakenBack != 10 || undone.Messages != 1 || len(undone.IDs) != 4 {
		t.Errorf("undone %+v", undone)
	}
	b.wantLive(t, before...)
	if _, err := b.Service.Forget(t.Context(), b.scope,
		remember.ForgetRequest{Undo: report.UndoID}); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("a second undo: %v", err)
	}
	again := b.take(t, transfer.ForeignOptions{}, items(all...))
	b.wantLive(t, slices.DeleteFunc(after, func(s string) bool { return s == "|Cats are fed at six." })...)
	b.undo(t, again.UndoID)
	b.wantLive(t, before...)
}

// TestForeignUndoSparesLaterWork: what somebody corrected since stays as it is.
func TestForeignUndoSparesLaterWork(t *testing.T) {
	b := newBank(t)
	if _, err := b.Service.SaveBatch(t.Context(), b.scope,
		[]remember.SaveRequest{{Content: "Boris plays chess.", ExternalID: "other:1"}}); err != nil {
		t.Fatal(err)
	}
	report := b.take(t, transfer.ForeignOptions{}, items(foreign.Item{Key: "other:1", Content: "Boris plays go."}))
	var id string
	if err := b.store.EachRecord(t.Context(), "anna", func(r memory.Record) error { id = r.ID; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Service.SaveBatch(t.Context(), b.scope,
		[]remember.SaveRequest{{Content: "Boris plays bridge.", Supersedes: id}}); err != nil {
		t.Fatal(err)
	}
	b.undo(t, report.UndoID)
	b.wantLive(t, "|Boris plays bridge.")
}

// TestForeignUndoInSteps: many batches are one undo, which can be done again when it was cut short.
func TestForeignUndoInSteps(t *testing.T) {
	b := newBank(t)
	const n = 2*memory.MaxBatch + 7
	many := func(ctx context.Context, emit foreign.Emit) error {
		for i := range n {
			if err := emit(foreign.Item{Key: fmt.Sprintf("other:%d", i),
				Content: fmt.Sprintf("The number of the house is %d.", i)}); err != nil {
				return err
			}
		}
		return nil
	}
	report := b.take(t, transfer.ForeignOptions{}, many)
	if got := len(b.live(t)); got != n {
		t.Fatalf("%d were imported", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := &cancelling{Store: b.store, left: 3, cancel: cancel}
	o := remember.Options{Store: cancelled, Embedder: b.Embedder, Clock: b.clock.Now, IDs: b.IDs, Queued: func() {}, Log: b.Log}
	if _, err := remember.New(o).Forget(ctx, b.scope, remember.ForgetRequest{Undo: report.UndoID}); err == nil {
		t.Fatal("it was not cut short")
	}
	if got := len(b.live(t)); got == 0 || got == n {
		t.Fatalf("%d are left of %d", got, n)
	}
	b.undo(t, report.UndoID)
	b.wantLive(t)
}

// cancelling is a store that is cut short after some writes.
type cancelling struct {
	memory.Store
	left   int
	cancel func()
}

func (c *cancelling) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	if c.left--; c.left < 0 {
		c.cancel()
		return ctx.Err()
	}
	return c.Store.Write(ctx, agent, fn)
}

// TestForeignStreamFails: what came before is kept, reported and can be taken back.
func TestForeignStreamFails(t *testing.T) {
	b := newBank(t)
	broken := errors.New("the disk is gone")
	report, err := transfer.ImportForeign(t.Context(), b.Deps, func(ctx context.Context, emit foreign.Emit) error {
		return errors.Join(items(shopItems[:2]...)(ctx, emit), broken)
	}, transfer.ForeignOptions{Scope: b.scope})
	if !errors.Is(err, broken) || report.Records != 2 || report.UndoID == "" {
		t.Fatalf("%v: %+v", err, report)
	}
	b.undo(t, report.UndoID)
	b.wantLive(t)
}

// TestForeignForgotten: what was forgotten here stays so.
func TestForeignForgotten(t *testing.T) {
	b := newBank(t)
	b.take(t, transfer.ForeignOptions{}, items(shopItems[:3]...))
	if _, err := b.Service.Forget(t.Context(), b.scope, remember.ForgetRequest{Query: "tea"}); err != nil {
		t.Fatal(err)
	}
	b.take(t, transfer.ForeignOptions{}, items(shopItems[:3]...))
	b.wantLive(t, "shop|The queue is NATS.", "shop|Prices are kept in cents.")
	b.take(t, transfer.ForeignOptions{Revive: true}, items(shopItems[:3]...))
	b.wantLive(t, "shop|The queue is NATS.", "shop|Prices are kept in cents.", "|Anna likes tea.")
}

// TestForeignSince leaves out what is known to be older.
func TestForeignSince(t *testing.T) {
	b := newBank(t)
	r := b.take(t, transfer.ForeignOptions{Since: start.AddDate(0, -1, 0)}, items(shopItems[:3]...))
	if r.LeftOut != 1 || r.Records != 2 {
		t.Errorf("%+v", r)
	}
}

func TestForeignSecretsAreMarked(t *testing.T) {
	b := newBank(t)
	b.take(t, transfer.ForeignOptions{}, items(foreign.Item{Key: "other:s", Content: "The key is ghp_" + strings.Repeat("aB3d", 9)}))
	err := b.store.EachRecord(t.Context(), "anna", func(r memory.Record) error {
		if r.Category != memory.CategorySecret {
			t.Errorf("it is kept as %s", r.Category)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
