package mirror_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
)

// pasted are so many new bullets.
func pasted(n int) string {
	var lines strings.Builder
	lines.WriteString("\n## Preference\n\n")
	for i := range n {
		fmt.Fprintf(&lines, "* Keeps the tool number %d in drawer %d\n", i, 7*i)
	}
	return lines.String()
}

// facts are the contents of what holds.
func (b *bank) facts() map[string]bool {
	b.t.Helper()
	contents := map[string]bool{}
	err := b.Store.EachRecord(b.t.Context(), "ann", func(r memory.Record) error {
		if r.Live() {
			contents[r.Content] = true
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return contents
}

// TestManyLinesAreHeardInSteps pastes more lines than a call may wait for.
func TestManyLinesAreHeardInSteps(t *testing.T) {
	b := newBank(t)
	b.save("Likes tea.")
	b.edit(func(s string) string { return s + pasted(250) })
	first := len(b.facts())
	if first == 0 || first > 101 || b.Mirror.Waiting("ann") != 251-first {
		t.Fatalf("%d memories after the first call, %d wait", first, b.Mirror.Waiting("ann"))
	}
	b.dropLine("Keeps the tool number 3 in drawer 21") // heard already
	b.replace("tool number 240 ", "hammer ")           // not yet
	b.Mirror.Refresh(t.Context(), "ann")
	if n := b.Mirror.Waiting("ann"); n != 0 {
		t.Fatalf("%d lines wait after enough calls", n)
	}
	facts, file := b.facts(), b.file()
	if len(facts) != 250 || facts["Keeps the tool number 3 in drawer 21"] || !facts["Keeps the hammer in drawer 1680"] ||
		facts["Keeps the tool number 240 in drawer 1680"] {
		t.Errorf("%d memories", len(facts))
	}
	if n := strings.Count(file, "Keeps the "); n != 249 || strings.Count(file, "<!--") < 250 {
		t.Errorf("%d lines of them, %d marks", n, strings.Count(file, "<!--"))
	}
}

// TestManyRewordedLinesAreHeardInSteps rewords more lines than a call may wait for; a call
// that hears others does not take them as heard.
func TestManyRewordedLinesAreHeardInSteps(t *testing.T) {
	b := newBank(t)
	b.save("Likes tea.")
	b.edit(func(s string) string { return s + pasted(150) })
	b.Mirror.RefreshAll(t.Context(), "ann")
	b.edit(func(s string) string { return strings.ReplaceAll(s, "in drawer", "in the red drawer") })
	if n := b.Mirror.Waiting("ann"); n != 50 {
		t.Fatalf("%d lines wait", n)
	}
	b.Mirror.RefreshAll(t.Context(), "ann")
	facts := b.facts()
	for content := range facts {
		if strings.Contains(content, "in drawer") {
			t.Errorf("%q is as it was", content)
		}
	}
	if len(facts) != 151 || strings.Contains(b.file(), "in drawer") {
		t.Errorf("%d memories", len(facts))
	}
}

// TestTheRestIsHeardInTheBackground is the same while nobody calls.
func TestTheRestIsHeardInTheBackground(t *testing.T) {
	b := newBank(t)
	b.save("Likes tea.")
	if err := testfiles.WriteFile(b.path, []byte(b.file()+pasted(250)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { b.Mirror.Run(ctx, []string{"ann"}); close(done) }()
	for until := time.Now().Add(time.Minute); len(b.facts()) < 251; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d memories", len(b.facts()))
		}
	}
	stop()
	<-done
}
