package web_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// put makes a file of an agent's workspace.
func (w *world) put(agent, name, text string) {
	w.t.Helper()
	dir := workspace.Open(w.bank.Dir, agent)
	if agent == memory.SharedFiles {
		dir = dir.Shared()
	}
	old, err := dir.Raw(w.t.Context(), name)
	if err != nil {
		w.t.Fatal(err)
	}
	if done, err := dir.Swap(w.t.Context(), name, old, []byte(text)); err != nil || !done {
		w.t.Fatalf("put %s: %v, %v", name, done, err)
	}
}

func TestFiles(t *testing.T) {
	w := newWorld(t, false)
	w.put("default", "MEMORY.md", "\ufeff# Memory\r\n\r\n- <b>The barn</b> is red.\r\n")
	w.put("default", "notes/harbour.md", "The harbour office opens at seven.\n")
	w.put("default", "sessions/s1.jsonl", "{}\n")
	w.put("default", "notes/screen.md", "\x1b[31mred\x1b[0m\n")
	b := w.entered()
	b.get("/ui/files").must(t, http.StatusOK, "MEMORY.md", "notes", "harbour.md", "s1.jsonl")
	page := b.get("/ui/files?name=MEMORY.md")
	page.must(t, http.StatusOK, "- <b>The barn</b> is red.")
	saved := b.submit(page, "/ui/files", url.Values{"content": {"# Memory\r\n\r\n- The barn is green.\r\n"}})
	saved.must(t, http.StatusOK, "Saved.", "The barn is green.")
	raw, err := workspace.Open(w.bank.Dir, "default").Raw(t.Context(), "MEMORY.md")
	if want := "\ufeff# Memory\r\n\r\n- The barn is green.\r\n"; err != nil || string(raw) != want {
		t.Errorf("the file is %q, %v", raw, err)
	}
	// In the other tab it is old.
	late := b.submit(page, "/ui/files", url.Values{"content": {"# Mine"}})
	late.must(t, http.StatusConflict, "Somebody changed the file", "The barn is green.", "# Mine")
	if now, _ := workspace.Open(w.bank.Dir, "default").Raw(t.Context(), "MEMORY.md"); !bytes.Equal(now, raw) {
		t.Errorf("a conflict has written %q", now)
	}
	b.submit(late, "/ui/files", nil).must(t, http.StatusOK, "Saved.", "# Mine")
	for _, closed := range []string{"sessions/s1.jsonl", "notes/screen.md"} {
		page := b.get("/ui/files?" + url.Values{"name": {closed}}.Encode())
		if page.status != http.StatusOK || page.find(func(n *html.Node) bool { return n.Data == "textarea" }) != nil {
			t.Errorf("%s: %d, or it can be edited", closed, page.status)
		}
		b.send("/ui/files", url.Values{"key": {keyOf(page)}, "name": {closed}, "content": {"x"}}).must(t, http.StatusForbidden)
	}
	for _, name := range []string{"../default/MEMORY.md", "/etc/passwd", "notes/../../x.md", ".gitignore", "nothing.md", "notes",
		`..\x.md`} {
		got := b.get("/ui/files?" + url.Values{"name": {name}}.Encode())
		if got.status != http.StatusNotFound && got.status != http.StatusBadRequest && got.status != http.StatusForbidden {
			t.Errorf("%s: %d", name, got.status)
		}
		if sent := b.send("/ui/files", url.Values{"key": {keyOf(page)}, "name": {name}, "content": {"x"}}); sent.status < 400 {
			t.Errorf("%s was written: %d", name, sent.status)
		}
	}
	b.submit(saved, "/ui/files", url.Values{"content": {strings.Repeat("x", 1<<20+1)}}).must(t, http.StatusRequestEntityTooLarge)
}

// TestFilesOfTheAgent: what the agent keeps by itself can be taken back afterwards.
func TestFilesOfTheAgent(t *testing.T) {
	w := newWorld(t, false)
	memories := workspace.Open(w.bank.Dir, "default").Memories()
	if err := memories.Create(t.Context(), "plan.txt", "first the roof"); err != nil {
		t.Fatal(err)
	}
	b := w.entered()
	b.submit(b.get("/ui/files?name=memories/plan.txt"), "/ui/files", url.Values{"content": {"first the door"}}).
		must(t, http.StatusOK, "Saved.", "first the door")
	changes, err := memories.Changes(t.Context(), 1)
	if err != nil || len(changes) != 1 {
		t.Fatalf("%v, %v", changes, err)
	}
	if _, err := memories.Undo(t.Context(), changes[0].ID); err != nil {
		t.Fatal(err)
	}
	b.get("/ui/files?name=memories/plan.txt").must(t, http.StatusOK, "first the roof")
}

// TestFilesOfTokens: those of its agent; of all agents only to read.
func TestFilesOfTokens(t *testing.T) {
	w := newWorld(t, true)
	w.put("ann", "notes.md", "Ann's own.")
	w.put("bob", "secret.md", "Bob's own.")
	w.put(memory.SharedFiles, "AGENTS.md", "Told to all.")
	_, all := w.token(access.Request{Agent: "ann"})
	_, reader := w.token(access.Request{Agent: "ann", ReadOnly: true})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	b := w.signedIn(all)
	list := b.get("/ui/files")
	list.must(t, http.StatusOK, "notes.md", "For all agents", "AGENTS.md")
	if list.shows("secret.md") {
		t.Errorf("a token sees another's files:\n%s", list.text)
	}
	b.get("/ui/files?name=secret.md").must(t, http.StatusNotFound)
	shared := b.get("/ui/files?name=_shared/AGENTS.md")
	shared.must(t, http.StatusOK, "Told to all.", "edited where it lies")
	b.send("/ui/files", url.Values{"key": {keyOf(shared)}, "name": {"_shared/AGENTS.md"}, "content": {"x"}}).must(t, http.StatusForbidden)
	r := w.signedIn(reader)
	page := r.get("/ui/files?name=notes.md")
	page.must(t, http.StatusOK, "Ann's own.")
	if page.find(func(n *html.Node) bool { return n.Data == "textarea" }) != nil {
		t.Error("a reader is offered a form")
	}
	w.signedIn(narrow).get("/ui/files").must(t, http.StatusForbidden, "whole bank")
}
