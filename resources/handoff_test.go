package resources_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/internal/golden"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/resources"
)

var barn = memory.Scope{Agent: "ann", Project: "barn"}

// work reports a session: "U" what the user says, "A" the agent, "+" a command that worked, "-" one that
// failed, with what it says behind "=>", "t" tests that passed, "~" a file that was changed.
func (b *talks) work(scope memory.Scope, session, lines string) {
	b.t.Helper()
	var messages []contextwindow.Message
	var did []memory.Action
	asked := ""
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		mark, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		text, tail, _ := strings.Cut(text, " => ")
		a := memory.Action{
			ID: fmt.Sprint(session, len(did)), Session: session,
			At: b.clock.Now(), Kind: memory.ActionCommand, Text: text, Dir: "/work/barn",
			Host: "codex", Asked: asked, Outcome: memory.OutcomeOK, Tail: tail,
		}
		switch mark {
		case "U":
			asked = text
			messages = append(messages, contextwindow.Message{Role: memory.RoleUser, Content: text, TS: b.clock.Now()})
			continue
		case "A":
			messages = append(messages, contextwindow.Message{Role: memory.RoleAssistant, Content: text, TS: b.clock.Now()})
			continue
		case "-":
			a.Outcome = memory.OutcomeFailed
		case "t":
			a.Kind = memory.ActionTest
		case "~":
			a.Kind = memory.ActionEdit
		}
		did = append(did, a)
		b.clock.Pass(time.Minute)
	}
	if _, err := b.window.Append(b.t.Context(),
		contextwindow.AppendRequest{Scope: scope, Session: session, Messages: messages}); err != nil {
		b.t.Fatal(err)
	}
	if n, err := b.Actions().Note(b.t.Context(), scope, did); err != nil || n != len(did) {
		b.t.Fatal(n, err)
	}
}

func (b *talks) handoff(scope memory.Scope) resources.Handoff {
	b.t.Helper()
	h, err := b.pages.Handoff(b.t.Context(), scope)
	if err != nil {
		b.t.Fatal(err)
	}
	if n := b.Tokens.Count(h.Text()); n > resources.HandoffTokens {
		b.t.Errorf("%d tokens:\n%s", n, h.Text())
	}
	return h
}

const barnWork = `
	U Doors of the barn stick when it rains: find out why, and get the tests of the hinge green.
	A I'll look.
	+ ls hinge
	- go test ./hinge => --- FAIL: TestRain (0.01s)
	~ /work/barn/hinge/hinge.go
	~ /work/barn/hinge/hinge.go
	~ /work/barn/README.md
	t go test ./hinge => ok
	- make door => make: *** No rule to make target 'door'.  Stop.
	+ make doors
	- terraform plan => Error: no credentials
	U The vault's password is hunter2xyz9, and the paint comes on Friday.
	+ git commit -am "Oil the hinge when it rains"
	A The hinge moves. Open: the north door is not tried yet. Open: the password is hunter2xyz9.`

// TestHandoff wants of a session what was asked, done, decided and left open, without what was mended, looked
// at, or is secret; and nothing of other projects, agents or erased sessions.
func TestHandoff(t *testing.T) {
	b := newTalks(t, time.UTC, 0)
	if h := b.handoff(barn); h.Session != "" {
		t.Errorf("without a session: %+v", h)
	}
	b.work(barn, "older", "U Paint the roof of the barn green before the winter comes.\n+ make paint\nA Done.")
	b.clock.Pass(24 * time.Hour)
	b.work(barn, "rain", barnWork)
	for _, content := range []string{"We decided to oil all hinges of the barn twice a year.", "The barn's key code is 4471."} {
		if _, err := b.Remember.Save(t.Context(), barn,
			remember.SaveRequest{Content: content, Provenance: []byte(`{"session":"rain"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	b.clock.Pass(time.Hour)
	b.work(memory.Scope{Agent: "ann", Project: "mill"}, "wheel", "U Mend the wheel of the mill, it squeaks.\n+ make wheel")
	b.work(memory.Scope{Agent: "bob", Project: "barn"}, "thief", "U Sell the barn to the neighbour today.\n+ make sale")
	h := b.handoff(barn)
	golden.Compare(t, filepath.Join("testdata", "handoff.txt"), []byte(h.Text()+"\nOn the page of a new session:"+b.last(barn)))
	if h.Session != "rain" || h.Host != "codex" {
		t.Errorf("%+v", h)
	}
	for _, no := range []string{"hunter2", "4471", "wheel", "neighbour"} {
		if strings.Contains(h.Text()+b.last(barn), no) {
			t.Errorf("%q is told:\n%s", no, h.Text())
		}
	}
	if err := b.Store.Write(t.Context(), "ann", func(tx memory.Tx) error { _, err := tx.EraseSession("rain"); return err }); err != nil {
		t.Fatal(err)
	}
	if h := b.handoff(barn); h.Session != "older" || strings.Contains(h.Text(), "hinge") {
		t.Errorf("after its session was erased: %+v", h)
	}
}

// teller is a model that tells a session in one way, or fails.
type teller struct{ tells string }

func (m *teller) Name() string { return "teller" }
func (m *teller) Local() bool  { return false }
func (m *teller) Extract(context.Context, memory.ExtractRequest) ([]memory.Extracted, error) {
	return nil, nil
}
func (m *teller) Summarize(_ context.Context, r memory.SummaryRequest) (string, error) {
	if m.tells == "" || len(r.Turns) == 0 || r.Focus == "" {
		return "", memory.Errorf(memory.CodeUnavailable, "nothing is told")
	}
	return m.tells, nil
}

// TestHandoffByAModel: where a model told a session at its end its sentences stand in place of those of the rules,
// without secrets, until more is said or the session is erased; where it failed the rules tell it.
func TestHandoffByAModel(t *testing.T) {
	m := &teller{}
	b := newTalks(t, time.UTC, 0, m)
	b.work(barn, "rain", barnWork)
	end := func() {
		t.Helper()
		if err := b.window.TellEnd(t.Context(), barn, "rain"); err != nil {
			t.Fatal(err)
		}
	}
	end()
	if h := b.handoff(barn); len(h.Summary) > 0 || len(h.Asked) == 0 {
		t.Errorf("where the model fails: %+v", h)
	}
	m.tells = "The doors were to be mended. The door code is 4471. The hinge test is green now! The oil is still to be bought."
	end()
	h := b.handoff(barn)
	if want := []string{"The doors were to be mended.", "The hinge test is green now!",
		"The oil is still to be bought."}; !slices.Equal(h.Summary,
		want) || len(h.Asked)+len(h.Decided)+len(h.Open) > 0 || len(h.Done) == 0 {
		t.Errorf("by the model: %+v", h)
	}
	if page := b.last(barn); !strings.Contains(page, "- The hinge test is green now!\n") || strings.Contains(page, "4471") ||
		strings.Contains(page, "Asked:") {
		t.Errorf("on the page:\n%s", page)
	}
	m.tells = "It is told twice."
	end()
	if h := b.handoff(barn); h.Summary[0] != "The doors were to be mended." {
		t.Errorf("told again, though nothing was said since: %+v", h)
	}
	b.talk(barn, "rain", "The oil is bought, so close the list.")
	if h := b.handoff(barn); len(h.Summary) > 0 {
		t.Errorf("more was said since: %+v", h)
	}
	end()
	if err := b.Store.Write(t.Context(), "ann", func(tx memory.Tx) error { _, err := tx.EraseSession("rain"); return err }); err != nil {
		t.Fatal(err)
	}
	if h := b.handoff(barn); h.Session != "" {
		t.Errorf("after it was erased: %+v", h)
	}
}

// TestHandoffIsBounded: whatever was done and said in a session, it stays within its tokens.
func TestHandoffIsBounded(t *testing.T) {
	b := newTalks(t, time.UTC, 0)
	long := strings.Repeat("very long and winding ", 30)
	lines := []string{"U " + long + "request", "U " + long + "question"}
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("~ /work/barn/%d/%s.go", i, strings.Repeat("deep/", 60)),
			fmt.Sprintf("- run%d %s => error: %s", i, long, long), fmt.Sprintf("+ walk%d %s", i, long))
	}
	b.work(barn, "road", strings.Join(lines, "\n"))
	for i, way := range []string{"paved with stone", "closed to cars", "lit by lamps at night"} {
		if _, err := b.Remember.Save(t.Context(), barn,
			remember.SaveRequest{Content: fmt.Sprintf("We decided that road %d is %s. %s", i, way, long),
				Provenance: []byte(`{"session":"road"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	h := b.handoff(barn)
	if len(h.Asked) == 0 || len(h.Done) == 0 ||
		!slices.ContainsFunc(h.Decided, func(d string) bool { return strings.Contains(d, "road") }) {
		t.Errorf("%+v", h)
	}
}

// TestBlame wants the sessions that changed a file and what was decided about it, of this project alone.
func TestBlame(t *testing.T) {
	b := newTalks(t, time.UTC, 0)
	b.work(barn, "rain", barnWork)
	b.work(memory.Scope{Agent: "ann", Project: "mill"}, "wheel", "U Mend the wheel of the mill.\n~ /work/mill/hinge/hinge.go")
	for _, content := range []string{"Rule: hinge/hinge.go is oiled by hand, never by the robot.",
		"The key code of the door in hinge/hinge.go is 4471."} {
		if _, err := b.Remember.Save(t.Context(), barn, remember.SaveRequest{Content: content}); err != nil {
			t.Fatal(err)
		}
	}
	page := func(scope memory.Scope, path string) string {
		p, err := b.pages.Read(t.Context(), scope, resources.Blames+path)
		if err != nil {
			return string(memory.CodeOf(err))
		}
		return p.Text
	}
	for _, path := range []string{"/work/barn/hinge/hinge.go", "hinge.go", "hinge/hinge%2Ego"} {
		text := page(barn, path)
		if !strings.Contains(text, "\n## Sessions\n\n- 2026-03-01 codex, rain, 2 edits\n  - asked: Doors of the barn stick") ||
			!strings.Contains(text, "\n## Decisions\n\n- 2026-03-01 Rule: hinge/hinge.go is oiled by hand") {
			t.Errorf("%s:\n%s", path, text)
		}
		if strings.Contains(text, "mill") || strings.Contains(text, "wheel") || strings.Contains(text, "4471") {
			t.Errorf("%s tells what it should not:\n%s", path, text)
		}
	}
	if got := page(memory.Scope{Agent: "bob", Project: "barn"}, "hinge.go"); got != string(memory.CodeNotFound) {
		t.Errorf("another agent: %s", got)
	}
}
