package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/web"
)

// machine is one that says what it is told to.
type machine struct {
	now    func() time.Time
	newest time.Time
}

func (m *machine) Examine(context.Context) []memory.Finding {
	return []memory.Finding{
		{Check: "pages", Condition: memory.ConditionOK, Detail: "every page was read"},
		{Check: "hooks", Condition: memory.ConditionWarning, Detail: "no host has called one <yet>", Advice: "install them"},
	}
}

func (m *machine) Settings() []web.Setting {
	return []web.Setting{{Key: "agent", Value: "default", From: "default", Help: "whose memory it is"},
		{Key: "told.keep", Value: "24h <b>", From: "config.yaml", Help: "how long it is kept"}}
}

func (m *machine) Backups() (string, time.Time, error) { return "/var/backups/memory", m.newest, nil }

func (m *machine) Backup(context.Context) (string, error) {
	m.newest = m.now()
	return "memory-1.tar.gz", nil
}

func TestHealth(t *testing.T) {
	w := newWorld(t, false)
	w.save(w.scope, remember.SaveRequest{Content: "The barn is red."})
	w.save(memory.Scope{Agent: "default", Project: "mill"}, remember.SaveRequest{Content: "The mill wheel is broken."})
	w.save(memory.Scope{Agent: "other"}, remember.SaveRequest{Content: "Not counted."})
	b := w.entered()
	page := b.get("/ui/health")
	page.must(t, http.StatusOK, "Nothing is known to be wrong", "2 hold, 0 set aside", "mill", "There is none yet in /var/backups/memory")
	looked := b.submit(page, "/ui/health/examine", nil)
	looked.must(t, http.StatusOK, "Looked through: there are warnings.", "every page was read", "no host has called one <yet>",
		"install them")
	made := b.submit(looked, "/ui/health/backup", nil)
	made.must(t, http.StatusOK, "Backed up, read again and checked: memory-1.tar.gz", "The newest is of 2026-03-01 12:00")
}

// TestHealthCountsAgain: what is written shows at once, though what was counted is remembered.
func TestHealthCountsAgain(t *testing.T) {
	w := newWorld(t, false)
	b := w.entered()
	for i, text := range []string{"The barn is red.", "The mill is blue.", "Ines moved to Porto."} {
		w.save(w.scope, remember.SaveRequest{Content: text})
		for range 2 {
			b.get("/ui/health").must(t, http.StatusOK, fmt.Sprintf("%d hold, 0 set aside", i+1))
		}
	}
	other := newWorld(t, true)
	for agent, n := range map[string]int{"ann": 1, "bob": 2} {
		for i := range n {
			other.save(memory.Scope{Agent: agent}, remember.SaveRequest{Content: fmt.Sprintf("Gate %d of the harbour is shut.", i)})
		}
		_, secret := other.token(access.Request{Agent: agent})
		other.signedIn(secret).get("/ui/health").must(t, http.StatusOK, fmt.Sprintf("%d hold, 0 set aside", n))
	}
}

// TestHealthOfATokensBank: its numbers, nothing of the machine.
func TestHealthOfATokensBank(t *testing.T) {
	w := newWorld(t, true)
	w.save(memory.Scope{Agent: "ann"}, remember.SaveRequest{Content: "The barn is red."})
	w.save(memory.Scope{Agent: "bob", Project: "bobs-mill"}, remember.SaveRequest{Content: "The mill wheel is broken."})
	_, all := w.token(access.Request{Agent: "ann"})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	b := w.signedIn(all)
	page := b.get("/ui/health")
	page.must(t, http.StatusOK, "1 hold, 0 set aside")
	if page.shows("bobs-mill") || page.shows("Doctor") || page.shows("/var/backups") {
		t.Errorf("a token sees the machine:\n%s", page.text)
	}
	for _, to := range []string{"/ui/health/examine", "/ui/health/backup"} {
		b.send(to, url.Values{"key": {keyOf(page)}}).must(t, http.StatusForbidden, "whoever runs the program")
	}
	w.signedIn(narrow).get("/ui/health").must(t, http.StatusForbidden, "whole bank")
}

// TestSettings: what is set, and the defaults, for who runs the program and for nobody with a token.
func TestSettings(t *testing.T) {
	b := newWorld(t, false).entered()
	page := b.get(b.get("/ui/health").link("All settings"))
	page.must(t, http.StatusOK, "told.keep", "24h <b>", "from config.yaml", "Whose memory it is")
	w := newWorld(t, true)
	_, secret := w.token(access.Request{Agent: "ann"})
	with := w.signedIn(secret)
	with.get("/ui/settings").must(t, http.StatusForbidden, "whoever runs the program")
	if health := with.get("/ui/health"); len(health.links(labelled("Pages of Settings"))) != 3 {
		t.Errorf("a token is led to %q", health.links(labelled("Pages of Settings")))
	}
}
