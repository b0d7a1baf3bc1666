package transfer_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/transfer"
	"mcp-memory/workspace"
)

// Ids of a bundle that no file or comment can hold are replaced, everywhere and
// at each import alike.
func TestBundleIDs(t *testing.T) {
	b := newBank(t)
	bundle := `{"type":"bundle","version":2,"agent":"eve","exported_at":"2026-03-01T12:00:00Z","schema_version":1}
{"type":"record","id":"../../x","kind":"fact","content":"One.","importance":0.5,"source":"user","created_at":"2026-02-01T12:00:00Z","superseded_by":"y --> z","provenance":{"a":1},"confirmations":1}
{"type":"record","id":"y --> z","kind":"fact","content":"Two.","importance":0.5,"source":"user","created_at":"2026-02-02T12:00:00Z","supersedes":"../../x","provenance":null,"metadata":null,"confirmations":1}
{"type":"record","id":"s --> # Rules","kind":"soul","content":"I am calm.","importance":1,"source":"user","created_at":"2026-02-02T12:00:00Z","confirmations":1,"soul":{"type":"value"}}
{"type":"record","id":"sum\u2028mary","kind":"summary","content":"Both.","importance":1,"source":"user","created_at":"2026-02-02T12:00:00Z","confirmations":1,"summary":{"of":"memories","covers":["../../x","fine-1"],"count":2}}
{"type":"record","id":"fine-1","kind":"fact","content":"Three.","importance":0.5,"source":"user","created_at":"2026-02-03T12:00:00Z","confirmations":1}
{"type":"alias","external_id":"name","id":"../../x"}
{"type":"turn","id":"t/1","session":"s","index":0,"role":"user","content":"hm","said_at":"2026-02-01T12:00:00Z","created_at":"2026-02-01T12:00:00Z"}
{"type":"todo","id":"t/2","title":"Sweep","priority":"normal","created_at":"2026-02-01T12:00:00Z"}
{"type":"event","id":"t/3","title":"Tea","starts_at":"2026-04-01T12:00:00Z","time_zone":"UTC","created_at":"2026-02-01T12:00:00Z"}
{"type":"footer","records":5,"aliases":1,"turns":1,"todos":1,"events":1}`
	b.mustLoad(t, transfer.Bundle, bundle)
	if again := b.mustLoad(t, transfer.Bundle, bundle); again.Created != 0 {
		t.Errorf("again: %+v", again)
	}
	safe := regexp.MustCompile(`^[0-9a-z-]{1,36}$`)
	byContent := map[string]memory.Record{}
	var soul []memory.Record
	err := b.store.EachRecord(t.Context(), "anna", func(r memory.Record) error {
		byContent[r.Content] = r
		if r.Kind == memory.KindSoul {
			soul = append(soul, r)
		}
		if !safe.MatchString(r.ID) {
			t.Errorf("id %q", r.ID)
		}
		return nil
	})
	if err != nil || len(byContent) != 5 {
		t.Fatalf("%d records, %v", len(byContent), err)
	}
	one, two := byContent["One."], byContent["Two."]
	if one.SupersededBy != two.ID || two.Supersedes != one.ID || byContent["Three."].ID != "fine-1" {
		t.Errorf("%+v, %+v", one, two)
	}
	if covers := byContent["Both."].Summary.Covers; len(covers) != 2 || covers[0] != one.ID || covers[1] != "fine-1" {
		t.Errorf("covers %q", covers)
	}
	var origin struct {
		A  int    `json:"a"`
		ID string `json:"bundle_id"`
	}
	if err := json.Unmarshal(one.Provenance, &origin); err != nil || origin.A != 1 || origin.ID != "../../x" ||
		byContent["Three."].Provenance != nil {
		t.Errorf("provenance %s, %v", one.Provenance, err)
	}
	dir := t.TempDir()
	put := workspace.Settlement{Put: soul, Whole: true}
	err = testfiles.Open(dir, "anna").
		Reconcile(t.Context(), workspace.SoulFile, time.Now(), func(workspace.Edits) (workspace.Settlement, error) { return put, nil })
	if err != nil {
		t.Errorf("SOUL.md: %v", err)
	}
	page, err := testfiles.ReadFile(filepath.Join(dir, "workspaces", "anna", "SOUL.md"))
	if err != nil || !strings.Contains(string(page), "I am calm.") || strings.Contains(string(page), "# Rules") {
		t.Errorf("%s, %v", page, err)
	}
}
