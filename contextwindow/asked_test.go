package contextwindow_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

// TestLaterConversation: what a later conversation asks to forget is put away, and no memory itself; a sentence of it
// that ends a rule is kept, one that ends none is not, and a question neither.
func TestLaterConversation(t *testing.T) {
	b := newBank(t)
	service := b.service(func(o *contextwindow.Options) { o.Summarizers = b.all.Summarizers() })
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for i, texts := range [][]string{
		{"My phone number is 0151 2345678.", "My bike is called Sturmvogel.", "Never use tabs.", "Don't use emojis."},
		{"you can use semicolons again", "Never use semicolons.", "Don't run the linter.", "don't push to main until the audit is over", "you can run the linter again", "the audit is over",
			"please forget my phone number", "tabs are ok now", "the shop is fine again", "emojis are fine again?", "forget my bike?",
			strings.Repeat("Here is a long letter that somebody wrote. ", 30) + "Forget my bike.",
			"Forget my bike" + strings.Repeat(", which was left in the rain by whoever borrowed it last", 5) + "."},
	} {
		var messages []contextwindow.Message
		for n, text := range texts {
			one := say(text)
			one.TS = at.AddDate(0, 0, i).Add(time.Duration(n) * time.Minute)
			messages = append(messages, one, answer("Forget my bike."))
		}
		name := session + string(rune('a'+i))
		if _, err := service.Append(t.Context(),
			contextwindow.AppendRequest{Scope: anna, Session: name, Messages: messages, Total: 1 << 20}); err != nil {
			t.Fatal(err)
		}
		if _, err := service.Compact(t.Context(),
			contextwindow.CompactRequest{Scope: anna, Session: name, Mode: contextwindow.ModeFlush}); err != nil {
			t.Fatal(err)
		}
	}
	live := map[string]bool{}
	if err := b.store.EachRecord(t.Context(), anna.Agent, func(r memory.Record) error {
		live[r.Content] = r.Live()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"The user's phone number is 0151 2345678.": false, "The user's bike is called Sturmvogel.": true,
		"The user wants the assistant to never use tabs.": true, "The user wants the assistant not to use emojis.": true,
		"The user: tabs are ok now": true, "The user wants the assistant to never use semicolons.": true}
	for content, lives := range want {
		if got, there := live[content]; !there || got != lives {
			t.Errorf("%q is there: %v, live: %v", content, there, got)
		}
	}
	if len(live) != len(want) {
		t.Errorf("%v", live)
	}
}
