package slots

import (
	"slices"
	"testing"
)

// knownLinks returns the links of some texts, the newest of which stands last.
func knownLinks(texts ...string) (links []Link) {
	for _, text := range slices.Backward(texts) {
		links = append(links, Links(Read(text, Options{}), false)...)
	}
	return links
}

func TestLinks(t *testing.T) {
	for text, want := range map[string]Link{
		"My sister Jana lives in Dresden.":                     {"user's sister", "jana"},
		"Jana is my sister.":                                   {"user's sister", "jana"},
		"My sister is called Jana.":                            {"user's sister", "jana"},
		"My dog Pjuske is 5.":                                  {"user's dog", "pjuske"},
		"Our CTO Ines uses a Canon.":                           {"cto", "ines"},
		"Our CTO, Ines, moved to Ghent.":                       {"cto", "ines"},
		"Ines is our CTO.":                                     {"cto", "ines"},
		"My dentist Dr. Amadi moved to Ghent.":                 {"user's dentist", "dr amadi"},
		"My manager is Lone Friis.":                            {"user's manager", "lone friis"},
		"The billing service (Ledger) listens on port 8080.":   {"billing service", "ledger"},
		"The billing service Ledger listens on port 8080.":     {"billing service", "ledger"},
		"Ledger is our billing service.":                       {"billing service", "ledger"},
		"Our search service is called Beacon.":                 {"search service", "beacon"},
		"My sister lives in Dresden.":                          {},
		"I live in Dresden.":                                   {},
		"If Jana is my sister, I am her brother.":              {},
		"Jana used to be my boss.":                             {},
		"The backup on host Anton runs at 02:00.":              {},
		"The billing service is down, said Jana in the corner": {},
	} {
		got := Links(Read(text, Options{}), false)
		if want == (Link{}) && len(got) > 0 || want != (Link{}) && !slices.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := Links(Read("Ines is our CTO.", Options{}), true); len(got) > 0 {
		t.Errorf("a CTO who was superseded: %q", got)
	}
	if got := Links(Read("My sister Jana lives in Dresden.", Options{}), true); len(got) != 1 {
		t.Errorf("a sister who moved: %q", got)
	}
}

// TestResolve: a role and its name are one subject, unless there are more of either.
func TestResolve(t *testing.T) {
	for _, c := range []struct {
		known        []string
		older, newer string
		want         Relation
	}{
		{[]string{"Jana is my sister."}, "Jana lives in Dresden.", "My sister moved to Kiel.", Certain},
		{[]string{"Jana is my sister."}, "My sister lives in Dresden.", "Jana moved to Kiel.", Certain},
		{nil, "My sister lives in Dresden.", "Jana moved to Kiel.", None},
		{[]string{"Jana is my sister.", "Mia is my sister."}, "Jana lives in Dresden.", "My sister moved to Kiel.", Likely},
		{[]string{"Jana is my sister.", "Mia is my sister."}, "My sister lives in Dresden.", "My sister moved to Kiel.", Likely},
		{[]string{"Jana is my sister.", "Mia is my sister."}, "Jana lives in Dresden.", "Mia moved to Kiel.", None},
		{[]string{"Jana is my sister.", "Jana is my dentist."}, "My sister lives in Dresden.", "Jana moved to Kiel.", Likely},
		{[]string{"Ines is our CTO."}, "Our CTO lives in Ghent.", "Ines moved to Kiel.", Certain},
		{[]string{"Ines is our CTO.", "Bo is our CTO now."}, "Our CTO lives in Ghent.", "Bo moved to Kiel.", Certain},
		{[]string{"Ledger is our billing service."}, "The billing service listens on port 80.", "Ledger listens on port 81 now.", Certain},
		{[]string{"My boss is Lone."}, "My boss lives in Vejle.", "Lone moved to Horsens.", Certain},
		{[]string{"Ines is our CTO."}, "Ines is our CTO.", "Bo is our CTO now.", Certain},
	} {
		links := knownLinks(c.known...)
		read := func(text string) []Statement { return Resolve(Read(text, Options{}), links) }
		if got := Between(read(c.older), read(c.newer)); got != c.want {
			t.Errorf("%q: %s / %s: %v, want %v (%q)", c.known, c.older, c.newer, got, c.want, links)
		}
	}
}
