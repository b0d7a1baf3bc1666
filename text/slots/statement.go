package slots

// Type is what kind of thing a statement says.
type Type uint8

// The types of statement.
const (
	Other      Type = iota // none of the others, or not to be told
	State                  // holds for a while: "I live in Oslo"
	Event                  // happened at a moment: "I met Anna on Friday"
	Plan                   // is meant to happen: "I want to move to Oslo"
	Preference             // how somebody likes it: "I prefer short answers"
)

var typeNames = [...]string{"other", "state", "event", "plan", "preference"}

// String returns the name in lower case, such as "preference".
func (t Type) String() string {
	if int(t) >= len(typeNames) {
		return "unknown"
	}
	return typeNames[t]
}

// Kind is what a value looks like; values of different kinds seldom replace
// each other.
type Kind uint8

// The kinds of value.
const (
	Text   Kind = iota // words: "a small flat"
	Name               // a name: "Oslo", "Postgres"
	Number             // an amount or a version: "820 euros", "3.12"
	Time               // a day or an hour: "Monday at 10"
)

// User is the subject of what the user says about himself.
const User = "user"

// Options tells what a reader knows beforehand. The zero value is fine.
type Options struct {
	UserNames []string // names that the user goes by, in any case: "Jo", "Jo Berg"
}

// Statement is what one clause says. Where nothing is known, fields are zero.
type Statement struct {
	// Subject is whom or what it is about, in lower case: [User], "user's
	// sister", "ruben", "billing service"; "" if it cannot be told.
	Subject string
	// Alias is another name of the subject, given beside it: "anna" in "my
	// sister Anna".
	Alias string
	// Attribute is the id of a class ([Attributes]), or "" if it is open.
	Attribute string
	// Topic is what narrows the attribute down, as stems in order of the
	// alphabet: "work" of "my work phone", "marathon record" where the
	// attribute is open.
	Topic string
	// Scope is when, where or for whom it holds, as stems: "product" of "in
	// production", "weekdai" of "on weekdays"; "" if nothing is said, or if it
	// stands with the subject.
	Scope string
	// Value is what is said, in the words of the text; Norm the same to be
	// compared; Kind what it looks like.
	Value string
	Norm  string
	Kind  Kind
	// Former is the value that is said to be over, normalised like Norm:
	// "vim" of "switched from Vim to Helix".
	Former string

	Type    Type
	Negated bool // says that it is not so
	// Hedged marks what is not asserted: a question, a condition, a guess, the
	// words of somebody else.
	Hedged bool
	Past   bool // says how it was: "I used to live in Oslo"
	// Change is set by words that tell of a new state: now, moved, switched.
	Change bool
	// Exclusive is set where only one value can hold: the class has one value,
	// or the words say that the old one is over.
	Exclusive bool
	// Additive is set by words that let both hold: also, another, as well.
	Additive bool
	// From and Until say that a beginning or an end in time is named beside
	// it, for package timex to read.
	From, Until bool
	// Rest says that there is more in the clause, or in one beside it, than the
	// statements: "We have a dog, a border collie".
	Rest bool
	// Start and End are where its clause stands in the text, in bytes.
	Start, End int

	single  bool   // the class has one value
	began   int    // the year in which it began, where one is named: "since March 2019"; 0 for none
	pinned  bool   // the clause ties itself to a moment of its own: "in 2009"
	unsure  bool   // its class is a guess: one joins a firm, and a gym
	bare    bool   // its value is the class itself: "the flat"
	open    bool   // the attribute is open, told by a verb alone
	first   bool   // "our", "my" or "we" stood there
	called  string // role that the subject is said to have: "user's sister" of "Jana is my sister"
	loose   bool   // says of what sort a note is, and no slot: "Decision: use sqlc"
	unbound bool   // of somebody of whom nothing was said before: "she"
}

// Slot reports whether the statement fills a slot: an attribute or a topic
// that another statement can fill in its place.
func (s *Statement) Slot() bool { return s.Attribute != "" || s.Topic != "" }

// Lasts reports whether what it says is a state that holds from a beginning on, of a
// class with one value: where somebody lives, not when something takes place.
func (s *Statement) Lasts() bool {
	a := table().byID[s.Attribute]
	return a != nil && a.single && a.domain != "thing" && (a.anyKind || a.kind != Time)
}
