package transfer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
)

// byContent returns the bank's records by what they say.
func (b *bank) byContent(t *testing.T) map[string]memory.Record {
	t.Helper()
	all := map[string]memory.Record{}
	for _, r := range b.records(t, "anna") {
		all[r.Content] = r
	}
	return all
}

func TestImportTellsWhatItSuperseded(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"content":"I live in Groningen.","ts":"2024-01-01"}
{"id":"cat","content":"Anna's cat is called Tofu.","ts":"2024-01-01"}
{"content":"The harbour café opens at nine.","ts":"2024-01-01"}`)
	before := b.byContent(t)
	lines := []string{
		`{"content":"I have moved to Maastricht.","ts":"2025-01-01"}`,
		`{"id":"cat","content":"Anna's cat is called Tempeh.","ts":"2025-01-01"}`,
	}
	for i := range memory.MaxBatch { // what follows is in another transaction
		lines = append(lines, fmt.Sprintf(`{"content":"Invoice %d of the harbour was paid.","ts":"2025-02-01"}`, i))
	}
	lines = append(lines, `{"content":"I have moved to Hasselt.","ts":"2025-03-01"}`)
	text := strings.Join(lines, "\n")
	report := b.mustLoad(t, transfer.Facts, text)
	after := b.byContent(t)
	want := []string{before["I live in Groningen."].ID, before["Anna's cat is called Tofu."].ID, after["I have moved to Maastricht."].ID}
	if !slices.Equal(report.Superseded, want) || report.Updated != len(want) || report.UndoID == "" {
		t.Fatalf("superseded %v with undo %q, want %v", report.Superseded, report.UndoID, want)
	}
	log, err := b.Service.Log(t.Context(), anna, "", memory.MaxBatch)
	if err != nil || len(log) != 2 || log[0].ID != report.UndoID {
		t.Errorf("the log has more than the two imports: %+v, %v", log, err)
	}
	if after["I live in Groningen."].Live() || after["Anna's cat is called Tofu."].Live() || after["I have moved to Maastricht."].Live() {
		t.Error("what was superseded is live")
	}
	if again := b.mustLoad(t, transfer.Facts, text); len(again.Superseded) > 0 || again.UndoID != "" {
		t.Errorf("again: %+v", again)
	}

	back, err := b.Service.Forget(t.Context(), anna, remember.ForgetRequest{Undo: report.UndoID})
	slices.Sort(back.IDs)
	slices.Sort(want)
	if err != nil || !slices.Equal(back.IDs, want) {
		t.Errorf("%+v, %v", back, err)
	}
	for content, r := range b.byContent(t) {
		if _, before := before[content]; r.Live() != before {
			t.Errorf("%q live: %t", content, r.Live())
		}
		if old, known := before[content]; known && fmt.Sprintf("%+v", r) != fmt.Sprintf("%+v", old) {
			t.Errorf("it was %+v\nand is %+v", old, r)
		}
	}
	if _, err := b.Service.Forget(t.Context(), anna,
		remember.ForgetRequest{Undo: report.UndoID}); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("once more: %v", err)
	}
}

// What one save superseded and was taken back alone is left alone.
func TestUndoOfAnImportInParts(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"content":"I live in Groningen.","ts":"2024-01-01"}
{"content":"My dentist is Dr. Amadi.","ts":"2024-01-01"}`)
	report := b.mustLoad(t, transfer.Facts, `{"content":"I have moved to Maastricht.","ts":"2025-01-01"}
{"content":"My dentist is Dr. Brouwer now.","ts":"2025-01-01"}`)
	if len(report.Superseded) != 2 {
		t.Fatalf("%+v", report)
	}
	moved := b.byContent(t)["I have moved to Maastricht."].ID
	if _, err := b.Service.Forget(t.Context(), anna, remember.ForgetRequest{Undo: moved}); err != nil {
		t.Fatal(err)
	}
	back, err := b.Service.Forget(t.Context(), anna, remember.ForgetRequest{Undo: report.UndoID})
	if err != nil || !slices.Equal(back.IDs, report.Superseded[1:]) {
		t.Errorf("%+v, %v", back, err)
	}
}

// What was stored before a line that is broken can be taken back as well.
func TestImportThatFailsTellsWhatItSuperseded(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"content":"I live in Groningen.","ts":"2024-01-01"}`)
	lines := []string{`{"content":"I have moved to Maastricht.","ts":"2025-01-01"}`}
	for i := range memory.MaxBatch {
		lines = append(lines, fmt.Sprintf(`{"content":"Invoice %d of the harbour was paid.","ts":"2025-02-01"}`, i))
	}
	report, err := b.load(transfer.Facts, strings.Join(append(lines, "broken"), "\n"))
	if memory.CodeOf(err) != memory.CodeInvalidArgument || len(report.Superseded) != 1 || report.UndoID == "" {
		t.Errorf("%v, superseded %v with undo %q", err, report.Superseded, report.UndoID)
	}
}
