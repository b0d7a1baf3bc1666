package llm

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/text/tokens"
)

func TestFind(t *testing.T) {
	half := `{"facts":[{"content":"a","tags":[]},{"content":"b"}`
	for name, c := range map[string]struct{ answer, want string }{
		"alone":               {`{"summary":"x"}`, "x"},
		"fenced":              {"```json\n{\"summary\":\"x\"}\n```", "x"},
		"behind brackets":     {`[note] {see} {"summary":"x"} [1]`, "x"},
		"behind other values": {`[1,2] {"facts":[{"summary":"no"}]} {"summary":"x"}`, "x"},
		"the first":           {`{"summary":"x"} {"summary":"y"}`, "x"},
		"behind a thought":    {`maybe {"summary":"y"}? No.</think>{"summary":"x"}`, "x"},
		"about thoughts":      {`{"summary":"it ends with </think> here"}`, "it ends with </think> here"},
		"half":                {half, "!the JSON ends in the middle"},
		"half of a half":      {half + "]", "!the JSON ends in the middle"},
		"no object":           {`["summary"]`, `!an object with the text "summary" is expected`},
		"nothing":             {"", "!there is no JSON object in it"},
		"many brackets":       {strings.Repeat("{", 1<<20), "!there is no JSON object in it"},
		"deep":                {strings.Repeat(`{"a":`, 1<<18) + "!", "!there is no JSON object in it"},
	} {
		got, err := find(c.answer, readSummary)
		if err != nil {
			got = "!" + err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"facts":[{"content":"Anna prefers tea.","type":"preference","importance":0.7,"occurred_at":null,"turn":1}]}`,
		"```json\n[{\"content\":\"x\",\"type\":\"event\",\"importance\":\"NaN\",\"occurred_at\":\"2025-01-15\",\"turn\":\"#2\"}]\n```",
		`<think>{"facts":[]}</think> {"facts":[{"content":"\u0000\ud800"}]}`,
		`{"summary":"a. b. c.\n- d"}`, `{"facts":[{"content":`, "{{{[[[", `{"facts":[{}]}`, `{"summary":null}`,
	} {
		f.Add(seed)
	}
	parser := factParser{turns: map[int]bool{1: true, 2: true}, zone: time.UTC}
	counter := tokens.NewCounter("")
	f.Fuzz(func(t *testing.T, answer string) {
		facts, err := find(answer, parser.read)
		if err != nil && (err.Error() == "" || utf8.RuneCountInString(err.Error()) > maxProblemRunes) {
			t.Errorf("problem %q", err)
		}
		if len(facts) > maxFacts {
			t.Errorf("%d facts", len(facts))
		}
		for _, fact := range facts {
			checkFact(t, fact)
		}
		if summary, err := find(answer, readSummary); err == nil {
			checkText(t, summary)
			if short := shorten(counter, summary, 50, 3); counter.Count(short) > 50 || !utf8.ValidString(short) {
				t.Errorf("%d tokens: %q", counter.Count(short), short)
			}
		}
	})
}

func checkFact(t *testing.T, fact memory.Extracted) {
	t.Helper()
	checkText(t, fact.Content)
	if strings.ContainsAny(fact.Content, "\n\t") || utf8.RuneCountInString(fact.Content) > maxFactRunes {
		t.Errorf("content %q", fact.Content)
	}
	if !slices.Contains(memory.FactTypes(), fact.Type) || math.IsNaN(fact.Importance) || fact.Importance < 0 || fact.Importance > 1 {
		t.Errorf("%+v", fact)
	}
	if fact.Turn != -1 && fact.Turn != 1 && fact.Turn != 2 || !fact.OccurredAt.IsZero() && fact.Type != memory.FactEvent {
		t.Errorf("%+v", fact)
	}
}

func checkText(t *testing.T, text string) {
	t.Helper()
	hidden := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	if strings.TrimSpace(text) == "" || !utf8.ValidString(text) || strings.ContainsFunc(text, hidden) {
		t.Errorf("text %q", text)
	}
}

// Every entry arrives, in order and within its budget, whatever it is.
func FuzzPack(f *testing.F) {
	f.Add("short", "a long text. "+strings.Repeat("of words and 你好. ", 200), 60)
	f.Add(strings.Repeat("x", 5000), "\n\n \n", 40)
	f.Add("\xff\xfe", strings.Repeat("🧑‍🚀", 300), 41)
	// What a cut leaves of a word counts as more tokens than it had in the whole.
	f.Add("ßmAAAAAAAAAA AAAAAAAA\nAAAAAAAAAAAA AAAAAAAAAAAAAAAAAAAAAAmAA ßAAAAAAA…AAAAAA\ufffd0 AAAAAAAAxmé\nAAAAAAAAAAAAAAAAAAAA\txm…!é\nxx…AAA"+
		"AAAAAAAAAAAAAAAAAAAAAAéßAAAAAAAAAAAAAAAAAAAAA…AAAAAAAAAAAAAAAAAAAAAAxxA…\nAAAAAAAAAAAAAA!xxxxxxxxéxxxxxxxx\ufffd00AAAAAAAAAA 你\t0AAA", "", 0)
	f.Add(strings.Repeat("x", 200)+"\x05\x9f\xc8\xc1u\x84\vm\xee\x87\xc7\xe9Aiv\xc0D\xbbD\xc3\r"+strings.Repeat("x", 126), "\n\xe9 \n", 0)
	counter := tokens.NewCounter("")
	f.Fuzz(func(t *testing.T, a, b string, budget int) {
		budget = minBudget + max(0, budget)%1000
		a, b = clean(a), clean(b)
		var sent strings.Builder
		for _, part := range pack(counter, []entry{{"#1 USER: ", a, 1}, {"#2 USER: ", b, 2}}, budget) {
			var text strings.Builder
			for _, p := range part {
				text.WriteString(p.text + "\n")
				sent.WriteString(strings.TrimPrefix(strings.TrimPrefix(p.text, "#1 USER: "), "#2 USER: "))
			}
			if n := counter.Count(text.String()); n > budget {
				t.Errorf("%d tokens in a budget of %d: %q", n, budget, text.String())
			}
		}
		letters := func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.IsSpace(r) || r == '…' {
					return -1
				}
				return r
			}, s)
		}
		if got, want := letters(sent.String()), letters(a+b); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestPrompts(t *testing.T) {
	for _, name := range []string{extractPrompt, summarizePrompt, mergePrompt, repairPrompt} {
		full := render(name, fields{Boundary: "B", Now: "Monday", Known: true, Named: true, Max: 3, Types: "t", What: "the notes",
			Focus: "f", Sentences: 3, Words: 9, Problem: "p"})
		for _, prompt := range []string{full, render(name, fields{})} {
			if strings.Contains(prompt, "<no value>") || strings.Contains(prompt, "{{") || !strings.Contains(prompt, "JSON") {
				t.Errorf("%s:\n%s", name, prompt)
			}
		}
	}
	for _, schema := range []json.RawMessage{factSchema(false), factSchema(true), summarySchema} {
		if !json.Valid(schema) {
			t.Errorf("schema %s", schema)
		}
	}
	counter := tokens.NewCounter("")
	first := counter.Count(newBoundary())
	for range 100 {
		if n := counter.Count(newBoundary()); n != first {
			t.Errorf("boundaries of %d and %d tokens", first, n)
		}
	}
}
