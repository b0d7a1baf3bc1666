package transfer_test

import (
	"bytes"
	"fmt"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/transfer"
)

// FuzzImport feeds anything to every format: no panic, nothing written by an
// import of one batch that fails, and nothing new the second time.
func FuzzImport(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "{", "null", "[]", `{"content":"a"}`, `{"id":1,"text":"a","ts":"2024-01-01"}` + "\n" + `{"id":1,"text":"b"}`,
		`{"session":"s","speaker":"user","text":"hi"}` + "\n{", `{"session":"s","speaker":"ada","text":"hi"}`,
		"\xef\xbb\xbf{}", "\x1f\x8b\x08\x00", `{"content":"` + "\xff" + `"}`,
		`{"type":"bundle","version":1}` + "\n" +
			`{"type":"record","id":"r","kind":"fact","content":"a","source":"user","confirmations":1,"created_at":"2024-01-01T00:00:00Z"}` +
			"\n" +
			`{"type":"turn","id":"t","session":"s","content":"a","said_at":"2024-01-01T00:00:00Z","created_at":"2024-01-01T00:00:00Z"}` +
			"\n" + `{"type":"footer","records":1,"turns":1}`,
	} {
		f.Add([]byte(seed))
	}
	b := newBank(f)
	b.Met = nil // people who are met by their turns are in no report
	n := 0
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Count(data, []byte("\n")) >= memory.MaxBatch {
			return
		}
		for _, format := range transfer.Formats() {
			for _, skip := range []bool{false, true} {
				n++
				o := transfer.Options{Format: format, Scope: memory.Scope{Agent: fmt.Sprintf("agent-%d", n)}, SkipBad: skip}
				report, err := transfer.Import(t.Context(), b.Deps, bytes.NewReader(data), o)
				stored := len(b.records(t, o.Scope.Agent)) + len(b.turns(t, o.Scope.Agent))
				if stored != report.Created+report.Updated || err != nil && stored > 0 {
					t.Fatalf("%s: %d stored, %+v, %v", format, stored, report, err)
				}
				again, secondErr := transfer.Import(t.Context(), b.Deps, bytes.NewReader(data), o)
				if again.Created+again.Updated > 0 || (err == nil) != (secondErr == nil) {
					t.Fatalf("%s again: %+v, %v after %v", format, again, secondErr, err)
				}
			}
		}
	})
}
