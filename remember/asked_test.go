package remember_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/remember"
)

// TestForgetAsked: what the user asks to forget is put away, with the reason and an undo, if a few memories
// are meant for certain; else nothing is.
func TestForgetAsked(t *testing.T) {
	for _, c := range []struct{ sentence, forgotten string }{
		{"please forget my phone number", "The user's phone number is 0151 2345678."},
		{"Forget my phone number, I have a new one.", "The user's phone number is 0151 2345678."},
		{"could you forget my phone number again please", "The user's phone number is 0151 2345678."},
		{"forget what I told you about Nordwind", "The user's client is called Nordwind."},
		{"Forget everything about Nordwind.", "The user's client is called Nordwind."},
		{"forget that I live in Trier", "The user lives in Trier."},
		{"forget what I said about Nordwind", ""},
		{"don't forget my phone number", ""},
		{"I always forget my phone number", ""},
		{"forget that I sing", ""}, // one word tells too little
		{"forget my question", ""},
		{"forget my address", "The user's address is Bergweg 7 and the user works in Jena."},
		{"forget my shoe size", ""}, // which stands in a list
		{"forget my birthday", "The user was born on 3 May 1990."},
		{"forget that I asked you to deploy on Fridays", ""},
		{"forget Nordwind, let's do the tests", ""},
		{"forget the tests for now", ""},
		{"forget it", ""},
		{"forget everything about oboes", ""}, // four memories
		{"forget everything I said about the garden", "The garden is small."},
		{"forget all about the pinned fence", "The pinned fence is green."},
	} {
		b := newBank(t)
		for _, text := range []string{"The user's phone number is 0151 2345678.", "The user's client is called Nordwind.", "The user lives in Trier.",
			"The user's address is Bergweg 7 and the user works in Jena.", "The user's shoe size is 42, which is common.", "The user was born on 3 May 1990.",
			"The user's question list is in Notion.", "The tests run at night.", "The user's choir sings at night.",
			"The user wants the assistant to never deploy on Fridays.", "Ann plays oboes.", "Bea plays oboes.", "Cleo plays oboes.",
			"Dora plays oboes.", "The garden is small."} {
			b.say(text)
		}
		for _, text := range []string{"The garden has a gate.", "The pinned fence is green."} {
			b.save(remember.SaveRequest{Content: text, Pinned: true})
		}
		got, err := b.ForgetAsked(t.Context(), anna, c.sentence, start.Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if c.forgotten == "" {
			if got.Forgotten != 0 {
				t.Errorf("%q forgets %q", c.sentence, b.record(got.IDs[0]).Content)
			}
			continue
		}
		if got.Forgotten != 1 {
			t.Errorf("%q forgets %d", c.sentence, got.Forgotten)
			continue
		}
		if r := b.record(got.IDs[0]); r.Content != c.forgotten || r.Live() || !strings.Contains(r.ArchiveWhy, c.sentence) {
			t.Errorf("%q forgets %+v", c.sentence, r)
		}
		if left := slices.Contains(b.live(), "The user works in Jena."); left != strings.Contains(c.sentence, "address") {
			t.Errorf("%q leaves %q", c.sentence, b.live())
		}
		if b.forget(remember.ForgetRequest{Undo: got.UndoID}); !b.record(got.IDs[0]).Live() {
			t.Errorf("%q is not undone", c.sentence)
		}
	}
}

// TestForgetAskedBefore: what was said later than the request stays.
func TestForgetAskedBefore(t *testing.T) {
	b := newBank(t)
	b.say("The user's phone number is 0151 2345678.")
	if got, err := b.ForgetAsked(t.Context(), anna, "forget my phone number", start); err != nil || got.Forgotten != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestForgetEarlierVersions: what was corrected is forgotten with what corrects it, and ends no more.
func TestForgetEarlierVersions(t *testing.T) {
	b := newBank(t)
	first := b.say("The user's phone number is 0151 2345678.")
	b.save(remember.SaveRequest{Content: "The user's phone number is 0160 999.", Supersedes: first.ID})
	got, err := b.ForgetAsked(t.Context(), anna, "forget my phone number", start.Add(time.Hour))
	if err != nil || got.Forgotten != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	rule := b.say("The user wants the assistant to never use tabs.")
	b.save(remember.SaveRequest{Content: "Spaces are what the user likes.", Supersedes: rule.ID})
	if ended, err := b.Ended(t.Context(), anna, "tabs are ok now", start.Add(time.Hour)); err != nil || len(ended) != 0 {
		t.Errorf("ends %+v, %v", ended, err)
	}
}

// TestEnded: the rules that a sentence ends are found among all memories.
func TestEnded(t *testing.T) {
	b := newBank(t)
	rules := []string{"The user wants the assistant to never use tabs.", "The user wants the assistant to do this: from now on answer in one sentence.",
		"The user wants the assistant to always run the full e2e suite before pushing."}
	for _, text := range append(rules, "The tabs of the browser are blue.", "The user wants the assistant to run CI before each push.") {
		b.say(text)
	}
	for sentence, want := range map[string]string{
		"tabs are ok now": rules[0], "You may answer longer again.": rules[1],
		"you don't have to run the e2e suite before pushing anymore, CI does it": rules[2], "CI is fine now": "", "the tabs are blue again": "",
	} {
		got, err := b.Ended(t.Context(), anna, sentence, start.Add(time.Hour))
		if err != nil || len(got) > 1 || (len(got) == 1) != (want != "") || want != "" && got[0].Content != want {
			t.Errorf("%q ends %+v, %v", sentence, got, err)
		}
	}
}
