package slots

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed scopes.txt
var scopesText string

// scopeTable has the words of scopes.txt: their class, and what they are written as.
type scopeTable struct{ class, same map[string]string }

var scopes = sync.OnceValue(func() scopeTable {
	t := scopeTable{map[string]string{}, map[string]string{}}
	rows(scopesText, func(c []string) {
		for _, w := range list(c[1]) {
			if word, same, found := strings.Cut(w, "="); found {
				t.same[word] = same
			} else {
				t.class[w] = c[0]
			}
		}
	})
	return t
})

// stretch is a phrase that says where, when or for whom something holds.
type stretch struct {
	lo, hi int
	class  string
}

// scopeAt returns the scope that begins with the preposition at i: "in
// production", "for tenant Acme", "in the EU region".
func (r *reader) scopeAt(i, hi int) (stretch, bool) {
	t := r.tokens
	switch t[i].word {
	case "in", "on", "at", "for", "during", "im", "am":
	default:
		return stretch{}, false
	}
	lo := i + 1
	for lo < hi && t[lo].is(isDet|isPossessive) {
		lo++
	}
	class := scopes().class
	for end := lo; end < min(hi, lo+3); end++ {
		w := &t[end]
		what := class[w.word]
		if what == "" && w.e.noun != "" {
			what = class[w.e.noun]
		}
		more := end+1 < hi && rank(w.post) == 0 && class[t[end+1].word] == "beside"
		switch named := end+1 < hi && rank(w.post) == 0 && (t[end+1].cap || t[end+1].num) && !t[end+1].is(isTime|isFirst); {
		case what == "" && w.is(isCountry) && end == lo && !more:
			return stretch{i, end + 1, "region"}, true
		case what == "beside" && named:
			return stretch{i, end + 2, what}, true
		case what == "beside" && end > lo && (t[lo].cap || class[t[lo].word] != ""):
			return stretch{i, end + 1, what}, true
		case what == "place" && t[i].word != "at", what == "week" && lo > i+1: // "on the weekend": once
		case what == "season" && end+1 < hi && t[end+1].num, what == "daypart" && t[i].word == "for": // "in summer 2024"
		case what != "" && what != "beside" && end == lo && !more &&
			(end+1 >= hi || rank(w.post) > 0 || t[end+1].is(isFirst) || !t[end+1].cap && !(t[end+1].is(isNoun) && !t[end+1].is(anyVerb))):
			return stretch{i, end + 1, what}, true
		}
		if rank(w.post) > 0 || w.is(isPreposition|isConjunction) || w.is(anyVerb) && w.e.noun == "" {
			break
		}
	}
	return stretch{}, false
}

// scopeWords returns the stems of a scope, with synonyms ("prod") written as one word.
func (r *reader) scopeWords(s stretch) (words []string) {
	same := scopes().same
	for i := s.lo + 1; i < s.hi; i++ {
		t := &r.tokens[i]
		if t.is(isDet|isPossessive|isPreposition) && !t.cap {
			continue
		}
		words = append(words, scopeStem(same, t))
	}
	return words
}

func scopeStem(same map[string]string, t *token) string {
	for _, w := range []string{t.word, strings.TrimSuffix(t.word, "s")} {
		if s := same[w]; s != "" {
			return stemmed(s)
		}
	}
	return t.stem()
}

// unscoped returns where a value ends before its scope: "30 s" of "30 s in the EU region", "12
// euros" of "12 euros for adults".
func (c *clause) unscoped(lo, end int) int {
	numbered := c.tokens[lo].num
	for i := lo + 1; i < end; i++ {
		numbered = numbered || c.tokens[i].num
		if !c.tokens[i].is(isPreposition) {
			continue
		}
		s, found := c.scopeAt(i, c.hi)
		if !found && numbered && c.amountFor(i, end) {
			s, found = stretch{i, end, ""}, true
		}
		if found && c.narrows(s, lo, i) {
			return i
		}
	}
	return end
}

// amountFor reports whether an amount ends at i and what follows is no time, but
// what it is for: "5 for members".
func (r *reader) amountFor(i, end int) bool {
	w := r.tokens[i].word
	if w != "for" && w != "on" && w != "in" || i+1 >= end || rank(r.tokens[i].post) > 0 || !r.tokens[i-1].num && !r.tokens[i-1].is(isUnit) {
		return false
	}
	for k := i + 1; k < end; k++ {
		if r.tokens[k].num || r.tokens[k].is(isTime|isUnit|isAdverb) {
			return false
		}
	}
	return true
}

// narrows reports whether a scope behind a value from lo to i says for what the value holds, rather
// than being a part of it.
func (c *clause) narrows(s stretch, lo, i int) bool {
	_, kind := c.norm(lo, i)
	a := c.byID[c.s.Attribute]
	switch s.class {
	case "daypart":
		return kind != Time && (a == nil || a.kind != Time)
	case "region":
		return a == nil || a.domain != "person"
	case "place":
		return a == nil || a.id != "job" && a.id != "work"
	case "":
		return kind == Number && a != nil && a.kind == Number && !a.anyKind
	}
	return a == nil || a.kind != Time || s.class != "beside"
}

// scope sets the scope of the statement from the phrases before its subject and behind its value:
// "in production". A phrase that stands with the subject is a part of the subject.
func (c *clause) scope() {
	var words []string
	for i := c.lo; i < c.hi; i++ {
		if !c.tokens[i].is(isPreposition) || i >= c.np0 && (c.end == 0 || i < c.end) {
			continue
		}
		s, found := c.scopeAt(i, c.hi)
		if !found && c.end > 0 && i == c.end && c.tokens[i-1].post == 0 && c.amountFor(i, c.hi) {
			s, found = stretch{i, c.hi, ""}, true
		}
		if !found && c.end > 0 && i == c.end {
			s, found = c.purpose(i)
		}
		if found && (i < c.np0 || c.narrows(s, min(c.begin, i-1), i)) {
			words = append(words, c.scopeWords(s)...)
			i = s.hi - 1
		}
	}
	if len(words) > 0 {
		slices.Sort(words)
		c.s.Scope = strings.Join(slices.Compact(words), " ")
	}
}

// purpose returns the phrase at i that names what something is used or preferred for: "for
// services" in "we use Postgres for services". There is none if it names a time, or everything.
func (c *clause) purpose(i int) (stretch, bool) {
	if c.tokens[i].word != "for" || c.tokens[i-1].post != 0 || c.s.Kind != Name || c.verb >= c.hi || c.subject == label ||
		c.s.Change && c.s.Type != Preference || c.s.Former != "" {
		return stretch{}, false
	}
	end := i + 1
	for end < c.hi && !c.tokens[end].is(isPreposition|isConjunction) {
		t := &c.tokens[end]
		if t.num || t.is(isTime|isUnit|isNow|isHedge) || allThings[t.word] {
			return stretch{}, false
		}
		if end++; rank(t.post) > 0 {
			break
		}
	}
	return stretch{i, end, "purpose"}, end > i+1
}

// allThings are words for what is used for all.
var allThings = map[string]bool{"everything": true, "all": true, "any": true, "anything": true, "most": true, "now": true, "good": true,
	"ever": true, "us": true, "me": true, "it": true}

// scoping tells how two scopes stand to each other.
func scoping(a, b *Statement) sameness {
	switch {
	case a.Scope == b.Scope:
		return equal
	case a.Scope == "" || b.Scope == "":
		return possible
	case contains(a.Scope, b.Scope), contains(b.Scope, a.Scope):
		return equal
	}
	return apart
}
