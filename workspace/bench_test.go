package workspace_test

import (
	"fmt"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
)

// BenchmarkAppendSession is what each message of a conversation costs.
func BenchmarkAppendSession(b *testing.B) {
	w := testfiles.Open(b.TempDir(), "anna")
	for i := 0; b.Loop(); i++ {
		if err := w.AppendSession(b.Context(), "s", turns(i)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMergeMemory adds a fact to a file that is full.
func BenchmarkMergeMemory(b *testing.B) {
	w := testfiles.Open(b.TempDir(), "anna")
	for i := 0; b.Loop(); i++ {
		if err := w.MergeMemory(b.Context(),
			[]memory.Record{fact(fmt.Sprintf("id-%09d", i), "event", "A fact of the usual length, about one sentence.")}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppendDayLog is what the log adds to a save.
func BenchmarkAppendDayLog(b *testing.B) {
	w := testfiles.Open(b.TempDir(), "anna")
	for b.Loop() {
		if err := w.AppendDayLog(fact("a", "event", "A fact.")); err != nil {
			b.Fatal(err)
		}
	}
}
