package slots

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed notes.txt
var notesText string

// sort is what a label or a tag tells of the note behind it.
type sort uint8

const (
	unsorted sort = iota
	sorted        // of what sort it is: "Decision:"
	changing      // that it holds from now on: "Update:"
	pending       // that it is to be done or thought about: "TODO:"
)

// noteTable has the words of notes.txt: labels that name a sort, and keys by the id of
// their class.
type noteTable struct {
	labels map[string]sort
	keys   map[string]string
}

var notes = sync.OnceValue(func() noteTable {
	sorts := map[string]sort{"sort": sorted, "change": changing, "plan": pending}
	t := noteTable{map[string]sort{}, map[string]string{}}
	rows(notesText, func(c []string) {
		for _, l := range list(c[1]) {
			l = strings.ReplaceAll(l, "-", " ")
			if what := sorts[c[0]]; what != unsorted {
				t.labels[l] = what
			} else {
				t.keys[l] = c[0]
			}
		}
	})
	return t
})

// Most words of a tag and of a label.
const (
	maxTagWords   = 4
	maxLabelWords = 3
)

// note is how a sentence is introduced that somebody wrote as a note.
type note struct {
	lo    int // where what it says begins
	label int // where its label begins, if it has one of a sort, else lo
	sort  sort
}

// introduction reads what stands before a note: tags and labels that say of what sort
// it is or which project it is of, and who reported it.
func (r *reader) introduction(lo, hi int) note {
	n := note{lo: lo, label: lo}
	if lo > 0 && !r.headed && strings.Contains(r.piece(r.tokens[lo-1].end, r.tokens[lo].start), "\n") {
		r.under = ""
	}
	for n.lo < hi {
		end := r.tag(n.lo, hi)
		if end == n.lo {
			break
		}
		r.tagged(n.lo, end, &n)
		n.lo, n.label = end, end
	}
	if end := r.labelled(n.lo, hi); end > n.lo {
		if r.tokens[n.lo].word == "project" && r.names(n.lo+1, end) {
			r.under = r.words(n.lo+1, end)
			n.lo, n.label = end, end
		} else if r.numbers(n.lo, end) { // "2026-05: ..."
			n.lo, n.label = end, end
		} else if what := notes().labels[r.words(n.lo, end)]; what != unsorted {
			n.label, n.lo, n.sort = n.lo, end, what
		}
	}
	if n.lo == hi {
		r.headed = r.under != ""
		return n
	}
	n.lo = r.reported(n.lo, hi)
	return n
}

// tag returns the end of a tag in square brackets at lo, lo if none stands there.
func (r *reader) tag(lo, hi int) int {
	if !r.behind(lo, "[") {
		return lo
	}
	for i := lo; i < min(hi, lo+maxTagWords); i++ {
		switch end := r.tokens[i].end; {
		case r.piece(end, end+1) != "]":
		case r.piece(end, end+2) == "](": // a link
			return lo
		default:
			return i + 1
		}
	}
	return lo
}

// behind reports whether a bracket stands directly before the token at i.
func (r *reader) behind(i int, bracket string) bool {
	start := r.tokens[i].start
	return r.piece(start-1, start) == bracket
}

// piece returns a piece of the text, "" where it is none: tokens stand elsewhere in a text
// whose letters have another length in lower case.
func (r *reader) piece(from, to int32) string {
	if from < 0 || to < from || int(to) > len(r.text) {
		return ""
	}
	return r.text[from:to]
}

// tagged takes the tag from lo to hi: what it names is what the text is about, unless
// it is a date, a box that is ticked, or names a sort.
func (r *reader) tagged(lo, hi int, n *note) {
	switch words := r.words(lo, hi); {
	case notes().labels[words] != unsorted:
		n.sort = max(n.sort, notes().labels[words])
	case r.numbers(lo, hi), len(words) == 1, words == User, table().byID[words] != nil:
	default:
		r.under = words
	}
}

// labelled returns the end of the words at lo that stand before a colon, lo if none do.
func (r *reader) labelled(lo, hi int) int {
	for i := lo; i < min(hi, lo+maxLabelWords+1); i++ {
		switch r.tokens[i].post {
		case ':':
			return i + 1
		case 0:
			continue
		}
		break
	}
	return lo
}

// names reports whether nothing but names stands from lo to hi: "atlas" behind "project",
// not "lead" or "update".
func (r *reader) names(lo, hi int) bool {
	return lo < hi && !slices.ContainsFunc(r.tokens[lo:hi],
		func(t token) bool { return t.e.noun != "" || t.e.verb != "" || t.e.flags != 0 })
}

// numbers reports whether nothing but numbers stands from lo to hi, such as a date.
func (r *reader) numbers(lo, hi int) bool {
	return !slices.ContainsFunc(r.tokens[lo:hi], func(t token) bool { return !t.num })
}

// words joins tokens as they stand, in lower case.
func (r *reader) words(lo, hi int) string {
	var all []string
	for _, t := range r.tokens[lo:hi] {
		all = append(all, t.word)
	}
	return strings.Join(all, " ")
}

// reported returns where the user's own words begin in a note such as "The user mentioned that they
// live in Lund", which says what "I live in Lund" says; lo if it is no such note. The pronouns for
// the user become those of the first person. Behind a relation ("their sister") a "they" may be
// somebody else, and stays.
func (r *reader) reported(lo, hi int) int {
	t := r.tokens
	i := lo
	for i < hi && t[i].is(isDet) {
		i++
	}
	if i >= hi || t[i].word != User || t[i].poss {
		return lo
	}
	for i++; i < hi && (t[i].is(isHave) || t[i].is(isAdverb) && !t[i].is(isNegation)); i++ {
	}
	if i >= hi || !reports[t[i].word] {
		return lo
	}
	for i++; i < hi && (t[i].word == "that" || t[i].word == "me" || t[i].word == "us"); i++ {
	}
	if i+1 >= hi || t[i-1].post == ':' {
		return lo
	}
	first, own := pronouns[t[i].word]
	if !own {
		return lo
	}
	for k, others := i, false; k < hi; k++ {
		p, found := pronouns[t[k].word]
		others = others || t[k].is(isKin)
		if !found || p.who != first.who || others && p.first == "i" {
			continue
		}
		t[k].word, t[k].e = p.first, r.find(p.first)
	}
	return i
}

// reports are the verbs by which a note says what the user said of himself.
var reports = map[string]bool{
	"mentioned": true, "mentions": true, "said": true, "says": true,
	"stated": true, "states": true, "told": true, "noted": true, "notes": true,
	"explained": true, "shared": true, "confirmed": true, "revealed": true,
	"reported": true, "clarified": true, "indicated": true, "added": true,
}

// pronouns maps the words by which a note means the user to those by which the user would say it:
// "their" to "my".
var pronouns = map[string]struct{ who, first string }{
	"they": {"they", "i"}, "their": {"they", "my"}, "them": {"they", "me"}, "he": {"he", "i"},
	"his": {"he", "my"}, "him": {"he", "me"}, "she": {"she", "i"}, "her": {"she", "my"},
}

// belongs ties a statement to what its note is about, named by a tag or a heading ("[atlas]"). A
// statement without a subject gets it as the subject, one about the user as its scope, and one
// about a thing in front of its subject ("atlas timeout").
func (r *reader) belongs(s *Statement, implied bool) {
	switch name := r.under; {
	case name == "":
	case s.Subject == "", s.Subject == User && implied:
		s.Subject = name
	case s.Subject == User || strings.HasPrefix(s.Subject, User+"'s "):
		if s.Scope == "" {
			s.Scope = topic(strings.Fields(name))
		}
	case !contains(s.Subject, name):
		s.Subject = name + " " + s.Subject
	}
}

// sorted adds a statement for the label of a note as a whole ("Decision: use sqlc"), so that the
// note is found by it. It replaces nothing.
func (r *reader) sorted(n note, hi int, hedged bool) {
	if n.label == n.lo {
		return
	}
	c := clause{reader: r, lo: n.label, hi: hi}
	if !c.findNouns(n.label) || c.subject != label {
		return
	}
	c.slotOf(&c.np)
	c.value(c.verb, c.hi)
	c.finish(State)
	if c.s.Norm == "" {
		return
	}
	c.s.loose, c.s.single, c.s.Exclusive, c.s.Change, c.s.Past, c.s.Negated = true, false, false, false, false, false
	c.extra = nil
	r.keep(&c, hedged)
}

// key sets the class of a noun phrase from lo to hi that is a key of notes.txt, of the user or of
// nobody: home for "City" in "City: Lund" and for "the user's location".
func (r *reader) key(n *nounPhraseRead, lo, hi int) {
	if r.under != "" || n.attr != nil && n.attr.id != "location" {
		return
	}
	for lo < hi && (r.tokens[lo].is(isDet|isPossessive) || r.tokens[lo].word == User) {
		lo++
	}
	if lo < hi {
		if a := r.byID[notes().keys[r.words(lo, hi)]]; a != nil {
			n.attr, n.words, n.cue = a, nil, nil
		}
	}
}

// sort sets what a label says of a statement behind it.
func (s *Statement) sort(what sort) {
	switch what {
	case changing:
		s.Change = true
	case pending:
		if s.Type != Preference {
			s.Type = Plan
		}
	}
}
