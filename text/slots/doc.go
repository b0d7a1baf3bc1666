// Package slots reads what a sentence is about: its subject, an attribute, a
// value, and whether it is a state, an event, a plan or a preference. From two
// sentences it tells whether the newer takes the place of the older, and from
// a question which subject, attribute and version it asks for.
//
// The idea is that of slot filling. "My manager is Petra" fills the slot
// (user, manager) with "petra"; "Samir is my manager now" fills it again, so
// the first is out of date. Nothing is learned and nothing is guessed: a
// clause is cut into subject, verb and rest by word lists, and a table of
// about 250 classes (attributes.txt) says which nouns and verbs stand for
// which attribute and whether it has one value at a time. What the table does
// not know stays open, with the noun or the verb as its topic, so that "my
// marathon record" is a slot, too.
//
//	for _, s := range slots.Read("I switched from Vim to Helix as my editor.", slots.Options{}) {
//		// s.Subject "user", s.Attribute "editor", s.Value "Helix", s.Former "vim", s.Change
//	}
//
// [Compare] is built to be right when it says [Certain]: both sentences are
// plain assertions about the same subject and slot, and either the class has
// one value and both values are of one kind, or words say that the old one is
// over. What is hedged (questions, conditions, guesses, words of others) takes
// part in nothing; a past, a plan or an addition ("also", "another") replaces
// nothing; a future with a date is [Likely] at most. [Opposed] and [Differ]
// keep apart what shares its words but not its meaning. [Statement.Standing] tells what
// is so from what was, is to come, or is only wished, guessed or reported. [Restated] tells a
// sentence that comes again with another number, which replaces nothing.
//
// What is said of production says nothing of staging: a scope ("in production", "on
// weekdays", "for tenant Acme") tells one fact from another as a subject does, and a
// fact without one is at most likely to be replaced.
//
// What stands before a note is no part of it: a label of a sort ("Decision:", "TODO:") takes
// nothing's place, a tag or a heading ("[atlas]", "Project atlas:") names what the note is about,
// and what the user is said to have said ("The user mentioned that they ...") is what he says.
//
// Programs ask in keywords: "user location", "postgres version atlas", "previous employer".
// [Ask] reads such a query as the question that it stands for: of whom it is, of when, and
// whether it asks for a whole.
//
// Data is in text files: attributes.txt (classes), notes.txt (labels of notes), keywords.txt
// (what words of a query say of whom and of when it is), scopes.txt (for
// when, where and for whom something holds), values.txt (well-known
// values), words.txt (word classes), synonyms.txt, antonyms.txt, poles.txt (opposites in several words),
// families.txt, irregular.txt, foreign.txt. They are parsed at the first use, in about two milliseconds.
// Reading a sentence takes one to ten microseconds and grows linearly with its length.
//
// [Links] finds what a bank says of roles and names ("my sister Jana", "Ines is our
// CTO"), and [Resolve] makes one subject of both. A change that names no attribute
// ("switched to Podman") is told by [Follows].
//
// Limits: the grammar is English; of German, French, Spanish and Dutch only the
// commonest frames are known (foreign.txt: home, work, partner, diet, phone, tools). A pronoun is resolved only within a sentence.
// Between sentences of one text nothing is inherited.
package slots
