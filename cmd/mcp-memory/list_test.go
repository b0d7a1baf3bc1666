package main

import (
	"strings"
	"testing"
)

// listing is what `list --json` and `history --json` print.
type listing struct {
	Items []struct{ ID, Content, Kind string }
	More  bool
}

func (m *machine) listed(args ...string) string {
	m.t.Helper()
	var list listing
	m.read(&list, args...)
	var all []string
	for _, one := range list.Items {
		all = append(all, one.Content)
	}
	return strings.Join(all, "|")
}

func TestList(t *testing.T) {
	m := newMachine(t)
	m.now = someDay // a Sunday
	m.ok("save", "One.", "--category", "technical", "--tags", "a,b", "--occurred-at", "yesterday")
	m.ok("save", "Two.", "--project", "garden")
	m.ok("save", "Three.", "--tags", "a")
	m.ok("soul", "add", "I keep my word.")
	for want, args := range map[string]string{
		"I keep my word.|Three.|One.":      "list",
		"I keep my word.|Three.|Two.|One.": "list --project *",
		"I keep my word.|Three.":           "list -n 2",
		"One.":                             "list -n 2 --page 2",
		"I keep my word.":                  "list --kind soul",
		"Three.|One.":                      "list --tag a --kind fact",
		"Three.":                           "list --since today --kind fact",
	} {
		if got := m.listed(strings.Fields(args)...); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	if got := m.listed("list", "--until", "2026-03-01"); got != "One." {
		t.Errorf("until today: %q", got)
	}
	if got := m.listed("list", "--category", "technical", "--tag", "b"); got != "One." {
		t.Errorf("by category: %q", got)
	}
	if got := m.ok("list", "-n", "2"); !strings.HasSuffix(got, "\nMore: --page 2\n") {
		t.Errorf("a page ends %q", got)
	}
	if got := m.ok("list", "--kind", "diary"); got != "Nothing was found.\n" {
		t.Errorf("nothing is %q", got)
	}
	m.fails(exitUsage, "kind is", "list", "--kind", "cat")
	m.fails(exitUsage, "--page", "list", "--page", "0")
	m.fails(exitUsage, "limit", "list", "-n", "0")
	m.fails(exitUsage, "is not a time", "list", "--since", "last smarch")
	m.fails(exitUsage, "is not a time", "list", "--since", "31 February")
	m.fails(exitUsage, "--color", "list", "--color", "pink")
}

func TestHistoryAndWhatIsSetAside(t *testing.T) {
	m := newMachine(t)
	m.now = someDay
	var saved, next struct{ ID string }
	m.read(&saved, "save", "Anna drinks coffee.")
	m.read(&next, "update", saved.ID, "--content", "Anna drinks tea.")
	if got := m.listed("history", saved.ID[:20]); got != "Anna drinks tea.|Anna drinks coffee." {
		t.Errorf("history %q", got)
	}
	if got := m.ok("history", next.ID); strings.Count(got, "outdated") != 1 {
		t.Errorf("history prints %q", got)
	}
	m.ok("forget", next.ID[:18])
	for want, args := range map[string]string{"": "list", "Anna drinks tea.": "list --archived", "Anna drinks tea.|Anna drinks coffee.": "list --archived --superseded"} {
		if got := m.listed(strings.Fields(args)...); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	m.fails(exitFailed, "there is no memory", "history", "ffff")
	if r := m.run("", "get", saved.ID, "ffffffff"); r.code != exitFailed || !strings.Contains(r.stdout, "coffee") || !strings.Contains(r.stderr, "there is no memory ffffffff") {
		t.Errorf("get of one that is there and one that is not: %+v", r)
	}
	m.fails(exitUsage, "several ids", "get", saved.ID[:6])
}

// TestTimesOnTheCommandLine types times by words and without a zone: they are the user's.
func TestTimesOnTheCommandLine(t *testing.T) {
	m := newMachine(t)
	m.env["MCP_MEMORY_TIME_ZONE"] = "Europe/Oslo" // an hour ahead; it is 10:30 there
	due := func(typed string) string {
		t.Helper()
		m.ok("todo", "add", "Water the plants "+typed, "--due-at", typed)
		var list struct {
			Items []struct {
				Title string
				DueAt string `json:"due_at"`
			}
		}
		m.read(&list, "todo", "list")
		for _, one := range list.Items {
			if one.Title == "Water the plants "+typed {
				return one.DueAt
			}
		}
		return "nothing"
	}
	for typed, want := range map[string]string{
		"tomorrow 9am":              "2026-03-02T08:00:00Z",
		"friday":                    "2026-03-06T00:00:00Z", // a date of no zone
		"in 2 weeks":                "2026-03-15T00:00:00Z",
		"2026-03-05 14:30":          "2026-03-05T13:30:00Z",
		"2026-03-05T14:30:00Z":      "2026-03-05T14:30:00Z",
		"2026-03-05T14:30:00-05:00": "2026-03-05T19:30:00Z",
	} {
		if got := due(typed); got != want {
			t.Errorf("%q is %s, want %s", typed, got, want)
		}
	}
	m.fails(exitUsage, "due_at is", "todo", "add", "x", "--due-at", "last smarch")
	m.ok("diary", "write", "It rained.", "--date", "yesterday")
	var diary struct{ Items []struct{ Date string } }
	if m.read(&diary, "diary", "read", "--since", "last tuesday"); len(diary.Items) != 1 || diary.Items[0].Date != "2026-02-28" {
		t.Errorf("the diary has %+v", diary)
	}
}
