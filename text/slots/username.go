package slots

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mcp-memory/memory"
)

//go:embed names.txt
var namesFile string

// nameWords has the words of names.txt by their class.
var nameWords = sync.OnceValue(func() map[string]map[string]bool {
	classes := map[string]map[string]bool{}
	for line := range strings.Lines(namesFile) {
		class, list, found := strings.Cut(line, ":")
		if !found || line[0] == '#' {
			continue
		}
		classes[class] = map[string]bool{}
		for w := range strings.SplitSeq(list, ",") {
			classes[class][strings.TrimSpace(w)] = true
		}
	}
	return classes
})

// Bounds of what is taken for a name.
const (
	maxUserNames = 3 // of one user
	maxNameWords = 4 // of one name
)

// UserNames returns by which names some facts introduce the user, "The user's name
// is Ada Kern" or "I'm Ada", in their order, each once and at most three; nil if
// none does. What is guessed, negated or over introduces nobody, and what another
// agent was told introduces its user.
func UserNames(facts []memory.Record) (names []string) {
	for _, f := range facts {
		if f.Source == memory.SourceLink {
			continue
		}
		for _, s := range Read(f.Content, Options{}) {
			name := introduced(&s, f.Content)
			if name != "" && len(names) < maxUserNames &&
				!slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
				names = append(names, name)
			}
		}
	}
	return names
}

// For returns the options for a reader of one text: of the user's names only those that the text
// may have. A text without any is then read as that of anybody, and can be kept in the memo.
func (o Options) For(text string) Options {
	var names []string
	for _, n := range o.UserNames {
		first, _, _ := strings.Cut(n, " ")
		if first != "" && (strings.Contains(text, first) || strings.Contains(text, strings.ToLower(first))) {
			names = append(names, n)
		}
	}
	return Options{UserNames: names}
}

// NameKeys returns the keys under which the texts are filed that introduce the
// user; see [Keys].
func NameKeys() []uint64 {
	var k keyring
	k.add("@", User, "name")
	return k.keys
}

// introduced returns the name by which a statement of a text introduces the user,
// or "".
func introduced(s *Statement, text string) string {
	if s.Subject != User || s.Hedged || s.Negated || s.Past || s.Type != State || s.Kind != Name || s.Topic != "" ||
		s.Attribute != "name" && s.Attribute != "" {
		return ""
	}
	words := strings.Fields(s.Value)
	if len(words) == 0 || len(words) > maxNameWords {
		return ""
	}
	said := strings.ToLower(text)
	plainly := s.Attribute == "name" && slices.ContainsFunc(introductions, func(cue string) bool { return strings.Contains(said, cue) })
	for i, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		lower := strings.ToLower(w)
		switch {
		case strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '.' && r != '\'' && r != '’' }),
			strings.HasSuffix(w, "'s"), strings.HasSuffix(w, "’s"):
			return ""
		case i > 0 && i+1 < len(words) && slices.Contains(particles, lower):
		case !unicode.IsUpper(first):
			return ""
		case plainly:
		case nameWords()["people"][lower], table().find(lower) != nothing && !nameWords()["common"][lower]:
			return "" // "I am Norwegian", "The user is Head of Sales"
		}
	}
	return strings.Join(words, " ")
}

// introductions are words, or beginnings of words, behind which a name follows: "my name is", "call
// me".
var introductions = []string{"name", "called", "call me", "go by", "goes by", "naam", "heet", "heiß", "heiss", "m'appelle", "llamo"}

// particles stand inside a name.
var particles = []string{"van", "von", "de", "der", "den", "la", "le", "di", "da", "du", "bin", "al", "el", "ter", "ten", "zu", "af", "av"}

// SeekAlso returns what [Seek] returns, and the keys of texts in which the user is
// called by a name: they are filed under it, because whose name it is can become
// known later.
func SeekAlso(statements []Statement, names []string) []uint64 {
	k := keyring{keys: Seek(statements)}
	for _, name := range forms(names) {
		named := slices.Clone(statements[:min(maxKeyed, len(statements))])
		some := false
		for i := range named {
			s := &named[i]
			if s.Subject == User {
				s.Subject, some = name, true
			} else if rest, of := strings.CutPrefix(s.Subject, User+"'s "); of {
				s.Subject, some = name+"'s "+rest, true
			}
		}
		if some {
			k.keys = append(k.keys, Seek(named)...)
		}
	}
	slices.Sort(k.keys)
	return slices.Compact(k.keys)
}

// forms returns names in lower case, and their first names.
func forms(names []string) (list []string) {
	for _, n := range names {
		n = strings.ToLower(n)
		first, _, _ := strings.Cut(n, " ")
		for _, form := range []string{n, first} {
			if form != "" && !slices.Contains(list, form) {
				list = append(list, form)
			}
		}
	}
	return list
}

// namesUser reports whether the words from lo to hi, which make a name, are one
// of the user's. One that is a word as well has to be written like a name; where a
// sentence begins with it, what he does has to follow: "Rose lives in Oslo",
// neither "Rose is a colour" nor "the rose".
func (r *reader) namesUser(name string, lo, hi int) bool {
	if !r.isUser(name) {
		return false
	}
	if lo > 0 && r.tokens[lo-1].is(isDet) || r.tokens[lo].is(isDet) {
		return name == User
	}
	if !nameWords()["common"][name] {
		return true
	}
	t := &r.tokens[hi-1]
	return t.cap && (!r.begins(hi-1) || t.poss || r.acts(hi))
}

// begins reports whether a sentence begins at i.
func (r *reader) begins(i int) bool { return i == 0 || rank(r.tokens[i-1].post) == rankEnd }

// acts reports whether the token at i is a verb of what somebody does or did.
func (r *reader) acts(i int) bool {
	return i < len(r.tokens) && r.tokens[i].is(formThird|formPast) && r.tokens[i].e.verb != "" &&
		!r.tokens[i].is(isBe|isHave|isDo|isModal|isWill)
}

// nameUser makes the first word of a sentence a mere name if it is the user's and also another
// word: "Will moved to Bergen" is no plan.
func (r *reader) nameUser() {
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.cap && t.is(isWill|isHedge|isFluff) && r.begins(i) && r.acts(i+1) && r.isUser(t.word) {
			t.e = nothing
		}
	}
}
