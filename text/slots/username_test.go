package slots_test

import (
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

func facts(texts ...string) (list []memory.Record) {
	for _, text := range texts {
		list = append(list, memory.Record{Content: text})
	}
	return list
}

func TestUserNames(t *testing.T) {
	for text, want := range map[string]string{
		"The user's name is Ada Kern.":        "Ada Kern",
		"My name is Ada Kern.":                "Ada Kern",
		"I'm Ada.":                            "Ada",
		"I am Ada Kern, a nurse from Oslo.":   "Ada Kern",
		"The user is called Ada Kern.":        "Ada Kern",
		"User is Ada Kern, a nurse.":          "Ada Kern",
		"User: Ada Kern, 29, pilot.":          "Ada Kern",
		"I go by Ada.":                        "Ada",
		"My name is Rose.":                    "Rose",
		"I'm Mark.":                           "Mark",
		"My name is Jan van der Berg.":        "Jan van der Berg",
		"I changed my name to Ada Holm.":      "Ada Holm",
		"I'm Norwegian.":                      "",
		"I am Catholic.":                      "",
		"I'm tired.":                          "",
		"I'm in Oslo.":                        "",
		"I'm Ada's sister.":                   "",
		"My sister's name is Ada.":            "",
		"My sister is called Ada.":            "",
		"Ada is a nurse.":                     "",
		"His name is Tom.":                    "",
		"The name of the cat is Tom.":         "",
		"My cat's name is Tom.":               "",
		"Maybe my name is Ada.":               "",
		"My name was Ada Berg.":               "",
		"My name is not Ada.":                 "",
		"If my name were Ada, I would laugh.": "",
		"Tom said his name is Ada.":           "",
		"My name is on the door.":             "",
		"":                                    "",
	} {
		if got := strings.Join(slots.UserNames(facts(text)), ", "); got != want {
			t.Errorf("%q introduces %q, want %q", text, got, want)
		}
		if want == "" {
			continue
		}
		filed := slots.Keys(slots.Read(text, slots.Options{}))
		if !slices.ContainsFunc(slots.NameKeys(), func(k uint64) bool { return slices.Contains(filed, k) }) {
			t.Errorf("%q is not filed as an introduction", text)
		}
	}
	several := slots.UserNames(facts("My name is Ada Holm.", "I'm Ada holm", "My name is Ada Kern.", "I'm Bo.", "I'm Cy."))
	copied := facts("My name is Bo.")
	copied[0].Source = memory.SourceLink
	if names := slots.UserNames(copied); names != nil {
		t.Errorf("the user of another agent: %q", names)
	}
	if !slices.Equal(several, []string{"Ada Holm", "Ada Kern", "Bo"}) {
		t.Errorf("several names: %q", several)
	}
}

// TestNamesThatAreWords: a name that is a common word turns no noun and no verb
// into the user.
func TestNamesThatAreWords(t *testing.T) {
	known := slots.Options{UserNames: []string{"Will Brandt", "Rose", "Mark", "Hope", "Ada Kern"}}
	for text, user := range map[string]bool{
		"Will moved to Bergen.":                true,
		"Rose lives in Oslo.":                  true,
		"Mark lives in Oslo.":                  true,
		"Hope lives in Bergen.":                true,
		"Ada moved to Bergen.":                 true,
		"Ada Kern works at Blankwerk.":         true,
		"Will Brandt lives in Oslo.":           true,
		"ada lives in Oslo.":                   true,
		"The rose is red.":                     false,
		"the rose costs 5 euros.":              false,
		"a mark costs 2 euros.":                false,
		"The mark is 5.":                       false,
		"The Ada compiler runs on port 8080.":  false,
		"Rose is a colour.":                    false,
		"Roses live in gardens.":               false,
		"Rose gold is the colour of the door.": false,
		"Hope is a thing with feathers.":       false,
		"The hope lives in Bergen.":            false,
		"hope lives in Bergen.":                false,
		"Will is a legal document.":            false,
		"Mark the date.":                       false,
		"Hope you are well.":                   false,
		"Ada Lovelace lives in Oslo.":          false,
		"Kern lives in Oslo.":                  false,
		"Adam lives in Oslo.":                  false,
		"Will Smith lives in Oslo.":            false,
	} {
		is := slices.ContainsFunc(slots.Read(text, known), func(s slots.Statement) bool { return s.Subject == slots.User })
		if is != user {
			t.Errorf("%q is about the user: %t, want %t: %+v", text, is, user, slots.Read(text, known))
		}
	}
	if s := slots.Read("Will moved to Bergen.", known); s[0].Type != slots.State || s[0].Attribute != "home" {
		t.Errorf("what the user did: %+v", s)
	}
	for question, subject := range map[string]string{
		"Where does Ada live?":           slots.User,
		"Where does Rose live?":          slots.User,
		"Where does Will live?":          slots.User,
		"Who is Ada Kern?":               slots.User,
		"What do you know about Ada?":    slots.User,
		"What is Ada's job?":             slots.User,
		"Where does Ada's sister live?":  slots.User + "'s sister",
		"Where does my sister live?":     slots.User + "'s sister",
		"Where does Ada Lovelace live?":  "ada lovelace",
		"Where does Tom live?":           "tom",
		"Will the package arrive today?": "package",
	} {
		if q := slots.Ask(question, known); q.Subject != subject {
			t.Errorf("%q asks about %q, want %q", question, q.Subject, subject)
		}
	}
	for _, question := range []string{"Where does the rose grow?", "What is the mark?", "Is there hope?"} {
		if q := slots.Ask(question, known); q.Subject == slots.User {
			t.Errorf("%q asks about the user", question)
		}
	}
}

// TestSeekAlso: what is said of the user finds what is filed under a name.
func TestSeekAlso(t *testing.T) {
	names := []string{"Ada Kern"}
	for _, c := range []struct {
		older, newer string
		meet         bool
	}{
		{"Ada lives in Oslo.", "I moved to Bergen.", true},
		{"Ada Kern lives in Oslo.", "The user moved to Bergen.", true},
		{"Ada's sister lives in Oslo.", "My sister moved to Bergen.", true},
		{"I live in Oslo.", "Ada moved to Bergen.", true},
		{"Tom lives in Oslo.", "I moved to Bergen.", false},
		{"Ada Lovelace lives in Oslo.", "I moved to Bergen.", false},
	} {
		filed := slots.Keys(slots.Read(c.older, slots.Options{}))
		said := slots.Read(c.newer, slots.Options{UserNames: names})
		if got := slices.ContainsFunc(slots.SeekAlso(said, names),
			func(k uint64) bool { return slices.Contains(filed, k) }); got != c.meet {
			t.Errorf("%q finds %q: %t", c.newer, c.older, got)
		}
	}
}
