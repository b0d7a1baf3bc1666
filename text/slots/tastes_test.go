package slots

import "testing"

func TestTastes(t *testing.T) {
	for text, want := range map[string][2]bool{
		"I like hiking.":                          {true, false},
		"The user is fond of jazz.":               {true, false},
		"My favourite colour is teal.":            {true, false},
		"Prefers tabs to spaces.":                 {true, false},
		"I hate olives.":                          {false, true},
		"I can't stand open-plan offices.":        {false, true},
		"I don't like coriander.":                 {false, true},
		"The user does not really enjoy parties.": {false, true},
		"I don't hate it.":                        {true, false},
		"I love tea and can't stand coffee.":      {true, true},
		"Ich hasse Rosenkohl.":                    {false, true},
		"I live in Graz.":                         {false, false},
		"":                                        {false, false},
	} {
		if likes, dislikes := Tastes(text); likes != want[0] || dislikes != want[1] {
			t.Errorf("%q: likes %t, dislikes %t, want %t", text, likes, dislikes, want)
		}
	}
}
