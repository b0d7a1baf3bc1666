package transfer_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
)

// TestBundleOfAnErasedConversation: what was erased with its conversation comes back only where that is asked for.
func TestBundleOfAnErasedConversation(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Turns, `{"session":"s1","content":"The ferry leaves at nine.","role":"user","ts":"2026-02-01T12:00:00Z"}
{"session":"s2","content":"And back at ten.","role":"user","ts":"2026-02-01T12:00:00Z"}`)
	action := memory.Action{ID: "a1", Session: "s1", At: start.Add(-time.Hour), Kind: memory.ActionTest, Text: "go test ./..."}
	if _, err := b.store.(memory.ActionLog).NoteActions(t.Context(), "anna", []memory.Action{action}); err != nil {
		t.Fatal(err)
	}
	bundle := b.export(t, "anna")
	if _, err := b.Service.Forget(t.Context(), anna, remember.ForgetRequest{Session: "s1", Permanent: true, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	if r := b.mustLoad(t, "", bundle); r.Created != 0 || r.Forgotten != 2 || r.Duplicates != 1 {
		t.Errorf("%+v", r)
	}
	wanted := transfer.Options{Scope: anna, Revive: true}
	if r, err := transfer.Import(t.Context(), b.Deps, strings.NewReader(bundle), wanted); err != nil || r.Turns != 1 || r.Actions != 1 {
		t.Errorf("brought back: %+v, %v", r, err)
	}
}

// TestBundleHasActions: what agents did comes back as it was, once, and an export without any is
// one that older programs take.
func TestBundleHasActions(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, "", b.export(t, "anna")) // makes nothing
	if err := b.store.Write(t.Context(), "anna",
		func(tx memory.Tx) error { return tx.InsertRecord(plainFact("anna", "Anna sails."), nil) }); err != nil {
		t.Fatal(err)
	}
	if got := b.export(t, "anna"); !strings.Contains(got, `"version":2`) || strings.Contains(got, `"actions"`) {
		t.Errorf("without actions:\n%s", got)
	}
	log := b.store.(memory.ActionLog)
	full := memory.Action{
		ID: "a1", Project: "barn", Session: "s1", At: start, Kind: memory.ActionTest,
		Text: "go test ./...", Dir: "/barn", Host: "codex", About: "tests", Asked: "test it",
		Outcome: memory.OutcomeFailed, Exit: 1, Took: 1500 * time.Millisecond, Tail: "FAIL\nexit <1>", Hunks: "0123abcd",
	}
	least := memory.Action{ID: "a2", Session: "s1", At: start.Add(time.Minute), Kind: memory.ActionRead, Text: "/barn/roof.go"}
	want := []memory.Action{least, full}
	if _, err := log.NoteActions(t.Context(), "anna", want); err != nil {
		t.Fatal(err)
	}
	bundle := b.export(t, "anna")
	if !strings.Contains(bundle, `"version":3`) {
		t.Errorf("no new version:\n%s", bundle)
	}
	other := newBank(t)
	for i, fresh := range []int{3, 0} {
		if r := other.mustLoad(t, "", bundle); r.Created != fresh || r.Created+r.Duplicates != 3 {
			t.Errorf("time %d: %+v", i+1, r)
		}
	}
	if _, err := other.load("", strings.Replace(bundle, `"project":"barn"`, `"project":"*"`, 1)); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("an action of all projects: %v", err)
	}
	got, err := other.store.(memory.ActionLog).Actions(t.Context(), "anna", memory.ActionFilter{})
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	for i := range got {
		got[i].At = got[i].At.UTC()
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
