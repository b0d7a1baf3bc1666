package thesaurus

import (
	"slices"
	"strings"
	"testing"

	"mcp-memory/text/analysis"
)

// of returns what may stand for a question, as phrases.
func of(t *Thesaurus, question string) (phrases []string) {
	for _, s := range t.Of(analysis.Content(question)) {
		phrases = append(phrases, strings.Join(s.Stems, " "))
	}
	return phrases
}

func TestOf(t *testing.T) {
	groups := Parse("# of cars\ncar, automobile, motor vehicle\n\ncar, maker > volvo, saab\nof the\n")
	for question, want := range map[string][]string{
		"Cars?":                 {"automobil", "motor vehicl", "maker", "volvo", "saab"}, // a kind has its kinds
		"a Volvo":               {"car", "maker"},                                        // but they do not stand for each other
		"motor vehicles":        {"car", "automobil"},
		"vehicles with a motor": nil, // in this order alone
		"of the":                nil,
		"":                      nil,
	} {
		if got := of(groups, question); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
	got := groups.Of([]string{"old", "motor", "vehicl", "saab"})
	want := []Synonym{{From: 1, To: 3, Stems: []string{"car"}}, {From: 1, To: 3, Stems: []string{"automobil"}},
		{From: 3, To: 4, Stems: []string{"car"}, Kind: true}, {From: 3, To: 4, Stems: []string{"maker"}, Kind: true}}
	if !slices.EqualFunc(got, want, func(a, b Synonym) bool {
		return a.From == b.From && a.To == b.To && a.Kind == b.Kind && slices.Equal(a.Stems, b.Stems)
	}) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestTechnical(t *testing.T) {
	for question, want := range map[string]string{
		"Who is on-call?":                "pager",
		"How do we roll back?":           "revert",
		"Which message broker do we use": "rabbitmq",
		"merge requests":                 "pull request",
	} {
		if got := of(Technical(), question); !slices.Contains(got, want) {
			t.Errorf("%q: no %q in %q", question, want, got)
		}
	}
	if got := of(Technical(), "my grandmother's birthday in June"); len(got) > 0 {
		t.Errorf("an everyday question has %q", got)
	}
}

// A group of one says nothing, and a line that is there twice is a slip.
func TestTheFileHasNoIdleLines(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(technical) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		group := Parse(line).groups[0]
		if len(group.general)+len(group.specific) < 2 || len(group.general) == 0 ||
			strings.Contains(line, ">") && len(group.specific) == 0 || seen[line] {
			t.Errorf("%s", line)
		}
		seen[line] = true
	}
	if len(seen) < 400 {
		t.Errorf("%d groups", len(seen))
	}
}

func BenchmarkOf(b *testing.B) {
	stems := analysis.Content("Which message broker feeds the workers of the production cluster, and who gets the alert at night?")
	Technical()
	for b.Loop() {
		Technical().Of(stems)
	}
}
