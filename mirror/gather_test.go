package mirror_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/mirror"
	"mcp-memory/remember"
)

// TestGathering imports in two batches: the files say it at the end, as the bank has it then.
func TestGathering(t *testing.T) {
	b := newBank(t)
	here := b.save("Takes tea green.")
	g := b.Mirror.Gather()
	o := b.RawOptions()
	o.Store = mirror.Watch(o.Store.(memory.Store), g.Changed)
	raw := remember.New(o)
	save := func(content string) string {
		t.Helper()
		result, err := raw.Save(t.Context(), ann, remember.SaveRequest{Content: content, Pinned: true, Category: "preference"})
		if err != nil {
			t.Fatal(err)
		}
		return result.ID
	}
	before := b.file()
	save("Walks to work.")
	first := save("Sails on Sundays.")
	for id, content := range map[string]string{first: "Sails on Mondays.", here: "Takes tea black."} {
		if _, err := raw.Update(t.Context(), ann, remember.UpdateRequest{ID: id, Content: &content}); err != nil {
			t.Fatal(err)
		}
	}
	if b.file() != before {
		t.Errorf("written before the end:\n%s", b.file())
	}
	g.Flush(t.Context())
	for _, want := range []string{"Walks to work.", "Sails on Mondays.", "Takes tea black."} {
		if !strings.Contains(b.file(), want) {
			t.Errorf("MEMORY.md lacks %q:\n%s", want, b.file())
		}
	}
	for _, old := range []string{"Sails on Sundays.", "Takes tea green."} {
		if strings.Contains(b.file(), old) {
			t.Errorf("MEMORY.md has %q:\n%s", old, b.file())
		}
	}
	written := b.file()
	if g.Flush(t.Context()); b.file() != written {
		t.Error("what was written is written again")
	}
}

// TestGatheringErases takes the line of what was erased out at once.
func TestGatheringErases(t *testing.T) {
	b := newBank(t)
	id := b.save("Takes tea green.")
	g := b.Mirror.Gather()
	store := mirror.Watch(b.RawOptions().Store.(memory.Store), g.Changed)
	if err := store.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.EraseRecord(id) }); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.file(), "Takes tea green.") {
		t.Errorf("what was erased stands there:\n%s", b.file())
	}
}

// TestGatheringIsBounded hands in as much as is held back.
func TestGatheringIsBounded(t *testing.T) {
	b := newBank(t)
	b.save("Takes tea green.")
	g := b.Mirror.Gather()
	_, err := remember.New(b.RawOptions()).Save(t.Context(), ann,
		remember.SaveRequest{Content: "Walks to work.", Pinned: true, Category: "preference"})
	if err != nil {
		t.Fatal(err)
	}
	var changes mirror.Changes
	err = b.Store.EachRecord(t.Context(), "ann", func(r memory.Record) error {
		changes.Records = append(changes.Records, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 1998 {
		changes.Records = append(changes.Records, memory.Record{ID: b.IDs.New(), Kind: memory.KindFact, ArchivedAt: b.Clock()})
	}
	if g.Changed(t.Context(), "ann", changes); !strings.Contains(b.file(), "Walks to work.") {
		t.Errorf("two thousand are held back:\n%s", b.file())
	}
	o := b.RawOptions()
	o.Store = mirror.Watch(o.Store.(memory.Store), g.Changed)
	_, err = remember.New(o).Save(t.Context(), ann, remember.SaveRequest{Content: "Sails.", Pinned: true, Category: "preference"})
	if err != nil || strings.Contains(b.file(), "Sails.") {
		t.Errorf("the next one is not held back: %v\n%s", err, b.file())
	}
}
