package mirror_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/mirror"
	"mcp-memory/planning"
	"mcp-memory/remember"
	"mcp-memory/workspace"
)

// counting counts the records that are gone through.
type counting struct {
	memory.Store
	read *int
}

func (c counting) After(ctx context.Context, corpus memory.Corpus, agent string, seq int64, limit int) ([]memory.Document, error) {
	docs, err := c.Store.After(ctx, corpus, agent, seq, limit)
	*c.read += len(docs)
	return docs, err
}

func (c counting) EachRecord(ctx context.Context, agent string, fn func(memory.Record) error) error {
	return c.Store.EachRecord(ctx, agent, func(r memory.Record) error {
		*c.read++
		return fn(r)
	})
}

// TestAStartReadsWhatIsNew starts a process twice at the same bank.
func TestAStartReadsWhatIsNew(t *testing.T) {
	b := newBank(t)
	for i := range 20 {
		b.save(fmt.Sprintf("The printer of room %d is out.", i), func(r *remember.SaveRequest) { r.Pinned, r.Category = false, "other" })
	}
	read := 0
	s := mirror.New(mirror.Options{Store: counting{b.Store, &read}, Remember: remember.New(b.RawOptions()),
		Planning: planning.New(b.RawPlanningOptions()), Clock: b.Clock, Log: slog.New(slog.DiscardHandler),
		Files: func(agent string) mirror.Files { return testfiles.Open(b.Dir, agent) }, Categories: memory.DefaultCategories()})
	complete := func() int {
		read = 0
		if err := s.Complete(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
		return read
	}
	if n := complete(); n != 20 {
		t.Errorf("the first start reads %d records, want 20", n)
	}
	raw := remember.New(b.RawOptions())
	if _, err := raw.Save(t.Context(), ann, remember.SaveRequest{Content: "Takes tea green.", Category: "preference"}); err != nil {
		t.Fatal(err)
	}
	old := b.save("The lift is slow.", func(r *remember.SaveRequest) { r.Pinned, r.Category = false, "other" })
	complete()
	pin := true
	if _, err := raw.Update(t.Context(), ann, remember.UpdateRequest{ID: old, Pinned: &pin}); err != nil { // and dies
		t.Fatal(err)
	}
	if n := complete(); n != 0 {
		t.Errorf("a start reads %d records that it knows", n)
	}
	b.wantLines("Takes tea green.", "The lift is slow.")
}

// TestMoreThanFits has more durable memories than MEMORY.md has room for: what is left out
// is neither taken out nor written again and again.
func TestMoreThanFits(t *testing.T) {
	b := newBank(t)
	raw := remember.New(b.RawOptions())
	const n = 280
	for i := range n {
		importance := 0.7 + 0.2*float64(i%7)/7
		_, err := raw.Save(t.Context(), ann,
			remember.SaveRequest{Content: fmt.Sprintf("Instrument %d stands in room %d, and is tuned there by somebody from another house once "+
				"the summer is over, which takes a week.", i, 3*i), Category: "technical",
				Importance: &importance})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Mirror.Complete(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	full := b.file()
	if len(full) > workspace.MaxMemoryBytes || len(full) < workspace.MaxMemoryBytes*9/10 {
		t.Fatalf("MEMORY.md has %d bytes", len(full))
	}
	for range 3 {
		if err := b.Mirror.Complete(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
		b.edit(func(s string) string { return s })
	}
	if b.file() != full || len(b.live()) != n {
		t.Errorf("%d memories hold, want %d; the file changed: %v", len(b.live()), n, b.file() != full)
	}
	b.save("Instrument of the captain.") // pushes others out
	if b.Mirror.Refresh(t.Context(), "ann"); len(b.live()) != n+1 || !strings.Contains(b.file(), "captain") {
		t.Errorf("%d memories hold, want %d", len(b.live()), n+1)
	}
	gone := b.lines()[3]
	b.dropLine(gone)
	if live := b.live(); len(live) != n || slices.Contains(live, "technical: "+gone) {
		t.Errorf("%d memories hold after one line was taken out, want %d", len(live), n)
	}
}
