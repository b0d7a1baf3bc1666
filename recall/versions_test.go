package recall

import (
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// scored is a candidate with a strength, said so many days after the first.
func scored(id, content string, strength float64, days int) *candidate {
	c := made(id, memory.Memories, memory.KindFact, content)
	c.OccurredAt = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC).AddDate(0, 0, days)
	c.parts = []Part{{"lexical", strength}}
	c.relevance = strength
	fuse(c)
	return c
}

func about(text string) *question {
	return &question{Request: Request{Query: text}, asks: slots.Ask(text, slots.Options{})}
}

func ids(list []*candidate) (all []string) {
	for _, c := range list {
		all = append(all, c.ID)
	}
	return all
}

func TestByVersion(t *testing.T) {
	for name, c := range map[string]struct {
		question string
		ranked   []*candidate
		want     []string
		outdated string // id of what is marked, empty if nothing is
	}{
		"the newest version of a slot": {"Where do I live?", []*candidate{
			scored("old", "I live in Lugano.", 1, 0), scored("new", "I have moved to Trieste.", 0.1, 40),
		}, []string{"new", "old"}, "old"},
		"as it was": {"Where did I live before?", []*candidate{
			scored("new", "I live in Trieste now.", 1, 40), scored("old", "I live in Lugano.", 0.4, 0),
		}, []string{"old", "new"}, "old"},
		"all versions in order of time": {"How has my address changed over time? Where did I live?", []*candidate{
			scored("b", "I live in Trieste now.", 1, 40), scored("c", "I moved to Graz.", 0.7, 80), scored("a", "I live in Lugano.", 0.4, 0),
		}, []string{"a", "b", "c"}, "a"},
		"a change of something else": {"Where do I work?", []*candidate{
			scored("boss", "My manager is now Torben Rask.", 1, 80), scored("work", "I started at Fyn Hospital today.", 0.66, 40),
		}, []string{"work", "boss"}, ""},
		"all versions before anything else": {"How has my work changed over time?", []*candidate{
			scored("other", "The choir changed its work over time.", 1, 80), scored("a", "I work at Skovby.", 0.8, 0), scored("b", "I started at Fyn Hospital.", 0.2, 40),
		}, []string{"a", "b", "other"}, "a"},
		"a change of what stands before the colon": {"Who is the detective?", []*candidate{
			scored("old", "Detective: Isolde Crane, former hydrographer.", 1, 0), scored("new", "Changed my mind about the narrator: third person, close to Isolde.", 0.3, 40),
		}, []string{"old", "new"}, ""},
		"other people do not override": {"Where do I live?", []*candidate{
			scored("me", "I live in Lugano.", 1, 0), scored("other", "Bettina has moved to Trieste.", 0.9, 40),
		}, []string{"me", "other"}, ""},
		"the user before strangers": {"Where do I live?", []*candidate{
			scored("other", "Bettina lives in Trieste.", 1, 40), scored("me", "I live in Lugano.", 0.8, 0),
		}, []string{"me", "other"}, ""},
		"opposites in other words, newest first": {"Does Irma like leeks?", []*candidate{
			scored("old", "Irma is fond of leeks.", 1, 0), scored("new", "Irma can't stand leeks.", 0.3, 40), scored("other", "Bo likes leeks.", 0.2, 50),
		}, []string{"new", "old", "other"}, ""},
		"before is no time that is over where the memory has it, too": {"Rebase before PR?", []*candidate{
			scored("old", "Always rebase before opening a PR.", 1, 0), scored("new", "Never rebase before opening a PR.", 0.9, 40),
		}, []string{"new", "old"}, ""},
		"German what is no English was": {"Was hält Irma von Lauch?", []*candidate{
			scored("old", "Irma mag Lauch.", 1, 0), scored("new", "Irma hasst Lauch.", 0.9, 40),
		}, []string{"new", "old"}, ""},
		"opposites, newest first": {"Does Irma eat fish?", []*candidate{
			scored("old", "Irma eats fish.", 1, 0), scored("new", "Irma does not eat fish.", 0.9, 40),
		}, []string{"new", "old"}, ""},
		"a change in other words": {"Which firm cleans the office?", []*candidate{
			scored("old", "The office is cleaned by Blankwerk.", 1, 0), scored("new", "Blankwerk was dropped, Seifenblase comes on Fridays.", 0.2, 40),
		}, []string{"new", "old"}, ""},
		"no change without a sign": {"Which firm cleans the office?", []*candidate{
			scored("old", "The office is cleaned by Blankwerk.", 1, 0), scored("new", "Blankwerk has a yellow van.", 0.2, 40),
		}, []string{"old", "new"}, ""},
		"what happened is not replaced": {"When did the cleaners break the lamp?", []*candidate{
			scored("old", "Blankwerk broke a lamp of the lobby.", 1, 0), scored("new", "Blankwerk was dropped, Seifenblase comes on Fridays.", 0.2, 40),
		}, []string{"old", "new"}, ""},
	} {
		about(c.question).byVersion(c.ranked)
		if got := ids(c.ranked); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		for _, one := range c.ranked {
			if one.ID == c.outdated && one.outdated == nil || c.outdated == "" && one.outdated != nil {
				t.Errorf("%s: %s is marked: %v", name, one.ID, one.outdated != nil)
			}
		}
	}
}

func TestStoredSuccessor(t *testing.T) {
	a, b := scored("a", "Badge 4411", 1, 0), scored("b", "Number of the gate pass: 90", 0.5, 3)
	a.SupersededBy = "b"
	ranked := []*candidate{a, b}
	about("Which badge?").byVersion(ranked)
	if ranked[0] != b || a.outdated != b || !b.pulled {
		t.Errorf("%q first, outdated by %v", ranked[0].ID, a.outdated)
	}
}

func TestLargeBanksPullInLess(t *testing.T) {
	ranked := []*candidate{scored("old", "The office is cleaned by Blankwerk.", 1, 0)}
	for i := range few {
		ranked = append(ranked, scored("x"+string(rune('a'+i)), "Something about ferries", 0.5, 1))
	}
	ranked = append(ranked, scored("new", "Blankwerk was dropped, Seifenblase comes on Fridays.", 0.2, 40))
	about("Which firm cleans the office?").byVersion(ranked)
	if ranked[0].ID != "old" {
		t.Errorf("%q first", ranked[0].ID)
	}
}

func TestTellsOfChange(t *testing.T) {
	for text, want := range map[string]telling{
		"We switched to Zulip.": plainly, "He no longer smokes": plainly, "From now on, tea.": plainly, "seit Juni nur noch Kanban": plainly,
		"Rory emigrated to Perth.": locally, "We bought a lamp.": loosely, "We bought a lamp and swapped the bulb.": plainly,
		"Coffee's out, tea is in.": locally, "IT gave me a tablet.": locally, "Igor’s gone.": plainly, "His outfit": silent, "The nowhere inn": silent, "From Lisbon": silent, "no": silent, "": silent,
	} {
		if got := tellsOfChange(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
