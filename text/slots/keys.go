package slots

import (
	"hash/fnv"
	"strings"
)

// maxKeyed bounds the statements of one text that are found again by a key: a
// long text is no statement of one fact.
const maxKeyed = 32

// Keys returns the keys under which a text is filed, so that a later text that
// fills one of its slots finds it without reading all texts; see [Seek]. Equal
// keys are a hint, [Between] decides. Keys are hashes: they hold no text, have
// no order, and change with the tables. Nil for a text without slots.
func Keys(statements []Statement) []uint64 {
	var k keyring
	for i := range statements[:min(maxKeyed, len(statements))] {
		s := &statements[i]
		if s.Attribute == "" && s.Subject == User && s.Kind == Name && s.Topic == "" && !s.open && !s.Hedged && !s.Past {
			k.add("@", User, "name") // "The user is Ada Kern"
		}
		if !s.holds() || s.Type == Event {
			continue
		}
		k.slot(s)
		if s.Norm != "" && s.Type == State {
			k.value(s.Subject, s.Norm)
			if ofThing(s.Attribute) {
				k.value("@"+s.Attribute, s.Norm)
			}
			if s.Alias != "" {
				k.value(s.Alias, s.Norm)
			}
		}
	}
	for _, l := range Links(statements, false) {
		k.link(l)
	}
	return k.keys
}

// Seek returns the keys of the texts that a new one may replace or contradict:
// those of its own slots, and those that a change of them ends, such as what it
// says was there before.
func Seek(statements []Statement) []uint64 {
	var k keyring
	for i := range statements[:min(maxKeyed, len(statements))] {
		s := &statements[i]
		if !s.holds() || s.Type == Event && !s.Change && s.Former == "" {
			continue
		}
		k.slot(s)
		if s.Attribute != "" && s.Subject == User {
			k.add("@", "", s.Attribute)
		} else if s.Attribute != "" && s.Subject == "" {
			k.add("@", User, s.Attribute)
		}
		if s.Attribute == "work" {
			k.add("@", s.Subject, "job") // see near
		}
		if s.Former != "" {
			k.value(s.Subject, s.Former)
			if ofThing(s.Attribute) && (s.Subject == "" || s.Subject == User) { // of whatever had it
				k.value("@"+s.Attribute, s.Former)
			}
			if s.Alias != "" {
				k.value(s.Alias, s.Former)
			}
		}
	}
	return k.keys
}

// ofThing reports whether an attribute is one of things and not of people; see elsewhere.
func ofThing(attribute string) bool {
	a := table().byID[attribute]
	return a != nil && a.domain != "person"
}

// maxTold is how many words a value without a known class has at most if its statement is filed
// under a key. A longer one is a description, and is found by its words.
const maxTold = 6

// holds reports whether a statement can replace another or be replaced, see Compare. What is over
// or guessed cannot, nor can a description.
func (s *Statement) holds() bool {
	return !s.Hedged && !s.Past && (s.Slot() || s.open) &&
		(s.Attribute != "" || s.Former != "" || strings.Count(s.Norm, " ") < maxTold)
}

// keyring collects keys, each once.
type keyring struct{ keys []uint64 }

// slot adds the keys of a statement's own slot: by subject and class, and by the
// words of subject and topic, which may be spread otherwise ("Atlas's session
// timeout", "the session timeout of Atlas").
func (k *keyring) slot(s *Statement) {
	if s.Attribute != "" {
		k.add("@", s.Subject, s.Attribute)
		if s.Alias != "" {
			k.add("@", s.Alias, s.Attribute)
		}
	}
	if s.Topic == "" && s.Attribute != "" && !strings.Contains(s.Subject, " ") {
		return // nothing can be spread
	}
	if words := slotKey(s); words != "" {
		k.add("#", words, s.Attribute)
	}
}

// value adds the key of a value of a subject, or of "@" and a class. Only the first word of the
// value counts, as it names it where more follows: "Redis" of "Redis for caching".
func (k *keyring) value(subject, norm string) {
	first, _, _ := strings.Cut(norm, " ")
	k.add("=", subject, first)
}

func (k *keyring) add(parts ...string) {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p))
		_, _ = h.Write([]byte{0})
	}
	sum := h.Sum64()
	for _, known := range k.keys {
		if known == sum {
			return
		}
	}
	k.keys = append(k.keys, sum)
}
