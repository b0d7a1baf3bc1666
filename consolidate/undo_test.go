package consolidate_test

import (
	"slices"
	"strings"
	"testing"

	"mcp-memory/consolidate"
	"mcp-memory/memory"
)

var questions = []string{"Who repaired the database?", "invoice in Porto", "1007", "dinner with the neighbours", "warehouse crates Osaka",
	"What did Ingrid do?"}

// TestUndoRestoresEveryByte of what searches return: with several batches that
// fold in each other, and conversations.
func TestUndoRestoresEveryByte(t *testing.T) {
	b := newBank(t)
	b.fill(0, 40)
	b.say("", 0, 40)
	first := b.care(consolidate.Request{})
	spoken := b.care(consolidate.Request{Phase: consolidate.PhaseConversations})
	b.fill(40, 1000)
	b.say("", 40, 1200)
	before, state := b.found(memory.Filter{}, questions...), b.everything()
	archive := b.found(memory.Filter{IncludeArchived: true}, questions...)

	second := b.care(consolidate.Request{})
	if second.MemoriesArchived != 1000 || second.ConversationsSummarised != 700 || b.found(memory.Filter{}, questions...) == before {
		t.Fatalf("%+v", second)
	}
	if s := b.record(first.Summaries[0].ID); s.Live() {
		t.Error("the first summaries were not folded in")
	}
	b.refuse(consolidate.Request{Undo: first.UndoID}, memory.CodeConflict, "later")
	b.refuse(consolidate.Request{Undo: spoken.UndoID}, memory.CodeConflict, "later")
	b.refuse(consolidate.Request{Undo: second.UndoID, Agent: "boris"}, memory.CodeNotFound, second.UndoID)

	r := b.care(consolidate.Request{Undo: second.UndoID})
	if r.Status != consolidate.StatusUndone || r.BroughtBack != 1700 || len(r.Left) != 0 || !r.Watermark.Equal(spoken.Watermark) {
		t.Errorf("%+v", r)
	}
	if got := b.found(memory.Filter{}, questions...); got != before {
		t.Errorf("a search returns\n%.1500s\nbefore\n%.1500s", got, before)
	}
	if got := b.found(memory.Filter{IncludeArchived: true}, questions...); got != archive {
		t.Error("a search of the archive returns something else")
	}
	if b.everything() != state {
		t.Error("the bank is not what it was")
	}
	b.refuse(consolidate.Request{Undo: second.UndoID}, memory.CodeConflict, "undone already")
	b.care(consolidate.Request{Undo: first.UndoID})
	b.care(consolidate.Request{Undo: spoken.UndoID})
	if n := len(b.live(memory.KindSummary)); n != 0 || len(b.live(memory.KindLongTerm)) != 1040 {
		t.Errorf("%d summaries are left", n)
	}
}

// TestUndoLeavesWhatWasChangedSince and names it.
func TestUndoLeavesWhatWasChangedSince(t *testing.T) {
	b := newBank(t)
	originals := b.fill(0, 60)
	r := b.care(consolidate.Request{})
	erased, corrected := originals[3].ID, originals[5].ID
	correction := b.memory(99, "social", "It was six people.")
	better := b.memory(99, r.Summaries[0].Content, "A better summary.")
	better.Category, better.Kind, better.KindDetails = "technical", memory.KindSummary,
		memory.KindDetails{Summary: &memory.SummaryDetails{Of: "memories", Count: 20}}
	b.save(correction, better)
	b.write(func(tx memory.Tx) error { return tx.EraseRecord(erased) })
	b.edit(corrected, func(r *memory.Record) { r.SupersededBy, r.SupersededAt = correction.ID, b.clock() })
	b.edit(r.Summaries[0].ID, func(r *memory.Record) { r.SupersededBy, r.SupersededAt = better.ID, b.clock() })

	forgotten := originals[8].ID
	b.edit(forgotten, func(r *memory.Record) { r.ArchiveWhy = "private" }) // brought back and forgotten in the same moment

	undone := b.care(consolidate.Request{Undo: r.UndoID})
	want := []string{erased, corrected, forgotten, r.Summaries[0].ID}
	slices.Sort(want)
	slices.Sort(undone.Left)
	if undone.BroughtBack != 57 || !slices.Equal(undone.Left, want) {
		t.Errorf("brought back %d, left %v, want %v", undone.BroughtBack, undone.Left, want)
	}
	if b.record(corrected).Live() || !b.record(better.ID).Live() || !b.record(originals[0].ID).Live() {
		t.Error("what was changed was touched, or what was not was left")
	}
}

// An undo of something else is none of this package's.
func TestUndoOfAForgetting(t *testing.T) {
	b := newBank(t)
	one := b.fill(0, 1)[0]
	b.write(func(tx memory.Tx) error {
		return tx.KeepUndo(memory.Undo{ID: "u1", Action: "forget", Records: []string{one.ID}, At: b.clock()})
	})
	b.refuse(consolidate.Request{Undo: "u1"}, memory.CodeNotFound, "u1")
	b.refuse(consolidate.Request{Undo: "u2"}, memory.CodeNotFound, "u2")
}

func TestBadInput(t *testing.T) {
	b := newBank(t, func(o *consolidate.Options) { o.Home = " the cottage" })
	home := func(r consolidate.Request) consolidate.Request { r.Location = "the cottage"; return r }
	b.refuse(consolidate.Request{}, memory.CodeForbidden, "the cottage")
	b.refuse(consolidate.Request{Location: "the office", Undo: "x"}, memory.CodeForbidden, "the cottage")
	b.refuse(consolidate.Request{Location: "thecottage", Undo: "x"}, memory.CodeForbidden, "the cottage")
	for _, there := range []string{"The Cottage", " the cottage\n", "THE COTTAGE"} {
		if r := b.care(consolidate.Request{Location: there}); r.Status != consolidate.StatusNothing {
			t.Errorf("at %q: %+v", there, r)
		}
	}
	for mentions, r := range map[string]consolidate.Request{
		"phase":        {Phase: "dreams"},
		"mode":         {Mode: "magic"},
		"soul":         {Kinds: []memory.Kind{memory.KindSoul}},
		"batch_id":     {Summary: "alone"},
		"summary":      {BatchID: "x", Summary: " \n"},
		"dry_run":      {BatchID: "x", Summary: "y", DryRun: true},
		"UTF-8":        {Focus: "\xff"},
		"undo":         {Undo: "x", DryRun: true},
		"neither":      {Undo: "x", BatchID: "y", Summary: "z"},
		"is not valid": {BatchID: "x", Summary: "a\xff"},
	} {
		b.refuse(home(r), memory.CodeInvalidArgument, mentions)
	}
	b.refuse(home(consolidate.Request{BatchID: "x", Summary: strings.Repeat("x", memory.MaxContentBytes+1)}),
		memory.CodeTooLarge, "summary")
	if r := b.care(home(consolidate.Request{})); r.Status != consolidate.StatusNothing {
		t.Errorf("%+v", r)
	}
}
