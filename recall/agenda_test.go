package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// answers tells a bank some facts, a day apart, and returns what a question finds,
// three days after the last.
func answers(t *testing.T, question string, facts ...string) recall.Answer {
	t.Helper()
	b := newBank(t, builtin())
	for _, fact := range facts {
		b.tell(t, memory.Scope{Agent: "ann"}, fact)
		b.pass(24 * time.Hour)
	}
	b.pass(3 * 24 * time.Hour)
	return answerTo(t, b.service(b.Store), question)
}

// wordOf returns the word at a place, from 0, of each result, without its punctuation.
func wordOf(results []recall.Result, place int) string {
	var list []string
	for _, r := range results {
		list = append(list, strings.Trim(strings.Fields(r.Content)[place], ".,:"))
	}
	return strings.Join(list, " ")
}

func TestLists(t *testing.T) {
	decisions := []string{
		"We decided to print posters on Fridays.", "Rejected: Glimmer paper, it tears.",
		"We agreed on soy ink for the posters.", "My aunt keeps goats.",
		"We vetoed night shifts in the print hall.", "We chose Harrow & Sons as the courier.",
	}
	due := []string{
		"The grant report is due on 2026-02-20.", "I must call the plumber.",
		"The lease has to be signed by 2026-04-02.", "My aunt keeps goats.",
		"The lab fee is due on 2026-03-20.", "The tax form must be sent by 2026-03-25.",
		"I sent the tax form.", "The kiln inspection is on 2026-03-28.",
	}
	for _, c := range []struct {
		question string
		facts    []string
		word     int // of each result, from 0
		want     string
	}{
		{"What did we decide?", decisions, 2, "Harrow on to night paper"},
		{"What have we decided so far?", decisions, 2, "Harrow on to night paper"},
		{"What is due?", due, 1, "lab kiln lease must grant"},
		{"What are my deadlines?", due, 1, "lab kiln lease must grant"},
		{"What is due next month?", due, 1, "lease"},
	} {
		got := answers(t, c.question, c.facts...)
		if text := wordOf(got.Results, c.word); text != c.want {
			t.Errorf("%s %q, want %q", c.question, contents(got.Results), c.want)
		}
		for _, r := range got.Results {
			if past := strings.Contains(r.Content, "grant"); past == r.Overdue.IsZero() {
				t.Errorf("%s %s is overdue: %v", c.question, r.Content, r.Overdue)
			}
		}
	}
}

// What was rejected is no answer to what is used, but to why not.
func TestRejectedComesAfterTaken(t *testing.T) {
	facts := []string{"We use soy ink for the posters.", "We rejected Glimmer ink for the posters, it fades.", "The hall is cold.",
		"Owls nest in the tower."}
	for question, want := range map[string]string{
		"What ink do we use for the posters?": facts[0], "Which ink is for the posters?": facts[0],
		"Why not Glimmer ink?": facts[1], "Do we use Glimmer ink for the posters?": facts[1],
	} {
		if got := answers(t, question, facts...); got.Results[0].Content != want {
			t.Errorf("%s %q", question, contents(got.Results))
		}
	}
	// Two decisions share the word for it, and neither is a version of the other.
	got := answers(t, "What do we use for the posters?", "We decided to use soy ink for the posters.", "We decided to sweep on Thursdays.",
		"We decided against night shifts.", "Owls nest here.", "The hall is cold.", "Gerda breeds goats.", "My laptop runs Debian.")
	if got.Results[0].Content != "We decided to use soy ink for the posters." {
		t.Errorf("%q", contents(got.Results))
	}
}

func TestTimeOfWhichNothingIsKnown(t *testing.T) {
	facts := []string{"I repaired the loom.", "Petra came by."}
	got := answers(t, "What happened yesterday?", facts...)
	if len(got.Results) > 0 || got.Missed == nil || got.Confidence != recall.None {
		t.Fatalf("%q, %+v, %s", contents(got.Results), got.Missed, got.Confidence)
	}
	if day := start.AddDate(0, 0, 1).Truncate(24 * time.Hour); !got.Missed.Nearest.Truncate(24 * time.Hour).Equal(day) {
		t.Errorf("the nearest is %v", got.Missed.Nearest)
	}
	if got := answers(t, "What did I do this month?", facts...); len(got.Results) != 2 || got.Missed != nil {
		t.Errorf("%q, %+v", contents(got.Results), got.Missed)
	}
	if got := answers(t, "What happened yesterday?"); got.Missed == nil || !got.Missed.Nearest.IsZero() {
		t.Errorf("of an empty bank: %+v", got.Missed)
	}
}

func TestAspectsOfTheUser(t *testing.T) {
	facts := []string{
		"I have asthma and carry an inhaler.", "I rent a flat above the bakery.",
		"My tortoise is called Hector.", "We decided to print on Fridays.", "The tax form must be sent by 2026-03-25.",
		"I play the oboe in a quartet.", "Answer me in short sentences, please.", "My laptop runs Debian.",
	}
	for question, want := range map[string]string{
		"Tell me about my health.": "asthma", "What do you know about my pets?": "tortoise",
		"Tell me about my home": "flat", "Tell me about my hobbies.": "oboe",
		"What are my preferences?": "short sentences", "Remind me what we were working on.": "tax form",
		"Where did we leave off?": "tax form", "What do you know about my setup?": "laptop",
	} {
		if got := answers(t, question, facts...); len(got.Results) == 0 || len(got.Results) > 5 ||
			!strings.Contains(got.Results[0].Content, want) {
			t.Errorf("%s %q", question, contents(got.Results))
		}
	}
}

func TestTastesOfTheUser(t *testing.T) {
	likes, dislikes := []string{"I like hiking and Thai food.", "I prefer tea to coffee."},
		[]string{"I hate olives.", "I can't stand loud offices."}
	facts := slices.Concat(likes, dislikes,
		[]string{"Ben likes jazz and chess.", "My sister hates flying.", "I live in Graz.", "I work as a nurse.",
			"I play the oboe in a quartet."})
	for question, want := range map[string][]string{
		"What do I like?": likes, "Tell me what I like.": likes, "What does the user enjoy?": likes, "So what are my tastes": likes,
		"What do I dislike?": dislikes, "What don't I like?": dislikes,
		"Do you remember what I can’t stand?": dislikes, "Was mag ich nicht?": dislikes,
		"What are my preferences?": slices.Concat(likes, dislikes),
	} {
		got := contents(answers(t, question, facts...).Results)
		if len(got) < len(want) || slices.ContainsFunc(got[:len(want)], func(c string) bool { return !slices.Contains(want, c) }) {
			t.Errorf("%s %q", question, got)
		}
	}
	if got := contents(answers(t, "What do I enjoy?", facts[4:]...).Results); got[0] != "I play the oboe in a quartet." {
		t.Errorf("of pastimes only: %q", got)
	}
	for question, want := range map[string]string{"What does Ben like?": "Ben", "What does my sister hate?": "sister"} {
		if got := contents(answers(t, question, facts...).Results); !strings.Contains(got[0], want) {
			t.Errorf("%s %q", question, got)
		}
	}
}

func TestLivelihood(t *testing.T) {
	others := []string{"Gerda breeds goats.", "The hall is cold.", "I have two nephews.", "My tortoise is called Hector."}
	for _, fact := range []string{"I'm a paediatric nurse at Saint Brigid.", "I teach maths at the Lindgren school.",
		"I run a bakery in Uppsala.", "My employer is Saint Brigid."} {
		for _, question := range []string{"Where do I work?", "What's my job?"} {
			if got := answers(t, question, append(slices.Clone(others), fact)...); len(got.Results) == 0 || got.Results[0].Content != fact {
				t.Errorf("%s %q: %q", fact, question, contents(got.Results))
			}
		}
	}
}

func TestSymbolsAlone(t *testing.T) {
	b := newBank(t, builtin())
	ann := memory.Scope{Agent: "ann"}
	for _, fact := range []string{"🙂", "?", "The harvest was good 🌾", "Is the hall cold?"} {
		if _, err := b.all.Remember.Save(t.Context(), ann, remember.SaveRequest{Content: fact}); err != nil {
			t.Fatal(err)
		}
	}
	s := b.service(b.Store)
	for query, want := range map[string]string{"🙂": "🙂", "?": "?", "🌾": "The harvest was good 🌾", "!": "", "🐢": ""} {
		got := answerTo(t, s, query)
		text := ""
		for _, r := range got.Results {
			text += r.Content
		}
		if text != want {
			t.Errorf("%s %q", query, text)
		}
	}
}

// Who asks what he has on a day to come is told of what comes again then, too, and who asks
// what was is not.
func TestWhatComesAgain(t *testing.T) {
	facts := []string{
		"We deploy every Tuesday at 10:00.", "The bins are collected every second Thursday.",
		"My tea is Darjeeling.", "I play football on Mondays.",
		"Rent is due on the first of each month.", "Our database is PostgreSQL 17.", "My aunt keeps goats.", "The office closes at six.",
	}
	for question, want := range map[string]string{
		"What do I have on Tuesday?":  "deploy",
		"What's on on Thursday?":      "bins",
		"What do I have next Monday?": "football",
		"What do I have next week?":   "deploy bins football",
		"What did I do on Tuesday?":   "",
	} {
		found := answers(t, question, facts...).Results
		for _, word := range strings.Fields(want) {
			place := slices.IndexFunc(found, func(r recall.Result) bool { return strings.Contains(r.Content, word) && r.Score >= 0.5 })
			if place < 0 || place > 2 {
				t.Errorf("%s %q, without %q among its first and sure ones", question, contents(found), word)
			}
		}
		if want == "" && len(found) > 0 && found[0].Score >= 0.5 {
			t.Errorf("%s is answered with %q, %.2f", question, found[0].Content, found[0].Score)
		}
	}
}

// In a large bank what comes again on a day is found by no word of the question.
func TestWhatComesAgainAmongMany(t *testing.T) {
	b := newBank(t, builtin())
	b.tell(t, memory.Scope{Agent: "ann"}, "The band rehearses every Tuesday.")
	for i := range 400 {
		b.tell(t, memory.Scope{Agent: "ann"}, fmt.Sprintf("Crate %d of the harbour holds %d lamps for somebody.", i, 3*i))
	}
	tuesday := b.clock()
	for tuesday.Weekday() != time.Tuesday {
		tuesday = tuesday.AddDate(0, 0, 1)
	}
	day := tuesday.AddDate(0, 0, 7).Format(time.DateOnly)
	for _, question := range []string{"What do I have on " + day + "?", "Is there an appointment on " + day + "?",
		"What is on " + day + "?", "What is planned for " + day + "?"} {
		found := answerTo(t, b.service(b.Store), question).Results
		if len(found) == 0 || !strings.Contains(found[0].Content, "rehearses") {
			t.Errorf("%s %q", question, contents(found))
		}
	}
}

// On a day that is not over, what comes again is a part of what there is to do, and not of
// what was done.
func TestWhatComesAgainToday(t *testing.T) {
	b := newBank(t, builtin())
	b.tell(t, memory.Scope{Agent: "ann"}, "I play football on "+b.clock().Weekday().String()+"s.")
	b.tell(t, memory.Scope{Agent: "ann"}, "My aunt keeps goats.")
	b.pass(7 * 24 * time.Hour) // what is said today is of today
	s := b.service(b.Store)
	for question, want := range map[string]bool{"What do I have today?": true, "What did I do today?": false} {
		found := answerTo(t, s, question).Results
		if got := len(found) > 0 && strings.Contains(found[0].Content, "football") && found[0].Score >= 0.5; got != want {
			t.Errorf("%s %q: %v", question, contents(found), got)
		}
	}
}
