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
		{"I live in Aarhus with my husband Mikkel.", User, "home", "Aarhus", true},
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
}

// TestEndsAndBegins: what names a make fills its class, and what ends a job, a
// home or somebody's life ends what was said of it.
func TestEndsAndBegins(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         Relation
	}{
		{"I use an iPhone 12.", "Got a Fairphone 5 for my birthday.", Certain},
		{"Our production database is MySQL 5.7.", "Production moved to MariaDB 11.", Certain},
		{"I drive an old Volvo V50.", "We share a Renault Zoe now.", Certain},
		{"My laptop is a ThinkPad X1.", "I bought a MacBook Air 13.", Certain},
		{"I use an iPhone 12.", "I have a meeting with Fairphone.", None},
		{"I use an iPhone 12.", "Got a Kobo for my birthday.", None},
		{"I drive an old Volvo V50.", "Sold the Volvo.", Certain},
		{"I drive an old Volvo V50.", "Sold the car.", Likely},
		{"I drive an old Volvo V50.", "Sold the old piano.", None},
		{"I live in Odense.", "We gave up the flat.", Likely},
		{"I work at Acme.", "I left Acme in March.", Likely},
		{"I work at Acme.", "I joined Equinor in May.", Likely},
		{"I work at Acme.", "I cancelled FitForge and joined Stone & Rope.", None},
		{"My gym is FitForge.", "I cancelled FitForge and joined Stone & Rope.", Certain},
		{"I work at Acme.", "I joined the Bergen Choir.", None},
		{"I work at Acme.", "I retired in May.", Likely},
		{"I work at Acme.", "I retired from the board.", None},
		{"We have a dog called Pjuske, a border collie.", "Our neighbour Ole died in January.", None},
		{"We have a dog called Pjuske, a border collie.", "Pjuske put on weight.", None},
	} {
		if got := Between(Read(c.older, Options{}), Read(c.newer, Options{})); got != c.want {
			t.Errorf("%s / %s: %v, want %v", c.older, c.newer, got, c.want)
		}
	}
}
