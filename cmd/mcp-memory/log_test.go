package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// logged is what `log --json` prints.
type logged struct {
	Items []struct {
		ID, Action string
		Count      int
		UndoneAt   string `json:"undone_at"`
		Records    []struct{ Content string }
	}
}

// TestUndoGoesBackStepByStep changes a bank by every command that is undone, and
// takes one after the other back.
func TestUndoGoesBackStepByStep(t *testing.T) {
	m := newMachine(t)
	m.now = someDay
	var saved struct{ ID string }
	m.read(&saved, "save", "Anna plays the oboe.")
	m.ok("update", saved.ID, "--tags", "music")
	m.ok("soul", "add", "I keep my word.")
	if r := m.run(`{"content":"The harbour opens at six."}`+"\n"+`{"content":"Boats leave on Fridays."}`, "import",
		"-"); r.code != exitDone {
		t.Fatalf("%+v", r)
	}
	m.ok("forget", saved.ID)

	var log logged
	m.read(&log, "log")
	want := []string{"forget 1 Anna plays the oboe.", "import 2 The harbour opens at six.", "save 1 I keep my word.",
		"update 1 Anna plays the oboe.", "save 1 Anna plays the oboe."}
	var got []string
	for _, one := range log.Items {
		got = append(got, fmt.Sprintf("%s %d %s", one.Action, one.Count, one.Records[0].Content))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("logged\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var page logged
	if m.read(&page, "log", "-n", "2", "--before", log.Items[1].ID); len(page.Items) != 2 || page.Items[0].ID != log.Items[2].ID {
		t.Errorf("a page: %+v", page)
	}

	live := func(query string) bool { return strings.Contains(m.ok("recall", query), query) }
	for i, query := range []string{"Anna plays the oboe.", "The harbour opens at six.", "I keep my word."} {
		before := live(query)
		if shown := m.ok("undo", "--yes"); !strings.Contains(shown, query) {
			t.Errorf("undo %d shows %q", i, shown)
		}
		if after := live(query); after == before {
			t.Errorf("after undo %d it is still %t that %q is there", i, after, query)
		}
	}
	m.ok("undo")
	var found struct{ Records []struct{ Tags []string } }
	if m.read(&found, "get", saved.ID); len(found.Records) != 1 || len(found.Records[0].Tags) > 0 {
		t.Errorf("after the update was undone: %+v", found)
	}
	m.ok("undo")
	m.fails(exitFailed, "nothing to undo", "undo")
	m.fails(exitFailed, "undone already", "undo", log.Items[0].ID)
	m.fails(exitFailed, "there is no change", "undo", "ffffffff")
}

// TestUndoTakesNothingElseBack: where the last change was to a to-do or an event, undo without an id
// takes no memory back in its place.
func TestUndoTakesNothingElseBack(t *testing.T) {
	m := newMachine(t)
	m.now = someDay
	var saved struct{ ID string }
	m.read(&saved, "save", "Anna plays the oboe.")
	m.now = m.now.Add(time.Minute)
	m.ok("todo", "add", "Tune the piano")
	if r := m.run("", "undo", "--yes"); r.code == exitDone || !strings.Contains(r.stderr, "the to-do Tune the piano") {
		t.Errorf("%+v", r)
	}
	m.now = m.now.Add(time.Minute)
	m.ok("calendar", "add", "Concert", "--starts-at", m.now.AddDate(0, 0, 3).Format(time.RFC3339))
	if r := m.run("", "undo", "--yes"); r.code == exitDone || !strings.Contains(r.stderr, "the event Concert") {
		t.Errorf("%+v", r)
	}
	m.ok("undo", saved.ID, "--yes")
}

// TestShortIDs takes the beginning of an id for it where it means one thing only.
func TestShortIDs(t *testing.T) {
	m := newMachine(t)
	m.now = someDay
	for _, text := range []string{"One.", "Two.", "Three."} {
		m.ok("save", text)
	}
	shown := regexp.MustCompile(`(?m)^  (\S+) · `).FindAllStringSubmatch(m.ok("log"), -1)
	var log logged
	m.read(&log, "log")
	if len(shown) != 3 {
		t.Fatalf("shown %q", shown)
	}
	for i, one := range shown {
		if short := one[1]; len(short) < shortest || !strings.HasPrefix(log.Items[i].ID, short) {
			t.Errorf("%q is short for %s", short, log.Items[i].ID)
		}
	}
	m.fails(exitUsage, "is the beginning of several ids", "undo", log.Items[0].ID[:4])
	if got := m.ok("undo", strings.ToUpper(shown[1][1])); !strings.Contains(got, "Two.") {
		t.Errorf("undid %q", got)
	}
	m.ok("forget", log.Items[0].ID)
	forgotten := regexp.MustCompile(`(?m)^  (\S+) · forget`).FindStringSubmatch(m.ok("log"))
	if forgotten == nil {
		t.Fatal("the log has no forgetting")
	}
	if m.ok("forget", "--undo", forgotten[1]); !strings.Contains(m.ok("list"), "Three.") {
		t.Error("a forgetting is not undone by the beginning of its id")
	}
}
