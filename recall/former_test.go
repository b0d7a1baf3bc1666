package recall

import (
	"slices"
	"testing"
	"time"

	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

// asked is a question of the day after the last fact.
func asked(text string, times ...index.Span) *question {
	q := about(text)
	q.Now = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	q.times = times
	q.stems, q.stemmed = analysis.ContentWords(text)
	q.meanings = semantics.Builtin
	return q
}

func TestShowFormer(t *testing.T) {
	month := func(m time.Month) index.Span {
		from := time.Date(2026, m, 1, 0, 0, 0, 0, time.UTC)
		return index.Span{From: from, To: from.AddDate(0, 1, 0)}
	}
	rent := func() []*candidate {
		return []*candidate{
			scored("c", "My rent is 900 euros now.", 1, 200), scored("b", "My rent went up to 860 euros.", 0.9, 100), scored("a", "My rent is 820 euros.", 0.8, 0),
		}
	}
	for name, c := range map[string]struct {
		question *question
		ranked   []*candidate
		want     string // id of the first
	}{
		"the last before the current": {asked("How high was my rent before?"), rent(), "b"},
		"the first":                   {asked("How high was my rent at first?"), rent(), "a"},
		"at a time":                   {asked("How high was my rent in March?", month(3)), rent(), "a"},
		"at a later time":             {asked("How high was my rent in June?", month(6)), rent(), "b"},
		"a time to come tells nothing": {asked("How high was my rent before next May?", index.Span{
			From: time.Date(2027, 5, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC),
		}), rent(), "b"},
		"before what ended it": {asked("Which VPN was it before WireGuard?"), []*candidate{
			scored("new", "Replaced OpenVPN with WireGuard, port 51820.", 1, 60), scored("old", "Remote access is OpenVPN on port 1194.", 0.2, 0),
		}, "old"},
		"before a time that a fact names": {asked("Who taught the class before Easter?"), []*candidate{
			scored("new", "After Easter Ingmar teaches the class.", 1, 60), scored("old", "Solvej gives the lessons.", 0.3, 0), scored("other", "The hall is cold.", 0.1, 1),
		}, "old"},
		"a verb of the past": {asked("What car did I have?"), []*candidate{
			scored("new", "Sold the Tarpan, I go by train.", 1, 60), scored("old", "I drive to work in a Tarpan Combi.", 0.5, 0),
		}, "old"},
		"one version alone": {asked("What car did I have before?"), []*candidate{
			scored("one", "My car was a Tarpan.", 1, 0), scored("other", "Tea is in the cupboard.", 0.1, 9),
		}, "one"},
	} {
		c.question.byVersion(c.ranked)
		if c.ranked[0].ID != c.want {
			t.Errorf("%s: %q first", name, ids(c.ranked))
		}
	}
}

func TestFewCandidatesSpeakOfOneThing(t *testing.T) {
	for name, c := range map[string]struct {
		question string
		ranked   []*candidate
		want     []string
	}{
		"a loose sign": {"Which rabbits do we have?", []*candidate{
			scored("old", "The rabbits are called Salt and Pepper.", 1, 0), scored("new", "Pepper died last night.", 0.1, 30),
		}, []string{"new", "old"}},
		"another value without a sign": {"How slow is the search in the worst case?", []*candidate{
			scored("old", "p99 of the search is 900 ms.", 1, 0), scored("new", "After the rebuild p99 is 240 ms.", 0.1, 30),
		}, []string{"new", "old"}},
		"the same frame": {"How much off do members of the club get?", []*candidate{
			scored("old", "Members of the club get 10 % off at Oar & Anchor.", 1, 0), scored("new", "Members of the club get 15 % off at Oar & Anchor.", 0.9, 30),
		}, []string{"new", "old"}},
		"the frame of somebody else": {"When is Lea's exam?", []*candidate{
			scored("old", "Lea's oral exam is in room 12.", 1, 0), scored("new", "Tom's oral exam is in room 12.", 0.9, 30),
		}, []string{"old", "new"}},
		"yes or no, in other words": {"Am I still married?", []*candidate{
			scored("old", "I'm married to Konrad.", 1, 0), scored("new", "Divorce went through on the 8th.", 0.1, 30),
		}, []string{"new", "old"}},
		"of two changes the newest": {"How often do I go to the office?", []*candidate{
			scored("old", "In the office every day, desk 4.", 1, 0), scored("mid", "Switched to two days in the office.", 0.3, 30), scored("new", "Gave back the desk, fully remote now.", 0.1, 60),
		}, []string{"new", "mid", "old"}},
		"more of the same is no change": {"What colour is Inkblot?", []*candidate{
			scored("old", "The cat Inkblot is black.", 1, 0), scored("new", "Inkblot likes the window.", 0.2, 30),
		}, []string{"old", "new"}},
		"a number says nothing": {"Where is room 50?", []*candidate{
			scored("old", "Room 50 is on the left.", 1, 0), scored("new", "Cancelled the 50 chairs.", 0.2, 30),
		}, []string{"old", "new"}},
	} {
		asked(c.question).byVersion(c.ranked)
		if got := ids(c.ranked); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
