package tools

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// traces returns the files of the data directory that have a word in them.
func (r *rig) traces(word string) (names []string) {
	r.t.Helper()
	err := filepath.WalkDir(r.bank.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(content), []byte(strings.ToLower(word))) {
			names = append(names, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return names
}

// A conversation is erased with its summary and its files. Memories that were
// drawn from it are named, and go by their ids.
func TestForgetASession(t *testing.T) {
	const word = "Zyqolumbrava" // not one that is cut to a stem
	r := newFullRig(t)
	appended := func(session, word string) {
		t.Helper()
		var messages []string
		for i := range 12 {
			messages = append(messages,
				fmt.Sprintf(`{"role":"user","content":"I decided that shed %d of the harbour is for %s and I prefer oak for its door."},{"role":"assistant","content":"Shed %d is noted."}`, i, word, i))
		}
		r.must("context_append", `{"session_id":"`+session+`","messages":[`+strings.Join(messages, ",")+`]}`, &struct{}{})
		r.must("context_compact", `{"session_id":"`+session+`"}`, &struct{}{})
	}
	appended("first", word)
	appended("second", "quinces")
	before := r.traces(word)
	for _, name := range []string{"first.jsonl", "HISTORY.md", "MEMORY.md"} {
		if !strings.Contains(strings.Join(before, " "), name) {
			t.Fatalf("before: only in %q", before)
		}
	}
	for args, want := range map[string]string{
		`{"session":"first"}`:                                             "invalid_argument: a conversation can only be erased for good",
		`{"session":"first","permanent":true}`:                            "invalid_argument: permanent erases for good and needs confirm",
		`{"session":"third","permanent":true,"confirm":true}`:             "not_found: there is no conversation",
		`{"session":"first","ids":["a"],"permanent":true,"confirm":true}`: "invalid_argument: ids, query, link_id, session and undo exclude each other",
	} {
		if text := textOf(r.call("memory_forget", args)); !strings.HasPrefix(text, want) {
			t.Errorf("%s: %s", args, text)
		}
	}
	var would, out, rest forgetOutput
	r.must("memory_forget", `{"session":"first","project":"","dry_run":true}`, &would)
	if would.Messages != 24 || len(would.Drawn) == 0 || len(r.traces(word)) != len(before) {
		t.Errorf("dry run: %+v", would)
	}
	r.must("memory_forget", `{"session":"first","permanent":true,"confirm":true}`, &out)
	if out.Messages != 24 || len(out.Drawn) != len(would.Drawn) {
		t.Errorf("%+v", out)
	}
	r.must("memory_forget", `{"ids":["`+strings.Join(out.Drawn, `","`)+`"],"permanent":true,"confirm":true}`, &rest)
	if err := r.store.Scrub(t.Context()); err != nil { // on a slow machine it may still be under way
		t.Fatal(err)
	}
	if found := r.traces(word[:8]); len(found) > 0 {
		t.Errorf("still in %q", found)
	}
	if found := r.traces("quinces"); !strings.Contains(strings.Join(found, " "), "HISTORY.md") ||
		!strings.Contains(strings.Join(found, " "), "second.jsonl") {
		t.Errorf("the other conversation is only in %q", found)
	}
	var status struct{ Utilization struct{} }
	r.must("context_status", `{"session_id":"second"}`, &status)
	if text := textOf(r.call("context_status", `{"session_id":"first"}`)); !strings.HasPrefix(text, "not_found") {
		t.Errorf("status: %s", text)
	}
}
