package slots

import (
	"strings"
	"testing"
)

// What each says in words of its own is the opposite all the same, and what agrees is not.
func TestOpposedInOtherWords(t *testing.T) {
	for _, c := range [][2]string{
		{"Rosalind can't stand leeks.", "Rosalind loves leeks."},
		{"Rosalind cannot stand leeks.", "Rosalind is fond of leeks."},
		{"The dryer in the cellar works.", "The dryer in the cellar is out of order."},
		{"Visitors must wear a helmet.", "Visitors don't have to wear a helmet."},
		{"Apprentices may use the lathe.", "Apprentices mustn't use the lathe."},
		{"Uncle Jorin is not afraid of dogs any more.", "Uncle Jorin is afraid of dogs."},
		{"Bea works part-time.", "Bea works full-time."},
		{"Ravi is against the toll.", "Ravi is for the toll."},
		{"The Okafors live above us.", "The Okafors live below us."},
		{"Bill 77 is paid.", "Bill 77 is unpaid."},
		{"Ulrike mag Spargel.", "Ulrike hasst Spargel."},
		{"Ulrike isst Spargel.", "Ulrike isst keinen Spargel mehr."},
		{"Solène fume.", "Solène ne fume plus."},
		{"Den Ofen immer vor dem Lüften ausschalten.", "Den Ofen nie vor dem Lüften ausschalten."},
		{"I swim every morning.", "I never swim."},
		{"Marko calls his aunt on Sundays.", "Marko's aunt calls him on Sundays."},
		{"haproxy forwards to varnish on host rum.", "varnish forwards to haproxy on host rum."},
		{"Rye is preferred to wheat in the bakery.", "Wheat is preferred to rye in the bakery."},
		{"node-a is the primary and node-b is the replica.", "node-b is the primary and node-a is the replica."},
		{"The grant was adopted.", "The grant was turned down."},
		{"rsync copies the films from attic to cellar.", "rsync copies the films from cellar to attic."},
	} {
		for _, pair := range [][2]string{c, {c[1], c[0]}} {
			if !Opposed(pair[0], pair[1]) || !Differ(pair[0], pair[1]) || SameFact(pair[0], pair[1]) {
				t.Errorf("%q and %q: opposed %v, differ %v", pair[0], pair[1], Opposed(pair[0], pair[1]), Differ(pair[0], pair[1]))
			}
		}
	}
	for _, c := range [][2]string{
		{"Rosalind can't stand leeks.", "Rosalind hates leeks."},
		{"Rosalind can't stand leeks.", "Rosalind loves plums."},
		{"Rosalind doesn't like leeks.", "Rosalind dislikes leeks."},
		{"The dryer doesn't work.", "The dryer is broken."},
		{"Ravi is for the toll.", "Ravi is in favour of the toll."},
		{"Rum, tea and rye are sold in the shop.", "Rye, tea and rum are sold in the shop."},
		{"The Atlas lead is Kim.", "Kim is the lead of Atlas."},
		{"rum is connected to skye by cable.", "skye is connected to rum by cable."},
		{"Daily the backups run on rum.", "The backups run on rum daily."},
		{"Marko calls his aunt.", "Marko's aunt calls Berta."},
		{"The films go from attic to cellar.", "To cellar the films go from attic."},
	} {
		if Opposed(c[0], c[1]) || Opposed(c[1], c[0]) {
			t.Errorf("%q is the opposite of %q", c[0], c[1])
		}
	}
}

func TestInPlain(t *testing.T) {
	for text, want := range map[string]string{
		"Nadia can't stand leeks.":           "Nadia not like leeks.",
		"Nadia can’t stand leeks, says Bo.":  "Nadia not like leeks, says Bo.",
		"The lift is out of order today":     "The lift is not work today",
		"She has to sign, Ben need not":      "She must sign, Ben not must",
		"They hardly ever eat out.":          "They not  eat out.",
		"We like it here, we can. Stand by.": "We like it here, we can. Stand by.",
	} {
		if got, _ := inPlain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got, ok := inPlain("Grey herons nest."); ok || got != "Grey herons nest." {
		t.Errorf("%q, %v", got, ok)
	}
}

// TestPolesTable: a phrase stands on one side of one row, or its other meanings are never seen.
func TestPolesTable(t *testing.T) {
	seen := map[string]bool{}
	rows(polesText, func(cells []string) {
		if len(cells) != 3 {
			t.Fatalf("%q has %d cells", cells, len(cells))
		}
		for _, cell := range cells[1:] {
			for _, phrase := range list(cell) {
				if seen[phrase] {
					t.Errorf("%q stands there twice", phrase)
				}
				seen[phrase] = true
				if phrase != strings.ToLower(phrase) || strings.ContainsAny(phrase, "'-") {
					t.Errorf("%q is not written as words are compared", phrase)
				}
			}
		}
	})
}

// A name is no word for one side of an opposite, and what is told of another way differs
// however much else is told with it.
func TestNamesAndWaysInOpposites(t *testing.T) {
	if plain, _ := inPlain("Ann met Red Miller."); !strings.Contains(plain, "Red Miller") {
		t.Errorf("Red Miller became %q", plain)
	}
	if a, b := "The ferry goes from Oslo to Kiel at noon.", "The big ferry goes from Kiel to Oslo at noon."; !Differ(a, b) {
		t.Errorf("%q and %q do not differ", a, b)
	}
}
