package extractive

import (
	"slices"
	"testing"
)

// TestFramed: a value takes the place of the one that was said of the same, and of
// nothing else.
func TestFramed(t *testing.T) {
	for name, c := range map[string]struct {
		talk string
		want []string
	}{
		"of one label":      {"u State is in bucket puffin-tf, region us-west-2, lock table tf-lock.\na OK.\nu hold on, region eu-west-1.", []string{"State is in bucket puffin-tf, region eu-west-1, lock table tf-lock."}},
		"among times":       {"u Treasure hunt at 14:30, cake at 15:15, pick up at 17:00.\na OK.\nu Actually pick up at 17:30.", []string{"Treasure hunt at 14:30, cake at 15:15, pick up at 17:30."}},
		"in a list":         {"u My first day:\n- my buddy is Raj\n- vacation days: 28\n- parking spot: 12\na Saved.\nu correction: vacation is 30 days", []string{"The user's first day: the user's buddy is Raj; vacation days: 30; parking spot: 12."}},
		"of another":        {"u The cluster has 12 nodes in Turku.\na OK.\nu update: the budget is 400 euros in Turku.", []string{"The cluster has 12 nodes in Turku.", "The budget is 400 euros in Turku."}},
		"minutes apart":     {"u Checkout was down from 22:14 to 22:51.\na OK.\nu Correction: it was 22:17, I looked at the wrong graph.", []string{"Checkout was down from 22:17 to 22:51."}},
		"of neither":        {"u The shop is open from 9:00 to 17:00.\na OK.\nu Correction: it was 13:00.", []string{"The shop is open from 9:00 to 17:00. Correction: it was 13:00."}},
		"in all facts":      {"u The NAS of my parents is 10.0.0.40.\na OK.\nu I mount 10.0.0.40 on badger.\na OK.\nu now it's 10.0.0.15 instead of 10.0.0.40", []string{"The NAS of the user's parents is 10.0.0.15. The user mounts 10.0.0.15 on badger."}},
		"postponed":         {"u The renovation in Ghent starts on 4 August.\na OK.\nu Baumann called, the start slips to 11 August.", []string{"The renovation in Ghent starts on 11 August 2026.", "Baumann called, the start slips to 11 August 2026."}},
		"guess of a value":  {"u I need tests for Heron.\na I'd guess you use Terraform 1.5?\nu 1.9", []string{"The user needs tests for Heron.", "The user uses Terraform 1.9."}},
		"guess of a number": {"u I row for Gent.\na I assume you train three times a week?\nu Four times.", []string{"The user rows for Gent.", "The user trains four times a week."}},
		"guess of a habit":  {"u I joined Veritel.\na I think standup is usually at 9:30?\nu 10:15, the team is spread from Lisbon to Tbilisi", []string{"The user joined Veritel. Standup: 10:15, the team is spread from Lisbon to Tbilisi."}},
		"guess of a place":  {"u Back up badger.\na I suppose the password is in an environment file?\nu it's in pass, entry backup/badger", []string{"The password: it's in pass, entry backup/badger."}},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%s\n\tgot %q\n\twant %q", name, got, c.want)
		}
	}
}

// TestQuotedPersons: what somebody in a quotation says of themselves is not about the user.
func TestQuotedPersons(t *testing.T) {
	for talk, want := range map[string][]string{
		"u My player is Ilona. \"I was born in Orsk and I fear the Duke.\"":                                              {"The user's player is Ilona."},
		"u My colleague Bo drafted one: \"We are proud to say that I moved to Copenhagen.\" I work with Bo since March.": {"The user works with Bo since March 2026."},
		"u \"Hello, I bought your blender in May.\nMy order number is 55120. I live in Graz.\"\n\nMy policy is 30 days.": {"The user's policy is 30 days."},
		"u I told Ann \"I move to Graz in May\" and she was glad.":                                                       {"The user told Ann \"the user moves to Graz in May 2026\" and she was glad."},
		"u My dog is called \"The Duke of Orsk\".":                                                                       {"The user's dog is called \"The Duke of Orsk\"."},
	} {
		if got := factsOf(t, talk); !slices.Equal(got, want) {
			t.Errorf("%s\n\tgot %q\n\twant %q", talk, got, want)
		}
	}
}
