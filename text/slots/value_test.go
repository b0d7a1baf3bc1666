package slots

import "testing"

// TestDateBehindValue: what stands behind a value and is a date is no part of it,
// unless the class is of times.
func TestDateBehindValue(t *testing.T) {
	for text, want := range map[string]Statement{
		"The user has moved to Bergen on 23 March 2026.":       {Attribute: "home", Value: "Bergen", From: true},
		"The user moved to Bergen in March 2026.":              {Attribute: "home", Value: "Bergen", From: true},
		"I moved to Bergen on 23 March.":                       {Attribute: "home", Value: "Bergen"},
		"I move to Bergen on 23 March.":                        {Attribute: "home", Value: "Bergen", From: true},
		"The user moved to Bergen on 2026-03-23.":              {Attribute: "home", Value: "Bergen", From: true},
		"We switched from Vim to Helix on 2 May 2026.":         {Attribute: "editor", Value: "Helix", From: true},
		"Our landlord is Karin Holm as of 3 June 2026.":        {Attribute: "landlord", Value: "Karin Holm", From: true},
		"The user's birthday is on 23 March 1990.":             {Attribute: "birthday", Value: "on 23 March 1990"},
		"I use the Ambrosia Edition in 2 colours as my theme.": {Attribute: "theme", Value: "Ambrosia Edition in 2 colours"},
	} {
		all := Read(text, Options{})
		if len(all) != 1 {
			t.Errorf("%s: %d statements", text, len(all))
			continue
		}
		if s := all[0]; s.Attribute != want.Attribute || s.Value != want.Value || s.From != want.From {
			t.Errorf("%s: %s %q, from %v", text, s.Attribute, s.Value, s.From)
		}
	}
}
