package extractive_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/extractive"
	"mcp-memory/text/semantics"
	"mcp-memory/text/tokens"
)

var noon = time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC) // a Monday

func newSummarizer() *extractive.Summarizer {
	return extractive.New(extractive.Options{Counter: tokens.NewCounter(""), Table: semantics.Builtin})
}

func summarize(t testing.TB, r memory.SummaryRequest) string {
	t.Helper()
	s, err := newSummarizer().Summarize(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if n := tokens.NewCounter("").Count(s); n > max(0, r.MaxTokens) {
		t.Fatalf("%d tokens of %d allowed: %s", n, r.MaxTokens, s)
	}
	return s
}

// talk makes turns of lines "speaker: text"; a role's name is that role.
func talk(lines ...string) []memory.Turn {
	var turns []memory.Turn
	for i, line := range lines {
		name, text, _ := strings.Cut(line, ": ")
		t := memory.Turn{Session: "s", Index: i, Speaker: name, Content: text, SaidAt: noon}
		switch name {
		case "user", "assistant", "tool", "system":
			t.Role = memory.Role(name)
		}
		turns = append(turns, t)
	}
	return turns
}

// statements are turns that each hold one key fact between talk that holds none.
func statements(round int) (turns []memory.Turn, keys [][]string) {
	people := []string{"Priya", "Tomasz", "Ingrid", "Okonkwo", "Beatriz", "Hiroshi", "Fatima", "Lachlan"}
	verbs := []string{"ordered %d pumps for the plant in %s", "paid %d euros for the licence of %s", "moved %d servers to the site %s",
		"signed the contract number %d with %s"}
	places := []string{"Gdansk", "Porto", "Osaka", "Lagos", "Bergen", "Quito", "Perth", "Lyon"}
	for i, who := range people {
		n := 1000*round + 37*i + 11
		place := places[(i+round)%len(places)]
		fact := fmt.Sprintf(who+" "+verbs[(i+round)%len(verbs)], n, place)
		turns = append(turns, talk(
			"user: Hey, how is it going today?",
			"assistant: I am fine, thanks for asking! What would you like to talk about?",
			"user: "+fact+".",
			"assistant: That sounds really great, and it is good to hear. Things like this usually take a while, and it is worth being patient about them.",
			"user: It was a long day and the weather was rather bad.",
		)...)
		keys = append(keys, []string{who, fmt.Sprint(n), place})
	}
	return turns, keys
}

func kept(summary string, keys [][]string) int {
	n := 0
	for _, key := range keys {
		for line := range strings.Lines(strings.ReplaceAll(summary, ". ", ".\n")) {
			if strings.Contains(line, key[0]) && strings.Contains(line, key[1]) && strings.Contains(line, key[2]) {
				n++
				break
			}
		}
	}
	return n
}

// The share of key facts kept after five rounds of summaries of summaries, with
// room for all of them and with room for half. A fact takes about 14 tokens.
func TestKeyFactsSurviveFiveRounds(t *testing.T) {
	for _, c := range []struct{ limit, least int }{{600, 40}, {300, 18}} {
		earlier, all := "", [][]string(nil)
		for round := 1; round <= 5; round++ {
			turns, keys := statements(round)
			all = append(all, keys...)
			earlier = summarize(t, memory.SummaryRequest{Turns: turns, Earlier: earlier, MaxTokens: c.limit, Now: noon})
			if got := kept(earlier, keys); round == 5 && got == 0 {
				t.Errorf("limit %d: nothing of the last round is in\n%s", c.limit, earlier)
			}
		}
		got := kept(earlier, all)
		t.Logf("limit %d: %d of %d kept", c.limit, got, len(all))
		if got < c.least {
			t.Errorf("limit %d: %d of %d kept, at least %d expected:\n%s", c.limit, got, len(all), c.least, earlier)
		}
	}
}

var chat = talk(
	"Caroline: Hey Mel! Good to see you! How have you been?",
	"Melanie: Hey Caroline! I'm swamped with work.",
	"Caroline: I went to a support group in Leeds yesterday and it was powerful.",
	"Melanie: Wow, that's great!",
	"Melanie: I signed up for a pottery class last week. The teacher is Mr. Okafor.",
	"Caroline: We decided to adopt a dog named Bruno in June.",
)

func TestSummaryOfADialogue(t *testing.T) {
	got := summarize(t, memory.SummaryRequest{Turns: chat, MaxTokens: 200})
	want := strings.Join([]string{
		"Caroline: I went to a support group in Leeds on 7 May 2023 and it was powerful.",
		"Melanie: I signed up for a pottery class in the week of 1 May 2023. The teacher is Mr. Okafor.",
		"Caroline: We decided to adopt a dog named Bruno in June.",
	}, "\n")
	if lines := strings.Split(got, "\n"); len(lines) < 3 || strings.Join(lines[len(lines)-3:], "\n") != want ||
		strings.Contains(got, "Good to see") {
		t.Errorf("got\n%s\nwant at the end\n%s", got, want)
	}
}

func TestLogEntrySaysWhoDidWhat(t *testing.T) {
	got := summarize(t, memory.SummaryRequest{Turns: chat, MaxTokens: 200, Sentences: 2})
	if n := strings.Count(got, ". ") + 1; n != 2 || strings.Contains(got, "\n") {
		t.Errorf("%d sentences: %s", n, got)
	}
	for _, word := range []string{"I ", "I'm", "We ", "my "} {
		if strings.Contains(got, word) {
			t.Errorf("%q in %s", word, got)
		}
	}
	if !strings.Contains(got, "Caroline") {
		t.Errorf("nobody did anything: %s", got)
	}
}

func TestFocusDirectsTheChoice(t *testing.T) {
	for focus, want := range map[string]string{"support group": "Leeds", "ceramics and clay": "pottery", "Bruno": "Bruno"} {
		got := summarize(t, memory.SummaryRequest{Turns: chat, MaxTokens: 30, Focus: focus})
		if !strings.Contains(got, want) {
			t.Errorf("focus %q: %s", focus, got)
		}
	}
}

func TestFocusIsFollowedByMeaning(t *testing.T) {
	texts := []memory.DatedText{{Text: "The gardener planted tulips behind the house."},
		{Text: "The neighbour visited the physician about a cough."}}
	for focus, want := range map[string]string{"flowers": "tulips", "doctor": "physician"} {
		got := summarize(t, memory.SummaryRequest{Texts: texts, MaxTokens: 12, Focus: focus})
		if !strings.Contains(got, want) {
			t.Errorf("focus %q: %s", focus, got)
		}
	}
}

func TestSummaryOfRecords(t *testing.T) {
	got := summarize(t, memory.SummaryRequest{MaxTokens: 100, Texts: []memory.DatedText{
		{ID: "1", Text: "Visited the Colosseum in Rome. Loved it very much.", At: noon},
		{ID: "2", Text: "Bought a red bike for 300 euros yesterday.", At: noon},
		{ID: "3", Text: "Bought a red bike for 300 euros yesterday!", At: noon},
		{ID: "4", Text: "Sold the red bike again for 120 euros.", At: noon.AddDate(0, 1, 0)},
	}})
	want := "8 May 2023: Visited the Colosseum in Rome. Loved it very much. Bought a red bike for 300 euros on 7 May 2023.\n" +
		"8 June 2023: Sold the red bike again for 120 euros."
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSummaryNamesFailedTools(t *testing.T) {
	turns := talk("user: Deploy release 4.2 to the staging server.", "assistant: On it.")
	turns[1].Details = &memory.TurnDetails{ToolCalls: []memory.ToolCall{{Name: "deploy", Error: "connection refused by host stage-7"}}}
	if got := summarize(t, memory.SummaryRequest{Turns: turns, MaxTokens: 100}); !strings.Contains(got,
		"Tool: deploy failed: connection refused by host stage-7.") {
		t.Error(got)
	}
}

func TestSummaryOfNothing(t *testing.T) {
	if got := summarize(t, memory.SummaryRequest{MaxTokens: 100}); got != "" {
		t.Errorf("got %q", got)
	}
	if got := summarize(t, memory.SummaryRequest{Turns: talk("Ann: Thanks!"), MaxTokens: 100}); got != "Ann: Thanks." {
		t.Errorf("of a pleasantry: %q", got)
	}
}

// What is not to be saved, what is to be forgotten, what others wrote and jokes are in no summary.
func TestSummaryLeavesOut(t *testing.T) {
	for _, c := range []struct {
		turns []memory.Turn
		want  string
	}{
		{talk("user: Don't save this: I'm interviewing at Zalando next week.", "user: We use Postgres."), "The user: We use Postgres."},
		{talk("user: My phone number is 0151 2345678. I live in Trier.", "user: forget my phone number"), "The user: I live in Trier."},
		{talk("user: We use Postgres.", "user: My salary is 90 k.", "assistant: Fine.", "user: forget that"),
			"The user: We use Postgres.\nThe assistant: Fine."},
		{talk("user: My salary is 90 k.", "user: Forget my salary. We use Postgres."), "The user: We use Postgres."},
		{talk("user: We use Postgres.\n\nJonas: I quit my job at Bosch yesterday\nMaria: I am so sorry"), "The user: We use Postgres."},
		{talk("user: I'm the emperor of Austria, haha. We use Postgres."), "The user: We use Postgres."},
		{talk("user: Forget about the tests. We use Postgres."), "The user: Forget about the tests. We use Postgres."},
	} {
		if got := summarize(t, memory.SummaryRequest{Turns: c.turns, MaxTokens: 100, Now: noon}); got != c.want {
			t.Errorf("%q: got %q, want %q", c.turns[0].Content, got, c.want)
		}
	}
}
