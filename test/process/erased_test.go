//go:build unix

package process

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestErasedConversationStaysErased: a host still has the transcript of a conversation that was erased, and
// whether it goes on or another session starts, nothing of it is read again; what is said afterwards is.
func TestErasedConversationStaysErased(t *testing.T) {
	t.Parallel()
	w := newWorkbench(t)
	shop := repository(t, "shop")
	w.in(shop, "", "save", "The shop opens at nine.") // a bank, so that hooks need not wait for one
	id := "11111111-aaaa-4aaa-8aaa-000000000007"
	path := w.session(id, shop, time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC), "Make the zyzzyva.",
		done{command: "make zyzzyva", printed: "zyzzyva made"})
	stop := object{"transcript_path": path, "last_assistant_message": "Done."}
	turns := func() int { return strings.Count(w.in(shop, "", "export", "-"), `"type":"turn"`) }
	for until := time.Now().Add(time.Minute); turns() < 3; { // some of it is done behind the hook
		if time.Now().After(until) {
			t.Fatal("the hook has read nothing")
		}
		w.hook(shop, id, "Stop", stop)
	}
	w.in(shop, "", "forget", "--session", id, "--permanent", "--confirm")
	w.hook(shop, "new-session", "SessionStart", object{"source": "startup"})
	w.hook(shop, id, "Stop", stop)
	if n := turns(); n > 0 {
		t.Errorf("%d messages are back", n)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	more := object1(object{"type": "user", "uuid": "later", "sessionId": id, "cwd": shop, "timestamp": "2026-09-01T10:00:00Z",
		"message": object{"role": "user", "content": "Now the harbour."}})
	if err := os.WriteFile(path, append(text, more...), 0o600); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(time.Minute); turns() == 0 && time.Now().Before(until); {
		w.hook(shop, id, "Stop", stop)
	}
	all := w.in(shop, "", "export", "-")
	if n := turns(); n != 1 || !strings.Contains(all, "Now the harbour") || strings.Contains(all, "zyzzyva made") {
		t.Errorf("%d messages: %.2000s", n, all)
	}
}

// TestErasedConversationIsNotImported: an import leaves out what was said in a conversation before it was
// erased, and what was done in it, unless that is asked for.
func TestErasedConversationIsNotImported(t *testing.T) {
	t.Parallel()
	w := newWorkbench(t)
	shop := repository(t, "shop")
	id := "11111111-aaaa-4aaa-8aaa-000000000008"
	path := w.session(id, shop, time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC), "Make the zyzzyva.",
		done{command: "make zyzzyva", printed: "zyzzyva made"})
	lines := `{"session":"jotted","text":"The zyzzyva is green."}` + "\n" +
		`{"session":"jotted","ts":"2026-01-02","text":"The zyzzyva is grown."}` + "\n"
	imports := func(more ...string) string {
		t.Helper()
		said := w.in(shop, "", append([]string{"import", "--from", "claude-code", path, "--yes"}, more...)...)
		return said + w.in(shop, lines, append([]string{"import", "-"}, more...)...)
	}
	holds := func() bool { return strings.Contains(w.in(shop, "", "export", "-"), `"type":"turn"`) }
	imports()
	if !holds() {
		t.Fatal("nothing was imported")
	}
	for _, session := range []string{id, "jotted"} {
		w.in(shop, "", "forget", "--session", session, "--permanent", "--confirm")
	}
	if said := imports(); holds() || !strings.Contains(said, "forgotten") || !strings.Contains(said, "--revive") {
		t.Errorf("it is back: %s", said)
	}
	if said := w.in(shop, "", "how", "make zyzzyva"); strings.Contains(said, "worked") {
		t.Errorf("what was done is known: %s", said)
	}
	if said := imports("--revive"); !holds() {
		t.Errorf("it is not back: %s", said)
	}
}
