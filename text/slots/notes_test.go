package slots

import (
	"fmt"
	"strings"
	"testing"
)

// brief writes what tells statements from others: subject|attribute or topic|value.
func brief(text string) string {
	var all []string
	for _, s := range Read(text, Options{}) {
		if s.loose {
			continue
		}
		slot := s.Attribute
		if slot == "" {
			slot = s.Topic
		}
		one := fmt.Sprintf("%s|%s|%s", s.Subject, slot, s.Value)
		for _, mark := range []struct {
			set  bool
			name string
		}{{s.Scope != "", " in " + s.Scope}, {s.Former != "", " not " + s.Former},
			{s.Change, " changed"}, {s.Negated, " negated"}, {s.Type == Plan, " planned"}, {s.Hedged, " hedged"}} {
			if mark.set {
				one += mark.name
			}
		}
		all = append(all, one)
	}
	return strings.Join(all, "; ")
}

func TestNotes(t *testing.T) {
	for text, want := range map[string]string{
		// Tags and headings say what a note is about.
		"[atlas] CI runs on GitHub Actions, takes 14 min":    "atlas|ci|GitHub Actions",
		"[hermes] CI moved to Buildkite":                     "hermes|ci|Buildkite changed",
		"[2026-05-01] CI moved to Buildkite":                 "|ci|Buildkite changed",
		"2026-05: CI moved to Buildkite":                     "|ci|Buildkite changed",
		"[preference] The editor is Helix.":                  "|editor|Helix",
		"[atlas] The user prefers tabs.":                     "user|prefer|tabs in atla",
		"Project atlas: CI runs on CircleCI.":                "atlas|ci|CircleCI",
		"[atlas]\nCI runs on CircleCI.":                      "atlas|ci|CircleCI",
		"[atlas] CI runs on CircleCI.\nThe editor is Helix.": "atlas|ci|CircleCI; |editor|Helix",
		"[x] CI moved to Buildkite":                          "|ci|Buildkite changed",
		"Project lead: Mira":                                 "project lead|holder|Mira",
		// Labels of a sort are no slots.
		"Preference: the editor is Helix": "|editor|Helix",
		"Update: CI runs on Buildkite":    "|ci|Buildkite changed",
		"TODO: move to Postgres":          "|database|Postgres changed planned",
		// What the user is said to have said is what he says.
		"The user mentioned that they live in Lund with their dog.":      "user|home|Lund",
		"User said that his sister moved to Rome and she works at Fiat.": "user's sister|home|Rome changed; user's sister|work|Fiat",
		"User confirmed she uses Helix.":                                 "user|editor|Helix",
		"Anna mentioned that they live in Lund.":                         "anna|mention|they live in Lund hedged",
		// Nobody is named where the user is meant.
		"Lives in Lund, Sweden.":     "user|home|Lund",
		"- Uses Helix as editor":     "user|editor|Helix",
		"Has a cat named Miso":       "user|pet|Miso",
		"Has a date been set":        "has date|be|set hedged",
		"Training moved to Mondays.": "training|meeting_time|Mondays changed",
		"Tests are slow":             "test|be|slow",
		// The user in the third person.
		"The user is a nurse.":                  "user|job|nurse",
		"The user is vegan.":                    "user|diet|vegan",
		"The user no longer lives in Bonn.":     "user|home|Bonn not bonn changed negated",
		"User raised the rent to 900 from May.": "|rent|900 changed",
		"User has a new manager: Piotr.":        "user|manager|Piotr changed",
		"User has car insurance with HUK.":      "user|insurance|HUK",
		"User works as a consultant at Tavolo.": "user|job|consultant; user|work|Tavolo",
		// Keys and words of other languages for the user.
		`user.city = "Osaka"`:            "user|home|Osaka",
		"user_name: Tomoko Abe":          "user|name|Tomoko Abe",
		"Der Nutzer wohnt in Bonn.":      "user|home|Bonn",
		"El usuario se mudó a Valencia.": "user|home|Valencia changed",
		// What is so instead.
		// Products and their versions.
		"Bumped Node to 22 (LTS).":                        "|version|Node 22 changed",
		"Upgraded the billing Postgres from 14 to 16.":    "billing|database|Postgres 16 not postgres 14 changed",
		"[harvest] Migrated from poetry to uv.":           "harvest|package_manager|uv not poetri changed",
		"[harvest] Beta deadline slipped to 1 September.": "harvest beta|deadline|1 September changed",
		"User designs in Figma.":                          "user|design_tool|Figma",
		"The user asked for answers in bullet points.":    "user|answer_style|for answers in bullet points",
		"I went back to Argo because of the bill.":        "user||Argo changed",
	} {
		if got := brief(text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// What is written in letters that are longer in lower case is read without a fault.
func TestNotesOfOtherLengths(t *testing.T) {
	for _, text := range []string{"ȺȺȺȺ [atlas] CI moved (was Jenkins)", "ȺȺȺȺȺ: x\n[a", "İİİİ [atlas]\nCI is Jenkins (was ȺȺȺȺȺȺ)",
		"[Ⱥ] x (left Ⱥ)"} {
		Read(text, Options{})
	}
}
