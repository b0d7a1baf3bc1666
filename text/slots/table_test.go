package slots

import (
	"slices"
	"strings"
	"testing"
)

func TestAttributeTable(t *testing.T) {
	var ids []string
	for _, a := range table().attributes {
		ids = append(ids, a.id)
	}
	if len(ids) < 150 {
		t.Errorf("%d classes, want at least 150", len(ids))
	}
	sorted := slices.Sorted(slices.Values(ids))
	if len(slices.Compact(sorted)) != len(ids) {
		t.Error("an id stands there twice")
	}
	domains := []string{"person", "system", "team", "thing"}
	kinds := []string{"name", "number", "time", "text"}
	rows(attributesText, func(c []string) {
		if len(c) != 6 {
			t.Errorf("%s: %d columns", c[0], len(c))
			return
		}
		if c[1] != "single" && c[1] != "multi" || !slices.Contains(domains, c[2]) || !slices.Contains(kinds, c[3]) {
			t.Errorf("%s: unknown %s, %s or %s", c[0], c[1], c[2], c[3])
		}
		for _, noun := range list(c[4]) {
			if noun != strings.ToLower(noun) {
				t.Errorf("%s: %q is not in lower case", c[0], noun)
			}
		}
	})
	rows(valuesText, func(c []string) {
		if table().byID[c[0]] == nil {
			t.Errorf("values of an unknown class %q", c[0])
		}
	})
	for _, family := range table().families {
		for _, id := range family {
			if table().byID[id] == nil {
				t.Errorf("a family of an unknown class %q", id)
			}
		}
	}
	rows(wordsText, func(c []string) {
		if flagNames[c[0]] == 0 || len(c) != 2 {
			t.Errorf("unknown class of words %q", c[0])
		}
	})
	if !table().byID["home"].single || table().byID["pet"].single {
		t.Error("single-valued classes are wrong")
	}
}

func TestReadFields(t *testing.T) {
	one := func(text string, o Options) Statement {
		t.Helper()
		all := Read(text, o)
		if len(all) == 0 {
			t.Fatalf("nothing read from %q", text)
		}
		return all[len(all)-1]
	}
	s := one("I switched from Vim to Helix as my editor.", Options{})
	if s.Subject != User || s.Attribute != "editor" || s.Value != "Helix" || s.Norm != "helix" || s.Former != "vim" || !s.Change ||
		!s.Exclusive || s.Kind != Name {
		t.Errorf("switched: %+v", s)
	}
	if s := one("Jo Berg lives in Oslo.", Options{UserNames: []string{"Jo Berg"}}); s.Subject != User || s.Attribute != "home" ||
		s.Type != State {
		t.Errorf("the user's name: %+v", s)
	}
	if s := one("My sister Anna lives in Ghent.", Options{}); s.Subject != "user's sister" || s.Alias != "anna" {
		t.Errorf("relation: %+v", s)
	}
	if s := one("From May I live in Lyon.", Options{}); !s.From || s.Attribute != "home" {
		t.Errorf("future: %+v", s)
	}
	if s := one("I used to live in Lyon.", Options{}); !s.Past {
		t.Errorf("past: %+v", s)
	}
	if s := one("I did not move to Lyon.", Options{}); !s.Negated {
		t.Errorf("negation: %+v", s)
	}
	for _, text := range []string{"Ruben says he moved to Lyon.", "If I move to Lyon, I need a car.", "Do I live in Lyon?",
		"Maybe I live in Lyon."} {
		for _, s := range Read(text, Options{}) {
			if !s.Hedged {
				t.Errorf("%q is not hedged: %+v", text, s)
			}
		}
	}
	if got := len(Read("I live in Lyon and my sister lives in Ghent.", Options{})); got != 2 {
		t.Errorf("two subjects give %d statements", got)
	}
}

func TestNames(t *testing.T) {
	if State.String() != "state" || Type(99).String() != "unknown" || Certain.String() != "certain" || Relation(99).String() != "unknown" ||
		History.String() != "history" || Tense(99).String() != "unknown" {
		t.Error("names are wrong")
	}
}
