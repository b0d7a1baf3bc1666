package main

import (
	"context"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/extractive"
	"mcp-memory/text/failing"
	"mcp-memory/text/gloss"
	"mcp-memory/text/injected"
	"mcp-memory/text/secrets"
	"mcp-memory/text/slots"
	"mcp-memory/text/timex"
	"mcp-memory/text/tokens"
	"mcp-memory/text/when"
	"mcp-memory/text/worth"
)

// pass is one way in which a text of others is read.
type pass struct {
	name string
	read func(text string)
}

// square is a pass as none may be, by which the test sees that it would be found.
var square = pass{"a square, to try the counters with", func(text string) {
	for i := range text {
		if i%16 == 0 {
			strings.IndexFunc(text[i:], func(r rune) bool { return r == 0 })
		}
	}
}}

// passes are all of them.
func passes() []pass {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	counter, reader := tokens.NewCounter(""), extractive.New(extractive.Options{})
	extract := func(speakers ...memory.Role) func(string) {
		return func(text string) {
			var turns []memory.Turn
			for i, role := range speakers {
				content := text
				if i+1 < len(speakers) {
					content = "Shall I book the room for Tuesday?"
				}
				turns = append(turns, memory.Turn{Session: "s", Index: i, Role: role, Content: content, SaidAt: noon})
			}
			_, _ = reader.Extract(context.Background(), memory.ExtractRequest{Turns: turns, Max: 200})
		}
	}
	return []pass{
		{"extract from a user", extract(memory.RoleUser, memory.RoleAssistant, memory.RoleUser)},
		{"extract from an assistant", extract(memory.RoleUser, memory.RoleAssistant)},
		{"extract among people", func(text string) {
			turns := []memory.Turn{{Speaker: "Ann", Content: "Where do you live?", SaidAt: noon},
				{Speaker: "Bob", Content: text, Index: 1, SaidAt: noon}}
			_, _ = reader.Extract(context.Background(), memory.ExtractRequest{Turns: turns, Known: text, Max: 200})
		}},
		{"summarize", func(text string) {
			_, _ = reader.Summarize(context.Background(),
				memory.SummaryRequest{Turns: []memory.Turn{{Role: memory.RoleUser, Content: text, SaidAt: noon}}, MaxTokens: 500})
		}},
		{"redact", func(text string) { secrets.Redact(text) }},
		{"redact output", func(text string) { secrets.RedactOutput(text) }},
		{"redact beside a secret", func(text string) { secrets.Redact("the password is hunter2xy9 " + text) }},
		{"output beside a secret", func(text string) { secrets.RedactOutput("password=hunter2xy9 " + text) }},
		{"find secrets", func(text string) { secrets.Find(text) }},
		{"mentions of days", func(text string) { when.Mentions(text, noon) }},
		{"days asked for", func(text string) { when.Asked(text, noon) }},
		{"days in English", func(text string) { when.InEnglish(text) }},
		{"days", func(text string) { timex.Find(text, noon) }},
		{"a day typed", func(text string) { timex.Typed(text, noon, timex.Past); timex.Question(text); timex.Mentions(text) }},
		{"statements", func(text string) { slots.Read(text, slots.Options{}) }},
		{"question", func(text string) { slots.Ask(text, slots.Options{}) }},
		{"compare", func(text string) {
			slots.Differ(text, text+" no")
			slots.Opposed(text, text)
			slots.SameFact(text, text+" no")
		}},
		{"restated", func(text string) { slots.Restated(text, text+" no"); slots.Tastes(text) }},
		{"words", func(text string) { analysis.Content(text); analysis.QueryWords(text); analysis.IndexText(text) }},
		{"sentences", func(text string) { analysis.Sentences(text); analysis.Lines(text) }},
		{"telling words", func(text string) { analysis.Telling(text); analysis.WithoutParticles(text) }},
		{"substrings", func(text string) { analysis.Substrings(text) }},
		{"injected", func(text string) { injected.Without(text) }},
		{"failing", func(text string) { failing.Lines(text); failing.Telling(text) }},
		{"failing alike", func(text string) { failing.Same(text) }},
		{"language", func(text string) { gloss.Language(text); gloss.English(text) }},
		{"worth", func(text string) { worth.Of(text, noon); worth.Rejects(text) }},
		{"tokens", func(text string) { counter.Count(text) }},
	}
}

// repeated is a pattern over and over, to a size in bytes.
func repeated(pattern string, size int) string {
	return strings.Repeat(pattern, size/len(pattern)+1)[:size]
}
