package web

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// person is somebody of whom memories speak.
type person struct {
	name  string
	user  bool            // whose memory it is
	kept  bool            // there is a relationship record of them
	known []memory.Record // what speaks of them, newest first
}

// personal are the categories of memories that introduce people: a name at the beginning of another may be that of a product.
var personal = []string{"identity", "social", "preference", "capability"}

// maxPeople is how many are found: each is looked for in every memory.
const maxPeople = 300

// peopleIn finds who is spoken of in memories, those of whom most is known first. Who is known by a relationship
// record is among them. A first name alone is that of whoever bears it, if only one does.
func peopleIn(records []memory.Record) (list []person) {
	users := slots.UserNames(ofCategories(records, "identity"))
	add := func(name string, user, kept bool) {
		words := strings.Fields(name)
		if len(words) == 0 || len(words) > 4 || len(list) == maxPeople ||
			slices.ContainsFunc(list, func(p person) bool { return strings.EqualFold(p.name, name) }) {
			return
		}
		list = append(list, person{name: name, user: user, kept: kept})
	}
	for _, name := range users {
		add(name, true, false)
	}
	for _, r := range records {
		if d := r.Relationship; d != nil {
			add(cmp.Or(d.Name, d.Party), false, true)
		}
	}
	for _, r := range ofCategories(records, personal...) {
		for _, s := range slots.Read(r.Content, slots.Options{UserNames: users}) {
			add(named(r.Content, s.Subject), false, false)
			if s.Alias != "" {
				add(capital(r.Content, s.Alias), false, false)
			}
		}
	}
	list = slices.DeleteFunc(list, func(p person) bool { // the first name of somebody whose whole name is there
		return !strings.Contains(p.name, " ") &&
			slices.ContainsFunc(list,
				func(o person) bool { return strings.HasPrefix(strings.ToLower(o.name), strings.ToLower(p.name)+" ") })
	})
	first := map[string]int{}
	for _, p := range list {
		first[firstName(p.name)]++
	}
	for _, r := range records {
		for i := range list {
			p := &list[i]
			if says(r.Content, p.name) || first[firstName(p.name)] == 1 && says(r.Content, firstName(p.name)) {
				p.known = append(p.known, r)
			}
		}
	}
	list = slices.DeleteFunc(list, func(p person) bool { return len(p.known) == 0 })
	slices.SortStableFunc(list, func(a, b person) int { return len(b.known) - len(a.known) })
	return list
}

func ofCategories(records []memory.Record, names ...string) (some []memory.Record) {
	for _, r := range records {
		if r.Kind == memory.KindFact && slices.Contains(names, r.Category) {
			some = append(some, r)
		}
	}
	return some
}

func firstName(name string) string {
	first, _, _ := strings.Cut(name, " ")
	return first
}

// named is the name in a subject, as the text has it: two words or three at its end that are written like names, "" for none.
func named(text, subject string) string {
	words := strings.Fields(capital(text, subject))
	n := 0
	for n < len(words) && n < 3 && isCapital(words[len(words)-1-n]) {
		n++
	}
	if n < 2 {
		return ""
	}
	return strings.Join(words[len(words)-n:], " ")
}

// capital is where a text has a part that is given in lower case, "" if it has not.
func capital(text, lower string) string {
	at := strings.Index(strings.ToLower(text), lower)
	if lower == "" || at < 0 || at+len(lower) > len(text) || !utf8.ValidString(text[at:at+len(lower)]) ||
		!isCapital(text[at:]) && !strings.Contains(lower, " ") {
		return ""
	}
	return text[at : at+len(lower)]
}

func isCapital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// says reports whether a text has a name as words of its own.
func says(text, name string) bool {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for rest, at := text, 0; ; {
		if at = strings.Index(rest, name); at < 0 || name == "" {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(rest[:at])
		after, _ := utf8.DecodeRuneInString(rest[at+len(name):])
		if !letter(before) && !letter(after) {
			return true
		}
		rest = rest[at+len(name):]
	}
}
