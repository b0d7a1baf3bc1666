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
	for want, args := range map[string]string{"": "list", "Anna drinks tea.": "list --archived",
		"Anna drinks tea.|Anna drinks coffee.": "list --archived --superseded"} {
		if got := m.listed(strings.Fields(args)...); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	m.fails(exitFailed, "there is no memory", "history", "ffff")
	if r := m.run("", "get", saved.ID, "ffffffff"); r.code != exitFailed || !strings.Contains(r.stdout, "coffee") ||
		!strings.Contains(r.stderr, "there is no memory ffffffff") {
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
	m.ok("calendar", "add", "Choir", "--starts-at", "monday 19:00", "--recurrence", "FREQ=DAILY;COUNT=7")
	m.ok("calendar", "remove", m.eventID(), "--occurrence", "wednesday 7pm")
	var planned struct {
		Items []struct {
			StartsAt string `json:"starts_at"`
		}
	}
	if m.read(&planned, "calendar", "list", "--from", "tuesday", "--to", "friday"); len(planned.Items) != 2 ||
		planned.Items[0].StartsAt != "2026-03-03T18:00:00Z" || planned.Items[1].StartsAt != "2026-03-05T18:00:00Z" {
		t.Errorf("from Tuesday to Friday there is %+v", planned)
	}
	m.fails(exitUsage, "--due-at is", "todo", "add", "x", "--due-at", "last smarch")
	m.ok("diary", "write", "It rained.", "--date", "yesterday")
	var diary struct{ Items []struct{ Date string } }
	if m.read(&diary, "diary", "read", "--since", "last tuesday"); len(diary.Items) != 1 || diary.Items[0].Date != "2026-02-28" {
		t.Errorf("the diary has %+v", diary)
	}
}

// eventID is the id of the first event of the next week.
func (m *machine) eventID() string {
	m.t.Helper()
	var planned struct{ Items []struct{ ID string } }
	if m.read(&planned, "calendar", "list"); len(planned.Items) == 0 {
		m.t.Fatal("nothing is planned")
	}
	return planned.Items[0].ID
}

// TestGetShowsEverything shows a memory whole, with what only its kind has, and whatever
// numbers a person gave it.
func TestGetShowsEverything(t *testing.T) {
	m := newMachine(t)
	m.now = someDay
	var saved, next, episode, procedure struct{ ID string }
	m.read(&saved, "save", "Anna drinks coffee.", "--metadata", `{"order": 9007199254740993}`)
	m.read(&next, "save", "Anna drinks tea.", "--supersedes", saved.ID[:20], "--metadata", `{"order": 9007199254740993}`)
	m.ok("update", next.ID[:20], "--metadata", `{"order": 9007199254740995}`, "--tags", "a")
	m.read(&episode, "episode", "add", "The regatta was rained off.", "--participants", "anna,bob", "--outcome", "moved to May",
		"--emotional-valence", "-0.5")
	m.read(&procedure, "procedures", "add", "Rig the boat", "--steps", `[{"action": "Step the mast"}, {"action": "Hoist the sail"}]`,
		"--prerequisites", "a calm day")
	for _, test := range []struct {
		id   string
		want []string
	}{
		{saved.ID, []string{`metadata {"order":9007199254740993}`, "superseded by "}},
		{next.ID, []string{`metadata {"order":9007199254740995}`, "in place of " + saved.ID, "#a"}},
		{episode.ID, []string{"with anna, bob", "outcome moved to May", "valence -0.5"}},
		{procedure.ID, []string{"  1. action: Step the mast\n  2. action: Hoist the sail\n", "prerequisites: a calm day",
			"name: Rig the boat"}},
	} {
		got := m.ok("get", test.id)
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("get shows no %q in\n%s", want, got)
			}
		}
	}
}
