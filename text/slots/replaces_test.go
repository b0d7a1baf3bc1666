package slots

import "testing"

func TestReplaces(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         bool
	}{
		{"I live in Aarhus.", "We moved to Odense.", true},
		{"I live in Aarhus, because of my work.", "We moved to Odense.", true},
		{"I live in Aarhus with my husband Mikkel.", "We moved to Odense.", false},
		{"I live in Aarhus with my husband.", "We moved to Odense.", false},
		{"I live in Aarhus with two flatmates.", "We moved to Odense.", false},
		{"My manager is Lone Friis.", "My manager is now Torben Rask.", true},
		{"My manager is Lone Friis, she hates meetings.", "My manager is now Torben Rask.", false},
		{"My manager is Lone Friis. Nice office!", "My manager is now Torben Rask.", false},
		{"My name is Hanne Berg and I work at Skovby.", "I work at Fyn Hospital now.", false},
		{"My name is Hanne Berg and I work at Skovby.", "My name is Hanne Berg and I work at Fyn Hospital now.", true},
		{"The marathon is fun.", "I live in Odense.", false},
	} {
		if got := Replaces(Read(c.older, Options{}), Read(c.newer, Options{}), Certain); got != c.want {
			t.Errorf("%s / %s: %v", c.older, c.newer, got)
		}
	}
}

func TestCompanions(t *testing.T) {
	for _, c := range []struct {
		text, subject, attribute, value string
		rest                            bool
	}{
		{"I live in Aarhus with my husband Mikkel.", User, "partner", "Mikkel", false},
		{"The user lives in Oslo with her husband Tom Lie.", User, "partner", "Tom Lie", false},
		{"I live in Oslo with my wife Ida and our son Bo.", "user's son", "name", "Bo", false},
		{"Ines lives in Oslo with her husband Tom.", "ines", "partner", "Tom", false},
		{"I went to Rome with my mother Vera in May.", "user's mother", "name", "Vera", false},
		{"I live in Aarhus with my husband.", User, "home", "Aarhus", true},
		{"I drink my tea with milk.", User, "drink", "tea with milk", false},
	} {
		all := Read(c.text, Options{})
		if len(all) == 0 {
			t.Errorf("%s: nothing", c.text)
			continue
		}
		s := all[len(all)-1]
		if s.Subject != c.subject || s.Attribute != c.attribute || s.Value != c.value || s.Rest != c.rest {
			t.Errorf("%s: %s, %s %q, rest %v", c.text, s.Subject, s.Attribute, s.Value, s.Rest)
		}
		if s.Start >= s.End || s.End > len(c.text) {
			t.Errorf("%s: from %d to %d", c.text, s.Start, s.End)
		}
	}
	if s := Read("I live in Aarhus with my husband Mikkel.", Options{})[0]; s.Value != "Aarhus" {
		t.Errorf("home is %q", s.Value)
	}
	q := Ask("What's my husband's name?", Options{})
	if s := Read("I live in Aarhus with my husband Mikkel.", Options{})[1]; q.Fits(&s) != FitBoth {
		t.Errorf("fits %v: %+v", q.Fits(&s), q)
	}
}
