package recall_test

import (
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// TestTimesThatAreSaid: what was said of a day is found by its date, before what was only said
// on it; what is habit is no answer, and what began later was not so before.
func TestTimesThatAreSaid(t *testing.T) {
	b := newBank(t, builtin())
	keep := remember.New(b.all.RememberOptions())
	say := func(content string) {
		t.Helper()
		if _, err := keep.Save(t.Context(), memory.Scope{Agent: "ann"}, remember.SaveRequest{Content: content}); err != nil {
			t.Fatal(err)
		}
		b.pass(time.Hour)
	}
	day := func(n int) string { return b.clock().AddDate(0, 0, n).Format("2 January 2006") }
	say("The plumber comes in 10 days.")
	say("Yesterday I had lunch with Yusuf.")
	say("The kiln was fired at noon.")
	say("Ada is the tech lead of the guild since last week.")
	s := recall.New(b.all.RecallOptions())
	for question, want := range map[string]string{
		"Who comes on " + day(10) + "?":      "The plumber comes in 10 days.",
		"What did I do yesterday?":           "Yesterday I had lunch with Yusuf.",
		"What happened on " + day(-1) + "?":  "Yesterday I had lunch with Yusuf.",
		"What is on " + day(10) + "?":        "The plumber comes in 10 days.",
		"Who is the tech lead of the guild?": "Ada is the tech lead of the guild since last week.",
	} {
		if got := ask(t, s, question, lenient); len(got) == 0 || got[0].Content != want {
			t.Errorf("%s: %+v", question, contentsOf(got))
		}
	}
	before := ask(t, s, "Who is the tech lead of the guild?", lenient,
		func(r *recall.Request) { r.Filter.AsOf = b.clock().AddDate(0, -1, 0) })
	for _, r := range before {
		if r.Content == "Ada is the tech lead of the guild since last week." {
			t.Error("she was not a month ago")
		}
	}
}

func contentsOf(list []recall.Result) (all []string) {
	for _, r := range list {
		all = append(all, r.Content)
	}
	return all
}
