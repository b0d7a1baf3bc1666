package slots

import (
	"slices"
	"strings"

	"mcp-memory/text/analysis"
)

// nounPhraseRead is what a noun phrase names: an owner, an attribute and what
// narrows it down, or a thing.
type nounPhraseRead struct {
	owner    string // whose it is: User, "ruben", "user's sister"; "" if nobody's
	entity   string // the thing itself, as a subject
	alias    string
	attr     *attribute
	words    []string // words without owner and cue, in order and in their base form
	cue      []string // the cue, which is the noun that stands for attr, in its base form
	named    bool     // begins with a capital inside, or without a "the"
	kin      bool     // "my sister": somebody
	past     bool     // "old", "previous"
	fresh    bool     // "new"
	additive bool
	definite bool
	isUser   bool
}

// nounPhrase reads the tokens from lo to hi.
func (r *reader) nounPhrase(lo, hi int) nounPhraseRead {
	var n nounPhraseRead
	tail := false
	start := lo // of the words since the last owner
	for i := lo; i < hi; i++ {
		t := &r.tokens[i]
		switch {
		case t.is(isPossessive):
			if n.owner == "" {
				n.owner = User
			}
			start = i + 1
			continue
		case t.is(isThird) && t.word != "it":
			start = i + 1
			continue
		case t.is(isDet) && r.marker(i, hi, isNow|isOver) == nil:
			n.definite = n.definite || t.word == "the"
			if i == start {
				start = i + 1
			}
			continue
		case t.is(isDet|isNow|isOver) && r.marker(i, hi, isNow|isOver) != nil:
			i += len(r.marker(i, hi, isNow|isOver).words) - 1
			continue
		case t.word == "user" && hi-lo > 0:
			n.owner, n.isUser = User, !t.poss
			start = i + 1
			continue
		}
		if p := r.nounAt(i, hi); p != nil && !t.poss && !tail {
			i = r.takeCue(&n, p, i)
			continue
		}
		switch {
		case t.is(isNewAdj) && !r.hyphened(i):
			n.fresh = n.fresh || t.word != "current"
		case t.is(isOldAdj) && !t.poss && i+1 < hi:
			n.past = true
		case t.word == "second" || t.word == "another" || t.word == "other" || t.word == "additional" ||
			t.word == "third" && n.owner == User:
			n.additive = true
		}
		if t.poss && tail && n.attr != nil {
			n.words = append(n.words, t.base())
			continue
		}
		if t.poss {
			n.owner = r.person(&n, start, i+1)
			n.words, n.attr, n.cue, start = nil, nil, nil, i+1
			continue
		}
		if t.is(isPreposition) {
			tail = true
			continue
		}
		if t.is(isFluff|isConjunction) && !t.is(isKin) || t.is(isAdverb) || t.is(isTitle) && !t.cap {
			continue
		}
		n.words = append(n.words, t.base())
	}
	r.name(&n, lo, start, hi)
	return n
}

// takeCue takes the cue at i, a noun of attributes.txt, as the attribute of the phrase. An earlier
// cue is then one of the words that narrow it down. It returns the last token of the cue.
func (r *reader) takeCue(n *nounPhraseRead, p *phrase, i int) int {
	favourite := n.attr != nil && n.attr.id == "favourite"
	if n.attr != nil && !(favourite && p.attr.single && p.attr.id != "home") {
		n.words = append(n.words, n.cue...)
	}
	n.attr, n.cue = p.attr, nil
	if favourite && (!p.attr.single || p.attr.id == "home") { // a favourite place is nobody's home
		n.attr = r.byID["favourite"]
	}
	end := i + len(p.words)
	for ; i < end; i++ {
		n.cue = append(n.cue, r.tokens[i].base())
	}
	return end - 1
}

// nounAt returns the longest cue at i, or nil.
func (r *reader) nounAt(i, hi int) *phrase {
	for _, p := range r.tokens[i].e.phrases {
		if p.role == nounPhrase && r.match(p, i, hi) > 0 {
			return p
		}
	}
	return nil
}

// person names an owner: the words from lo to hi.
func (r *reader) person(n *nounPhraseRead, lo, hi int) string {
	name, kin := r.naming(lo, hi)
	switch {
	case name == "":
		return n.owner
	case r.namesUser(name, lo, hi):
		return User
	case kin && (n.owner == User || r.tokens[lo].is(isAlone) || n.owner != ""):
		if n.owner == "" {
			return User + "'s " + name
		}
		return n.owner + "'s " + name
	case kin && n.owner == "":
		return User + "'s " + name
	}
	return name
}

// naming joins the words that name somebody or something; kin tells whether
// they are a relation, whose name is then canonical.
func (r *reader) naming(lo, hi int) (name string, kin bool) {
	var words [6]string
	n := 0
	for i := lo; i < hi && n < len(words); i++ {
		t := &r.tokens[i]
		if t.is(isDet|isPossessive) || t.is(isFluff) && !t.cap || t.is(isAdverb) && !t.cap ||
			n == 0 && (t.word == "project" || t.word == "projekt") && i+1 < hi && !t.poss {
			continue
		}
		w := t.word
		if t.is(isKin|isNoun) || !t.cap && t.e.noun != "" {
			w = t.base()
		}
		kin = kin || t.is(isKin)
		words[n] = w
		n++
	}
	return strings.Join(words[:n], " "), kin && n == 1
}

// name sets what the phrase is as a subject of its own.
func (r *reader) name(n *nounPhraseRead, lo, start, hi int) {
	if start >= hi {
		n.entity = n.owner
		if n.isUser {
			n.entity = User
		}
		return
	}
	first := &r.tokens[start]
	n.named = first.cap && !n.definite && !first.is(isDet) && !r.plain(start, hi)
	if first.is(isKin) && n.owner == "" {
		hi = r.takeOwner(n, start, hi)
	}
	// A relation and a name: "my sister Anna", "son Thijmen".
	if first.is(isKin) && !first.is(isTitle) {
		n.kin = true
		rest := start + 1
		relation, _ := r.naming(start, start+1)
		n.entity = r.owned(n.owner, relation)
		if rest < hi && r.tokens[rest].cap {
			n.alias, _ = r.naming(rest, hi)
		} else if rest < hi && r.tokens[rest].is(isPreposition) || rest == hi {
			return
		} else if rest < hi {
			n.kin = false
			words, _ := r.naming(start, hi)
			n.entity = r.owned(n.owner, words)
		}
		return
	}
	words, kin := r.naming(start, hi)
	n.kin = kin
	switch {
	case words == "" && n.isUser: // "the user no longer"
		n.entity = User
	case r.namesUser(words, start, hi):
		n.entity, n.isUser, n.owner = User, true, User
	case n.owner == "" || n.owner == User && n.attr == nil && !kin:
		n.entity = words
	default:
		n.entity = r.owned(n.owner, words)
	}
}

// plain reports whether the capital of the word at lo is only that of the start of a sentence, and
// tells of no name: "Night setpoint".
func (r *reader) plain(lo, hi int) bool {
	if !r.begins(lo) && !(lo > 0 && rank(r.tokens[lo-1].post) == 2) {
		return false
	}
	if lo+1 == hi || r.tokens[lo].is(isTime|isHave) {
		return false
	}
	return !r.tokens[lo+1].cap && !r.tokens[lo+1].num && !r.tokens[lo+1].is(isPreposition|isConjunction) && r.tokens[lo+1].e.verb == ""
}

// takeOwner makes the name behind "of" the owner: "the parrot of Vera Olsen" is "Vera Olsen's
// parrot", and not the user's. It returns where the thing ends.
func (r *reader) takeOwner(n *nounPhraseRead, lo, hi int) int {
	for i := lo + 1; i+1 < hi; i++ {
		if t := &r.tokens[i]; t.word == "of" && r.tokens[i+1].cap {
			n.owner, _ = r.naming(i+1, hi)
			return i
		}
	}
	return hi
}

// owned returns "user's sister" for a sister of nobody or of the user.
func (r *reader) owned(owner, thing string) string {
	if owner == "" {
		owner = User
	}
	return owner + "'s " + thing
}

// slotOf takes a noun phrase as a slot: subject, attribute and topic.
func (c *clause) slotOf(n *nounPhraseRead) {
	s := &c.s
	s.Attribute, s.Topic, s.Subject, s.Alias = "", "", n.owner, ""
	words := n.words
	if n.attr != nil {
		s.Attribute, s.single = n.attr.id, n.attr.single
		if self(n.attr) {
			words = append(slices.Clone(words), n.cue...)
		}
	}
	s.first = n.owner == User
	if n.attr == nil || n.attr.domain == "person" {
		s.Topic = topic(words)
	} else if len(words) > 0 && (n.owner == "" || n.owner == User) {
		s.Subject = strings.Join(words, " ")
	} else {
		s.Topic = topic(words)
	}
	s.Change = s.Change || n.fresh
	s.Past = s.Past || n.past
	s.Additive = s.Additive || n.additive
}

// self reports whether the nouns of an attribute name the thing itself, as
// "standup" does, so that they tell one slot from another.
func self(a *attribute) bool {
	switch a.id {
	case "meeting_time", "holder", "event_date", "flight", "wedding",
		"appointment", "feature_state", "record", "favourite", "pet":
		return true
	}
	return false
}

// topic joins stems in order of the alphabet, each once.
func topic(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return stemmed(words[0])
	}
	words = slices.Clone(words)
	for i, w := range words {
		words[i] = stemmed(w)
	}
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// stemmed returns the stem of one word without a token.
func stemmed(w string) string { return analysis.Stem(w) }

// hyphened reports whether the token at i is the first of a word with a hyphen: "new-cart"
// is a name, and nothing is new.
func (r *reader) hyphened(i int) bool {
	end := int(r.tokens[i].end)
	return end+1 < len(r.text) && r.text[end] == '-' && r.text[end+1] != ' '
}
