package slots

import (
	"slices"
	"strings"
)

// Link says that a role and a name are one: "My sister Jana lives in Dresden" and
// "Ines is our CTO" let "my sister" mean Jana, and Jana the sister.
type Link struct {
	Role string // subject, as in a [Statement]: "user's sister", "cto", "billing service"
	Name string // in lower case
}

// maxLinkName is how many words a name may have.
const maxLinkName = 3

// Links returns what the statements of a text say that roles and names are one.
// What says nothing but that ("Ines is our CTO") holds as long as the text does,
// and is left out where it was superseded.
func Links(statements []Statement, superseded bool) (links []Link) {
	for i := range statements[:min(maxKeyed, len(statements))] {
		s := &statements[i]
		if s.Hedged || s.Past || s.Negated {
			continue
		}
		switch role := s.linked(); {
		case s.Alias != "":
			links = append(links, Link{s.Subject, s.Alias})
		case superseded || role == "":
		case s.called != "":
			links = append(links, Link{role, s.Subject})
		default:
			links = append(links, Link{role, s.named()})
		}
	}
	return slices.DeleteFunc(links, func(l Link) bool { return l.Role == "" || l.Name == "" || l.Name == User || l.Role == User })
}

// named returns the name that a value is, in small letters, "" if it is none.
func (s *Statement) named() string {
	name := strings.ToLower(strings.TrimRight(s.Value, ".!"))
	if s.Kind != Name || !capital(s.Value) || strings.Count(name, " ") >= maxLinkName {
		return ""
	}
	return name
}

// linked returns the role that a statement gives a name to, "" if it gives none: "user's manager"
// for "My manager is Petra".
func (s *Statement) linked() string {
	a := table().byID[s.Attribute]
	switch {
	case s.called != "":
		return s.called
	case s.Attribute == "name" && s.Subject != User, s.open && s.Topic == "be" && strings.HasPrefix(s.Subject, User+"'s "):
		return s.Subject
	case s.Attribute == "holder" && s.Subject != User && s.Subject != "":
		return s.Subject
	case s.Attribute == "holder":
		return s.Topic
	case s.Subject == User && a != nil && a.domain == "person" && person(a):
		if s.Topic != "" && s.Topic != topic([]string{a.id}) {
			return User + "'s " + s.Topic + " " + a.id
		}
		return User + "'s " + a.id
	}
	return ""
}

// person reports whether the value of an attribute is somebody.
func person(a *attribute) bool {
	switch a.id {
	case "manager", "assistant", "mentor", "colleague", "partner", "friend", "neighbour", "babysitter", "cleaner", "teacher", "landlord",
		"doctor", "dentist", "therapist", "physio", "vet", "hairdresser", "lawyer", "tax_adviser", "pet", "holder", "child", "sibling":
		return true
	}
	return false
}

// roleOf returns a role in the form that is compared: the stems of its words in order of the
// alphabet, without "user's". Synonyms are written as the id of their attribute, so that "boss" and
// "manager" are one.
func roleOf(subject string) string {
	x := table()
	var words []string
	for w := range strings.FieldsSeq(strings.TrimPrefix(subject, User+"'s ")) {
		for _, p := range x.find(w).phrases {
			if p.role == nounPhrase && len(p.words) == 1 && person(p.attr) && p.attr.single && p.attr.id != "holder" {
				w = p.attr.id
			}
		}
		words = append(words, stemmed(w))
	}
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// LinkKeys returns the keys of texts that tell who or what the subjects of some
// statements are; nil where they are the user, or nobody in particular.
func LinkKeys(statements []Statement) []uint64 {
	var k keyring
	for i := range statements[:min(maxKeyed, len(statements))] {
		for _, subject := range []string{statements[i].Subject, statements[i].Alias} {
			if subject != "" && subject != User {
				k.add("&", roleOf(subject))
				k.add("&", "", firstWord(subject))
			}
		}
	}
	return k.keys
}

// link adds the keys of a link.
func (k *keyring) link(l Link) {
	k.add("&", roleOf(l.Role))
	k.add("&", "", firstWord(l.Name))
}

func firstWord(s string) string {
	first, _, _ := strings.Cut(s, " ")
	return first
}

// Resolve returns statements whose subjects have their role and their name, as the
// links, the newest first, tell them. A name of several roles is left alone; a role
// of several names is bound to none, so that nothing certain follows from it.
func Resolve(statements []Statement, links []Link) []Statement {
	if len(links) == 0 {
		return statements
	}
	list := slices.Clone(statements)
	for i := range list {
		s := &list[i]
		if s.linked() != "" {
			continue // it says so itself
		}
		s.Subject, s.Alias, s.unbound = resolve(s.Subject, s.Alias, s.unbound, links)
	}
	return list
}

// Resolve does the same for whom a question is about.
func (q *Question) Resolve(links []Link) {
	q.Subject, q.Alias, _ = resolve(q.Subject, q.Alias, false, links)
}

func resolve(subject, alias string, unbound bool, links []Link) (role, name string, ambiguous bool) {
	if subject == "" || subject == User {
		return subject, alias, unbound
	}
	own := roleOf(subject)
	var roles, names []string
	for _, l := range links {
		switch {
		case sameName(l.Name, subject):
			if !slices.ContainsFunc(roles, func(r string) bool { return roleOf(r) == roleOf(l.Role) }) {
				roles = append(roles, l.Role)
			}
		case roleOf(l.Role) == own:
			role = l.Role // as others are written
			if len(names) > 0 && singleRole(own) {
				continue // that was another one
			}
			if !slices.ContainsFunc(names, func(n string) bool { return sameName(n, l.Name) }) {
				names = append(names, l.Name)
			}
		}
	}
	switch {
	case len(roles) == 1:
		for _, l := range links {
			if roleOf(l.Role) == roleOf(roles[0]) {
				role = l.Role
			}
		}
		return role, subject, unbound
	case len(roles) > 1:
		return subject, alias, true
	case len(names) == 0:
		return subject, alias, unbound
	case alias != "":
		return role, alias, unbound
	case len(names) == 1:
		return role, names[0], unbound
	}
	return role, alias, true
}

// singleRole reports whether only one at a time can have a role, as a manager; one may have several
// sisters.
func singleRole(role string) bool {
	for w := range strings.FieldsSeq(role) {
		for _, p := range table().find(w).phrases {
			if p.role == nounPhrase && p.attr.single && person(p.attr) {
				return true
			}
		}
	}
	return false
}

// sameName reports whether two names are one, of which one may be the first name.
func sameName(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+" ") || strings.HasPrefix(b, a+" ")
}
