//go:build unix

package process

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// told is what every door below is given, each with a letter of its own.
var told = regexp.MustCompile(`hunter[0-9A-Z]zz`)

// TestSecretsStayUnsaid: whatever tool a secret came by, it stands in no file that people
// read, and neither the first page of a session nor the instructions have it. Who asks for
// it is told.
func TestSecretsStayUnsaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := start(t, dir, "serve", "--tools", "all")
	for _, call := range []struct {
		tool string
		args object
	}{
		{"memory_save", object{"content": "The password of the NAS is hunter0zz", "category": "identity", "importance": 0.9}},
		{"add_to_longterm_memory", object{"content": "I logged in, the password is hunter1zz"}},
		{"soul_add", object{"kind": "value", "content": "My password is hunter2zz"}},
		{"learning_record", object{"kind": "correction", "content": "No, the root password is hunter3zz"}},
		{"save_episode", object{"event": "Logged in with password hunter4zz", "outcome": "It worked."}},
		{"save_procedure", object{"name": "login", "description": "Log in", "steps": []object{{"action": "type the password hunter5zz"}}}},
		{"save_semantic", object{"subject": "NAS", "predicate": "has password", "object": "hunter6zz"}},
		{"relationship_update", object{"agent": "bob", "notes": "his password is hunter7zz"}},
		{"diary_write", object{"content": "Today I set my password to hunter8zz"}},
		{"add_todo", object{"title": "Log in with password hunter9zz", "priority": "urgent"}},
	} {
		r := h.call(call.tool, call.args)
		if r.IsError || !strings.Contains(r.text(), "looks like a secret") {
			t.Errorf("%s says %q", call.tool, r.text())
		}
	}
	h.must("context_append", object{"session_id": "s", "context_window": 700, "reserve_tokens": 100, "messages": []object{
		{"role": "user", "content": "I am a baker in Oslo and my password is hunterAzz. " +
			strings.Repeat("We talked about the oven and the bread at length. ", 20)},
		{"role": "assistant", "content": "I will remember: the password is hunterBzz. " +
			strings.Repeat("The oven is hot and the bread is good today. ", 20)},
		{"role": "user", "content": "Always use the token hunterCzz-4f9a8b7c6d5e for the shop. " +
			strings.Repeat("The flour comes from the mill in the valley. ", 20)},
	}}, &object{})
	h.must("context_compact", object{"session_id": "s"}, &object{})
	if got := h.recall("What is the password of the NAS?"); len(got) == 0 || !strings.Contains(strings.Join(got, "\n"), "hunter0zz") {
		t.Errorf("asked for it: %q", got)
	}
	h.hangUp()

	again := start(t, dir, "serve", "--tools", "all")
	for name, line := range map[string]string{
		"the instructions": `{"jsonrpc":"2.0","id":900,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		"the first page":   `{"jsonrpc":"2.0","id":901,"method":"resources/read","params":{"uri":"memory://session-start"}}`,
	} {
		again.write(line + "\n")
		m := again.next()
		if found := told.FindAllString(string(m.Result), -1); m.Error != nil || len(m.Result) < 100 || len(found) > 0 {
			t.Errorf("%s: %q, %v", name, found, m.Error)
		}
	}
	again.hangUp()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		for _, one := range told.FindAllString(string(content), -1) {
			t.Errorf("%s has %s", filepath.Base(path), one)
		}
		return err
	})
	if err != nil || files < 3 {
		t.Errorf("%d files, %v", files, err)
	}
}
