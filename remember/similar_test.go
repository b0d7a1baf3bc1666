package remember_test

import (
	"fmt"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

func TestSimilar(t *testing.T) {
	b := newBank(t)
	b.say("My old cat's name was Whiskerino")
	b.say("The quarterly invoice of the harbour café was paid late")
	b.say("Deploys of the billing service run on Fridays")
	for content, want := range map[string]string{
		"My cat's name is Felix": "My old cat's name was Whiskerino",
		"The quarterly invoice of the harbour café was paid late again": "The quarterly invoice of the harbour café was paid late",
		"The billing service deploys on Mondays":                        "Deploys of the billing service run on Fridays",
		"Rhubarb grows behind the church":                               "",
		"name":                                                          "My old cat's name was Whiskerino",
		`"AND" OR cat* NEAR(`:                                           "My old cat's name was Whiskerino", // words, no syntax
		"?!":                                                            "",
		"🐈":                                                             "",
		"A sentence about a dog, an owl, a name, a school and a long walk": "",
	} {
		got, err := b.Save(t.Context(), anna, remember.SaveRequest{Content: content})
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		if len(got.Similar) > 0 {
			first = got.Similar[0].Content
			if s := got.Similar[0].Score; s < 0.5 || s > 1 {
				t.Errorf("%q: score %v", content, s)
			}
		}
		if first != want {
			t.Errorf("%q: similar is %+v, want %q", content, got.Similar, want)
		}
		// So that one sentence does not find another of this table.
		if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{got.ID}}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSimilarStaysInItsProjectAndBank(t *testing.T) {
	b := newBank(t)
	b.say("My old cat's name was Whiskerino")
	for _, scope := range []memory.Scope{boris, {Agent: "anna", Project: "p"}} {
		got, err := b.Save(t.Context(), scope, remember.SaveRequest{Content: "My cat's name is Felix"})
		if err != nil || len(got.Similar) > 0 {
			t.Errorf("%+v: %+v, %v", scope, got.Similar, err)
		}
	}
}

func TestAtMostFiveAreSimilar(t *testing.T) {
	b := newBank(t)
	for i := range 12 {
		b.say(fmt.Sprintf("The ferry to Hallstatt number %d was late", i))
	}
	if got := b.say("The ferry to Hallstatt was late"); len(got.Similar) != 5 {
		t.Errorf("%d are similar", len(got.Similar))
	}
}
