package slots

import "testing"

func TestTenseOfQuestions(t *testing.T) {
	for question, want := range map[string]Question{
		"Where do I live?":                           {Tense: Now},
		"Where did I live before Ghent?":             {Tense: Then, Until: "ghent"},
		"Before Ghent, where did I live?":            {Tense: Then, Until: "ghent"},
		"Where did I live until the divorce?":        {Tense: Then, Until: "divorce"},
		"What was the limit before we raised it?":    {Tense: Then, Until: "raised"},
		"What car did I have?":                       {Tense: Then, Implied: true},
		"Which nursery did Lotte go to?":             {Tense: Then, Implied: true},
		"Which software held my photos?":             {Tense: Then, Implied: true},
		"Who sang in the band?":                      {Tense: Then, Implied: true},
		"How high was my rating in spring?":          {Tense: Then, Implied: true},
		"What was the original budget?":              {Tense: Then, First: true},
		"Who was our first vet?":                     {Tense: Then, First: true},
		"How many hives did I start with?":           {Tense: Then, First: true},
		"For which date was the freeze first fixed?": {Tense: Then, First: true},
		"Where had we planned to go originally?":     {Tense: Then, First: true},
		// what happens before something is no earlier version
		"What should I take before breakfast?":         {Tense: Now},
		"What do I have to do before the trip?":        {Tense: Now},
		"Should commits be squashed before we merge?":  {Tense: Now},
		"Is the dough kneaded before it rises?":        {Tense: Now},
		"Is the editor I used before the switch free?": {Tense: Then, Until: "switch free"},
		// what happened once has no versions
		"When did I move?":                       {Tense: Now},
		"What did Anna say about the trip?":      {Tense: Now},
		"When was Tess born?":                    {Tense: Now},
		"What did I buy yesterday?":              {Tense: Now},
		"Why did the build fail?":                {Tense: Now},
		"What was the port of the API again?":    {Tense: Now},
		"What is the first name of my neighbour": {Tense: Now},
		// other languages
		"Wie lange dauerte ein Sprint?":    {Tense: Then, Implied: true},
		"Wo habe ich früher gewohnt?":      {Tense: Then},
		"¿Dónde trabajaba mi hermana?":     {Tense: Then, Implied: true},
		"Où habitais-je avant Lyon?":       {Tense: Then, Until: "lyon"},
		"Wie heißt mein Chef?":             {Tense: Now},
		"¿A qué hora riego?":               {Tense: Now},
		"How has my job changed over time": {Tense: History},
	} {
		got := Ask(question, Options{})
		if got.Tense != want.Tense || got.Until != want.Until || got.First != want.First || got.Implied != want.Implied {
			t.Errorf("%q: %v, until %q, first %v, implied %v", question, got.Tense, got.Until, got.First, got.Implied)
		}
	}
}

func TestYesNo(t *testing.T) {
	for question, want := range map[string]bool{
		"Do I still keep sheep?": true, "Am I married?": true, "Habe ich noch Schafe?": true, "Bin ich noch verheiratet?": true,
		"Where do I live?": false, "Which sheep do I keep?": false, "sheep": false,
	} {
		if got := Ask(question, Options{}).YesNo; got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
}

func TestHappeningsAreBroadOnlyAsAWhole(t *testing.T) {
	if !Ask("What happened last week?", Options{}).Broad {
		t.Error("a question about a week is not broad")
	}
	if Ask("Do rollbacks of gannetry happen automatically?", Options{}).Broad {
		t.Error("a question about rollbacks is broad")
	}
}

// Two things that change places around a word of order are no repetition.
func TestTurnedAround(t *testing.T) {
	for a, b := range map[string]string{
		"We indent with tabs, not spaces, in quillfeather.":         "We indent with spaces, not tabs, in quillfeather.",
		"Add the salt first and the yeast second, says the recipe.": "Add the yeast first and the salt second, says the recipe.",
		"Lock the shed before the gate when you leave.":             "Lock the gate before the shed when you leave.",
	} {
		if !Opposed(a, b) || !Differ(a, b) || SameFact(a, b) {
			t.Errorf("%q and %q: opposed %v, differ %v", a, b, Opposed(a, b), Differ(a, b))
		}
	}
	if a, b := "Not tabs but spaces in quillfeather.", "In quillfeather not tabs but spaces."; Opposed(a, b) {
		t.Errorf("%q is the opposite of %q", a, b)
	}
}

// What is out of service is not in service, and nine out of ten are nine.
func TestOutOf(t *testing.T) {
	if a, b := "The lift in the east wing is in service.", "The lift in the east wing is out of service."; !Opposed(a, b) ||
		!Differ(a, b) || SameFact(a, b) {
		t.Errorf("%q and %q: opposed %v, differ %v", a, b, Opposed(a, b), Differ(a, b))
	}
	if a, b := "Nine of ten gannets nest on the cliff.", "Nine out of ten gannets nest on the cliff."; Opposed(a, b) {
		t.Errorf("%q is the opposite of %q", a, b)
	}
}

func TestRestated(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"The upload limit is 10 MB.", "The upload limit is 100 MB.", true},
		{"The migration is on 4 June.", "The migration is on 11 June.", true},
		{"Rubbish goes out on Monday.", "Rubbish goes out on Friday.", true},
		{"The shop is open on Sundays.", "The shop is closed on Sundays.", true},
		{"The upload limit is 10 MB.", "The upload limit was raised to 100 MB.", false},
		{"My dentist is Dr. Pell.", "My dentist is Dr. Rey.", false},
		{"The upload limit is 10 MB.", "The upload limit is 10 MB.", false},
	} {
		if got := Restated(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
	}
}

// "Was" is "what" in German, and the past tense is asked about now.
func TestNotOfThePast(t *testing.T) {
	for question, want := range map[string]Tense{
		"Was hält Steffi von Spargel?":                 Now,
		"Was ist mit Jürgen und Spargel?":              Now,
		"Was Jürgen fond of leeks?":                    Then,
		"Should commit messages be in the past tense?": Now,
		"Did I have a car in the past?":                Then,
		"Was the visa of Marisol granted?":             Now,
	} {
		if got := Ask(question, Options{}).Tense; got != want {
			t.Errorf("%s: %v, want %v", question, got, want)
		}
	}
}
