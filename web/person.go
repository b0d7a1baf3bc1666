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

// person is a person that memories name.
type person struct {
	name  string
	user  bool            // is the user whose memory it is
	kept  bool            // has a relationship record
	known []memory.Record // memories that name them, newest first
}

// personal are the categories whose facts may introduce people. In facts of other categories a name
// in the subject may be that of a product.
var personal = []string{"identity", "social", "preference", "capability"}

// maxPeople bounds the people that are found, because each is searched for in every memory.
const maxPeople = 300

// peopleIn finds the people that memories name, those with the most memories first: users, people
// with a relationship record, and those introduced by personal facts (as a subject of two or three
// capitalised words, or as an alias). A first name alone counts for the only person in the list who
// has it.
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
	list = slices.DeleteFunc(list, func(p person) bool { // drop a first name if the list has a whole name with it
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

// named returns the name at the end of a subject, as the text spells it: its last two or three
// capitalised words, "" if fewer than two are.
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

// capital returns the part of text that equals lower when put in lower case, "" if there is none. A
// single word must be capitalised in the text.
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

// says reports whether a text has a name as whole words, in the same case.
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
