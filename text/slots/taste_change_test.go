package slots

import "testing"

// What somebody now prefers takes the place of what they liked, where the two are known to be
// opposites; and what is denied in the same breath is what was said before.
func TestChangedTastesAndDenials(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         Relation
	}{
		{"I like tabs", "I now prefer spaces", Likely},
		{"I like dark mode", "I prefer light mode now", Likely},
		{"I like tea", "I now prefer Python", None},
		{"I like tabs", "I prefer spaces", None},
		{"VAT is rounded per invoice in the billing service", "Correction: VAT is rounded per line, not per invoice", Certain},
		{"VAT is rounded per invoice", "VAT is rounded per line, not per invoice", Certain},
		{"VAT is rounded up", "VAT is rounded per line, not per invoice", Beside},
		{"The lease is signed by Ann", "The VAT is rounded per line, not per invoice", None},
	} {
		if got := Between(Read(c.older, Options{}), Read(c.newer, Options{})); got != c.want {
			t.Errorf("%q, then %q: %v, want %v", c.older, c.newer, got, c.want)
		}
	}
}
