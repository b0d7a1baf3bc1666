package slots

import (
	"cmp"
	"slices"
	"strings"
)

// Relation is how a statement stands to an older one.
type Relation uint8

// The relations, from weak to strong.
const (
	None        Relation = iota // about something else, or not to be told
	Beside                      // same subject and attribute, and both hold
	Same                        // say the same
	Contradicts                 // say opposite things, and neither says what changed
	Likely                      // the new one probably takes the place of the old
	Certain                     // the new one takes the place of the old
)

var relationNames = [...]string{"none", "beside", "same", "contradicts", "likely", "certain"}

// String returns the name in lower case, such as "likely".
func (r Relation) String() string {
	if int(r) >= len(relationNames) {
		return "unknown"
	}
	return relationNames[r]
}

// Between returns the strongest relation of any statement of the newer text
// to any of the older; None if one list is empty.
func Between(older, newer []Statement) Relation {
	best := None
	for i := range newer {
		for k := range older {
			best = max(best, Compare(&older[k], &newer[i]))
		}
	}
	return best
}

// Compare returns how newer stands to older, where the caller knows which is
// which. Certain needs the same subject and slot, two plain assertions, and
// either a class of one value and values of one kind, or words that say that
// the old one is over.
func Compare(older, newer *Statement) Relation {
	relation := compare(older, newer)
	switch {
	case relation >= Likely && scoping(older, newer) == possible && !sameKey(older, newer):
		return partly(older, newer)
	case relation == Certain && (older.unsure || newer.unsure || older.unbound || newer.unbound):
		return Likely
	case relation == Certain && newer.Until && !newer.Change: // what was before comes back
		return Likely
	case relation == Certain && !newer.Change && newer.Former == "" && furnished(older.Norm, newer.Norm):
		return Likely
	case relation == Certain && newer.Former != "" && older.Norm != "" && !covers(older.Norm, newer.Former):
		return Beside // what is replaced was named, and is something else
	case relation == Certain && (listed(older.Value) && newer.Former != "" || older.open && older.Topic == used && newer.Former == ""):
		return Likely // one uses many things
	}
	return relation
}

// partly is the relation of two statements of which only one has a scope, such as "in production",
// which may be an exception to the other. The older one is likely over only if the newer one names
// a former value, or has no scope and tells of a change.
func partly(older, newer *Statement) Relation {
	if newer.Change && newer.Scope == "" || newer.Former != "" {
		return Likely
	}
	return Beside
}

// furnished reports whether both values name with "on" or "with" what they hold for, and not the
// same: "zsh on my laptop" and "bash on servers" may both be so.
func furnished(a, b string) bool {
	for _, word := range []string{" on ", " with "} {
		_, x, of := strings.Cut(a, word)
		_, y, and := strings.Cut(b, word)
		if of && and && !contains(x, y) && !contains(y, x) {
			return true
		}
	}
	return false
}

// used is the topic of "I use X" where the table knows no class for X.
var used = stemmed("use")

// listed reports whether a value names several things.
func listed(value string) bool {
	return strings.Contains(value, " and ") || strings.Contains(value, ", ")
}

func compare(older, newer *Statement) Relation {
	if older.loose || newer.loose {
		if older.loose && newer.loose && older.Subject == newer.Subject && older.Norm == newer.Norm {
			return Same
		}
		return None
	}
	if older.Hedged || newer.Hedged || !older.Slot() && !older.open || !newer.Slot() && !newer.open {
		return None
	}
	subject := subjects(older, newer)
	if subject == apart {
		return elsewhere(older, newer)
	}
	if scoping(older, newer) == apart {
		return None
	}
	over := newer.Former != "" && covers(older.Norm, newer.Former)
	if newer.Past || older.Past {
		return None
	}
	slot := sameSlot(older, newer)
	if newer.Negated && newer.Change && newer.Former != "" {
		return ended(older, newer, slot, over)
	}
	if over && !older.Negated && older.Norm != newer.Norm {
		return replaces(older, newer, slot, subject)
	}
	if !slot {
		return near(older, newer, subject)
	}
	return successor(older, newer, subject)
}

// Order compares when what two statements of one slot say began, of one subject, by the
// years that they name: -1 if that of a is earlier, 1 if later, 0 if not both tell.
func Order(a, b *Statement) int {
	if a.began == 0 || b.began == 0 || !sameSlot(a, b) || subjects(a, b) == apart {
		return 0
	}
	return cmp.Compare(a.began, b.began)
}

// elsewhere is the relation of statements whose subjects differ. Likely if the newer one names the
// value of the older one as over: "we moved the hosting from X to Y" may be about the services that
// are on X.
func elsewhere(older, newer *Statement) Relation {
	if ofThing(newer.Attribute) && older.Attribute == newer.Attribute && newer.Former != "" && !newer.Negated && newer.Type != Plan &&
		(newer.Subject == User || newer.Subject == "" || older.Subject == User || older.Subject == "") &&
		covers(older.Norm, newer.Former) && !older.Past && !newer.Past {
		return Likely
	}
	return None
}

// near is the relation of statements whose slots are not quite the same: a new employer ends a job,
// and a new preference what somebody liked before.
func near(older, newer *Statement, subject sameness) Relation {
	switch {
	case !newer.Change || newer.Additive || newer.Type == Plan && !newer.From || older.Negated || subject != equal:
	case older.Attribute == "job" && newer.Attribute == "work":
		return Likely
	case older.Attribute == "home" && older.Kind == Number && newer.Attribute == "address" && newer.Topic == "":
		return Certain // both are an address
	case older.Type == Preference && newer.Type == Preference && older.open && newer.open && !newer.Negated &&
		flips(older.Norm, newer.Norm):
		return Likely // "I like tabs" and "I now prefer spaces"
	}
	return None
}

// ended is the relation of "I no longer smoke" to what was before.
func ended(older, newer *Statement, slot, over bool) Relation {
	switch {
	case older.Negated && older.Norm == newer.Norm:
		return Same
	case !older.Negated && newer.bare && older.Attribute == newer.Attribute && older.single && older.Type == State:
		return Likely // "gave up the flat": the one that there was
	case older.Negated, !over && older.Norm != newer.Norm:
		return None
	case slot:
		return Certain
	case newer.open && newer.Attribute == "" && older.Attribute != "" && older.Kind == Name && older.Type == State:
		return Likely // "left Acme", "Rex died"
	case newer.open && older.Attribute == newer.Attribute, older.open:
		return Likely
	}
	return None
}

// replaces is the relation of "switched from X to Y" to a statement that says X.
func replaces(older, newer *Statement, slot bool, subject sameness) Relation {
	switch {
	case newer.Type == Plan && !newer.From || newer.Additive:
		return Beside
	case newer.Type == Plan:
		return Likely
	case older.Type == Plan || older.Type == Event:
		return None
	case slot && older.Attribute != "" && older.Attribute == newer.Attribute:
		return Certain
	case slot && subject == equal && older.Topic == newer.Topic:
		return Certain
	case older.Attribute != "" && newer.Attribute != "" && older.Attribute != newer.Attribute:
		return None
	case older.Norm == newer.Former && subject == equal && !newer.Slot() && older.Type != Preference:
		return Certain
	}
	return Likely
}

// successor is the relation of two statements of one slot.
func successor(older, newer *Statement, subject sameness) Relation {
	if older.Norm == newer.Norm || older.Norm == "" || newer.Norm == "" {
		switch {
		case older.Norm != "" && newer.Negated && newer.Change && !older.Negated && older.single:
			return Likely
		case older.Norm == "" || newer.Norm == "":
			return None
		case older.Negated == newer.Negated:
			return Same
		}
		return Contradicts
	}
	if flips(older.Norm, newer.Norm) && older.Negated == newer.Negated {
		if newer.Change {
			return Certain
		}
		return Contradicts
	}
	if newer.Negated || older.Negated {
		return None
	}
	single := older.single || newer.single || older.Exclusive || newer.Exclusive
	switch {
	case newer.Additive || older.Additive && !newer.Exclusive:
		return Beside
	case Order(older, newer) > 0: // it was said later, and is of before
		return Beside
	case older.Type == Event || newer.Type == Event && !newer.Change || older.Type == Plan:
		return Beside
	case !single && !newer.Change:
		return maybe(older, newer)
	case contains(older.Norm, newer.Norm) || contains(newer.Norm, older.Norm):
		return Beside
	case newer.Type == Plan && !newer.From, newer.pinned:
		return Beside
	case newer.Type == Plan || newer.From && newer.Until || older.Type == Preference && newer.Type != Preference:
		return Likely
	}
	alike := comparable(older, newer)
	switch {
	case older.Attribute == "version" && !alike: // of another product
		return Beside
	case single && older.Attribute != "" && !older.open && !newer.open && alike && subject == equal:
		return Certain
	case single && older.Attribute != "" && newer.Change &&
		(alike || older.Kind <= Name && newer.Kind <= Name && (newer.Kind == Name || older.Kind == Text) ||
			older.Kind == Number && newer.Kind == Name): // "14 Larkbeare Terrace" and "Topsham"
		return Certain
	case older.Attribute == "" && newer.Change && alike && older.Kind >= Name && (subject == equal || !older.open):
		return Certain
	case !single && older.Attribute != "" && !newer.Exclusive:
		return Beside
	case !alike && !newer.Change && older.Kind >= Name && newer.Kind == Text:
		return Beside
	case older.Attribute == "" && !alike:
		return Beside
	}
	return Likely
}

// maybe is the relation of two values of a slot that may have several, where no word tells of a
// change. Likely if they are two amounts in one unit, or two values of one kind in a slot without a
// class.
func maybe(older, newer *Statement) Relation {
	if older.Attribute == "" && !older.open && !newer.open && older.Kind >= Name && comparable(older, newer) {
		return Likely
	}
	if older.Attribute != "" && older.Kind == Number && newer.Kind == Number && units(older.Norm) == units(newer.Norm) &&
		units(older.Norm) != "" {
		return Likely
	}
	return Beside
}

// sameness tells whether two subjects are one.
type sameness uint8

const (
	apart    sameness = iota
	possible          // one is not named, or named by less
	equal
)

func subjects(a, b *Statement) sameness {
	switch {
	case a.Alias != "" && b.Alias != "" && a.Subject == b.Subject && !contains(a.Alias, b.Alias) && !contains(b.Alias, a.Alias):
		return apart // "my friend Ada", "my friend Bo"
	case a.Subject == b.Subject && a.Subject != "", a.Alias != "" && a.Alias == b.Subject, b.Alias != "" && b.Alias == a.Subject,
		a.Alias != "" && a.Alias == b.Alias && roleOf(a.Subject) == roleOf(b.Subject):
		return equal
	case a.Subject == "" && b.Subject == "":
		if a.Topic != "" || a.Attribute != "" {
			return equal
		}
		return possible
	case ours(a.Subject, b.Subject), ours(b.Subject, a.Subject):
		return possible
	case a.Attribute != b.Attribute, a.Topic == "" && b.Topic == "" && a.Attribute == "":
		return apart
	}
	// "session timeout of Atlas" and "Atlas's session timeout".
	if sameKey(a, b) {
		return equal
	}
	return apart
}

// ours reports whether two subjects may be one because a is nobody in particular and b is the user
// or what everybody works on ("the project"), or because a is that and b the user, who speaks for it.
func ours(a, b string) bool { return a == "" && (b == User || generic[b]) || generic[a] && b == User }

// slotKey joins the stems of subject, topic and scope, in order of the alphabet: they tell a slot
// from others of its class.
func slotKey(s *Statement) string {
	switch one := !strings.Contains(s.Subject, " "); {
	case s.Scope != "":
	case one && s.Topic == "" && s.Subject != User && s.Subject != "":
		return stemmed(s.Subject) // most are of one word
	case (s.Subject == User || s.Subject == "") && !strings.Contains(s.Topic, " "):
		return s.Topic
	}
	words := s.keyWords(nil)
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// keyWords appends the words of a statement's slotKey in the order in which they stand.
func (s *Statement) keyWords(words []string) []string {
	for w := range strings.FieldsSeq(s.Subject) {
		if w != User {
			words = append(words, stemmed(w))
		}
	}
	for w := range strings.FieldsSeq(s.Topic) {
		words = append(words, w)
	}
	for w := range strings.FieldsSeq(s.Scope) {
		words = append(words, w)
	}
	return words
}

// sameKey reports whether the slotKeys of two statements are equal, without making
// them: each is compared with many others.
func sameKey(a, b *Statement) bool {
	if a.initials() != b.initials() {
		return false
	}
	var x, y [8]string
	one, other := a.keyWords(x[:0]), b.keyWords(y[:0])
	return containsAll(one, other) && containsAll(other, one)
}

// initials has a bit for the first byte of each of the keyWords, as a stem begins like its word.
// Statements whose bits differ cannot have equal keys.
func (s *Statement) initials() (bits uint64) {
	for i, part := range [...]string{s.Subject, s.Topic, s.Scope} {
		for w := range strings.FieldsSeq(part) {
			if i > 0 || w != User {
				bits |= 1 << (w[0] % 64)
			}
		}
	}
	return bits
}

func containsAll(list, words []string) bool {
	for _, w := range words {
		if !slices.Contains(list, w) {
			return false
		}
	}
	return true
}

// sameSlot reports whether two statements of one subject fill the same slot.
func sameSlot(a, b *Statement) bool {
	if a.Attribute != b.Attribute || !a.Slot() {
		return false
	}
	if a.Topic == b.Topic {
		return a.open == b.open || a.Attribute != ""
	}
	return sameKey(a, b)
}

// comparable reports whether two values are of one kind, and amounts of one
// unit.
func comparable(a, b *Statement) bool {
	if a.Kind != b.Kind {
		return false
	}
	if a.Kind == Text {
		return lastWord(a.Norm) == lastWord(b.Norm)
	}
	if a.Kind == Name {
		return wide(a.Value) == wide(b.Value)
	}
	if a.Kind == Time { // a day is no hour
		return strings.ContainsAny(a.Norm, "0123456789") == strings.ContainsAny(b.Norm, "0123456789")
	}
	return units(a.Norm) == units(b.Norm) || units(a.Norm) == "" || units(b.Norm) == "" || a.Attribute != "" && unitsAlike(a.Norm, b.Norm)
}

// wide reports whether a place is a country or larger.
func wide(place string) bool {
	return table().find(strings.ToLower(lastWord(place))).flags&isCountry != 0
}

func lastWord(norm string) string { return norm[strings.LastIndexByte(norm, ' ')+1:] }

// units returns the words of a value that are no numbers.
func units(norm string) string {
	var words []string
	for w := range strings.FieldsSeq(norm) {
		if !numeral(w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// unitsAlike reports whether values share a word that is no number.
func unitsAlike(a, b string) bool {
	for w := range strings.FieldsSeq(units(a)) {
		if contains(b, w) {
			return true
		}
	}
	return false
}

// contains reports whether all words of part are words of norm.
func contains(norm, part string) bool {
	for w := range strings.FieldsSeq(part) {
		if !strings.Contains(" "+norm+" ", " "+w+" ") {
			return false
		}
	}
	return true
}

// covers reports whether the older value is what is said to be over.
func covers(older, former string) bool {
	return older != "" && (older == former || contains(older, former) || contains(former, older))
}

// flips reports whether two values are opposites: they differ in one word, and the other has an
// antonym of it ("light theme", "dark theme").
func flips(a, b string) bool {
	x := table()
	differ := 0
	for w := range strings.FieldsSeq(a) {
		if strings.Contains(" "+b+" ", " "+w+" ") {
			continue
		}
		opposite := false
		for _, o := range x.opposite[w] {
			opposite = opposite || strings.Contains(" "+b+" ", " "+o+" ")
		}
		if !opposite {
			return false
		}
		differ++
	}
	return differ == 1 && strings.Count(a, " ") == strings.Count(b, " ")
}
