package slots

import "testing"

// Where the user is to be found is a question of his home, where a thing is of its location,
// and the participle belongs to neither.
func TestWhereabouts(t *testing.T) {
	for question, want := range map[string][2]string{
		"Where is the user based?":            {User, "home"},
		"Where is the user based these days?": {User, "home"},
		"Where is the user located?":          {User, "home"},
		"Where am I located?":                 {User, "home"},
		"Where is the warehouse located?":     {"warehouse", "location"},
		"Where is the main office located?":   {"office", "location"},
	} {
		if q := Ask(question, Options{}); q.Subject != want[0] || q.Attribute != want[1] {
			t.Errorf("%s: %q of %q, want %q of %q", question, q.Attribute, q.Subject, want[1], want[0])
		}
	}
}

// A word of a name is no word of its own: nothing is said to be new of "new-cart".
func TestNameWithAHyphen(t *testing.T) {
	on, off := Read("The feature flag new-cart is on.", Options{}), Read("The feature flag new-cart is off.", Options{})
	if len(on) != 1 || len(off) != 1 || on[0].Change {
		t.Fatalf("read as %+v and %+v", on, off)
	}
	if got := Compare(&on[0], &off[0]); got != Contradicts {
		t.Errorf("%v, want %v", got, Contradicts)
	}
}

// What somebody does is a question for the job, what a thing does is none.
func TestWhatSomebodyDoes(t *testing.T) {
	for question, want := range map[string][2]string{
		"What does Sam do?":                  {"sam", "job"},
		"What does my sister do?":            {"user's sister", "job"},
		"What does Sam do now?":              {"sam", "job"},
		"What does the script do?":           {"script", ""},
		"What should I do?":                  {User, ""},
		"Where am I living at the moment?":   {User, "home"},
		"Which port is used in staging now?": {"staging", "port"},
	} {
		if q := Ask(question, Options{}); q.Subject != want[0] || q.Attribute != want[1] {
			t.Errorf("%s: %q of %q, want %q of %q", question, q.Attribute, q.Subject, want[1], want[0])
		}
	}
}
