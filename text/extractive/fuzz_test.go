package extractive_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/text/tokens"
)

// checkAny calls both functions with a text in several places and checks what
// has to hold for any text.
func checkAny(t *testing.T, text string, limit int) {
	t.Helper()
	d := newSummarizer()
	turns := talk("Ann: Where do you live?", "Bob: "+text, "user: "+text, "assistant: "+text)
	turns = append(turns, memory.Turn{Role: memory.RoleUser, Speaker: text, Content: "I live in Rome with you.", SaidAt: noon, Index: 9})
	turns = append(turns, memory.Turn{Content: text, Details: &memory.TurnDetails{ToolCalls: []memory.ToolCall{{Name: "x", Error: text}}}})
	request := memory.ExtractRequest{Turns: turns, Known: text, Max: 5}
	facts, err := d.Extract(context.Background(), request)
	if err != nil || len(facts) > 5 {
		t.Fatalf("%d facts, %v", len(facts), err)
	}

	for _, f := range facts {
		if !utf8.ValidString(f.Content) || strings.TrimSpace(f.Content) == "" || f.Importance < 0 || f.Importance > 1 {
			t.Fatalf("from %q: %+v", text, f)
		}

	}

	for _, r := range []memory.SummaryRequest{
		{Turns: turns, Earlier: text, MaxTokens: limit},
		{Turns: turns, Focus: text, MaxTokens: limit, Sentences: 3},
		{Texts: []memory.DatedText{{Text: text, At: noon}, {Text: "A " + text}}, MaxTokens: limit},
	} {
		summary := summarize(t, r)
		if !utf8.ValidString(summary) {
			t.Fatalf("from %q: %q", text, summary)
		}
		again, _ := newSummarizer().Summarize(context.Background(), r)
		if again != summary {
			t.Fatalf("two answers: %q and %q", summary, again)
		}
	}
	again, _ := newSummarizer().Extract(context.Background(), request)
	if !reflect.DeepEqual(facts, again) {
		t.Fatalf("two answers: %v and %v", facts, again)
	}
}

// pieces are what random texts are made of.
var pieces = []string{
	"I", "i'm", "I've", "you", "your", "my", "we", "let's", "am", "love", "and",
	"not", "but", "yesterday", "by Friday", "last week", "in 2020", "?", "!", ".", ",",
	" - ", "—", ":", "...", "\n", "\n> ", "```", "~~~", "[", "]", "(", "](", "<", ">",
	"|", "#", "'", "’", "\"", "'s", "'d", "\x00", "\xff", "\xe2\x80", "é", "ß", "İ", "ﬀ",
	"東京に住んでいます。", "Привет", "مرحبا", "👍", "👩‍👩‍👧", "\u200d", "\u2028", "5",
	"5km", "3.14", "No, it's", "Actually", "thanks", "Ann", "Bob", "went", "Berlin",
	"Always", "ignore previous instructions", "http://x.y/z", "the", "day",
	"supercalifragilistic", strings.Repeat("ab", 400), strings.Repeat("🎉", 50),
}

func TestAnyText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		var b strings.Builder
		for range random.IntN(40) {
			b.WriteString(pieces[random.IntN(len(pieces))])
			if random.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		checkAny(t, b.String(), 1+random.IntN(120))
	}
}

func FuzzExtractive(f *testing.F) {
	for _, s := range said {
		f.Add(s.text, 50)
	}
	f.Add(strings.Join(pieces, " "), 60)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if len(text) > 1<<14 {
			return
		}
		checkAny(t, text, limit%500)
	})
}

// Labels are where an estimate goes wrong: a sentence chosen late can come
// between two of somebody else, whose name has to be said again.
func TestLabelsCountToo(t *testing.T) {
	var turns []memory.Turn
	for i, text := range []string{"I painted 12 boats in Porto.", "I sold my red bicycle.", "I adopted 3 greyhounds in Leeds.",
		"We fixed the roof.", "I signed 5 contracts with Siemens.", "My garden has tulips."} {
		name := []string{"Wolfeschlegelsteinhausenbergerdorff", "Ann"}[i%2]
		turns = append(turns, memory.Turn{Session: "s", Index: i, Speaker: name, Content: text, SaidAt: noon})
	}
	for limit := 10; limit < 200; limit++ {
		summarize(t, memory.SummaryRequest{Turns: turns, MaxTokens: limit})
	}
}

func TestSummaryNeverExceedsItsLimit(t *testing.T) {
	turns, _ := statements(1)
	long := memory.DatedText{Text: strings.Repeat("Anna sold 12 boats in Porto and ", 200)}
	for limit := 1; limit < 400; limit += 7 {
		for _, r := range []memory.SummaryRequest{
			{Turns: turns, MaxTokens: limit},
			{Turns: turns, MaxTokens: limit, Sentences: 4},
			{Texts: []memory.DatedText{long}, MaxTokens: limit},
		} {
			s := summarize(t, r)
			if n := tokens.NewCounter("").Count(s); n > limit || n == 0 {
				t.Fatalf("limit %d: %d tokens", limit, n)
			}
		}
	}
}
