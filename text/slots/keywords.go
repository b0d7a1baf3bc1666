package slots

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed keywords.txt
var keywordsText string

// termClass is what a term of keywords.txt is for.
type termClass uint8

const (
	userTerm termClass = iota
	useTerm
	formerTerm
	firstTerm
	nowTerm
	latestTerm
	historyTerm
	profileTerm
	dueTerm
	kindTerm
)

var termClasses = map[string]termClass{
	"user": userTerm, "use": useTerm, "former": formerTerm, "first": firstTerm,
	"now": nowTerm, "latest": latestTerm, "history": historyTerm,
	"profile": profileTerm, "due": dueTerm, "kind": kindTerm,
}

// term is a row of keywords.txt.
type term struct {
	words []string
	class termClass
}

// terms has the terms of keywords.txt by their first words, the longest first.
var terms = sync.OnceValue(func() map[string][]term {
	byFirst := map[string][]term{}
	rows(keywordsText, func(c []string) {
		one := term{class: termClasses[c[0]]}
		for _, words := range list(c[1]) {
			one.words = strings.Fields(words)
			byFirst[one.words[0]] = append(byFirst[one.words[0]], one)
		}
	})
	for _, list := range byFirst {
		slices.SortStableFunc(list, func(a, b term) int { return len(b.words) - len(a.words) })
	}
	return byFirst
})

// mostKeywords is how many words a query of keywords has at most.
const mostKeywords = 10

// place is where words stand in a text, in bytes.
type place struct{ start, end int32 }

// Bare returns a query without the words that say only of whom or of when it asks: "phone" of "user
// phone". Those words do not help to find a record: all that a bank says of the user is of the
// user, and there are other signs of what was. A query of nothing else is returned as it is.
func (q *Question) Bare(query string) string {
	if len(q.framed) == 0 || q.StopWordsOnly {
		return query
	}
	var b strings.Builder
	from := 0
	for _, s := range q.framed {
		if int(s.end) > len(query) {
			return query // it is another one
		}
		b.WriteString(query[from:s.start])
		from = int(s.end)
		for _, owner := range []string{"'s", "’s"} {
			if strings.HasPrefix(query[from:], owner) {
				from += len(owner)
			}
		}
	}
	b.WriteString(query[from:])
	if bare := strings.TrimSpace(b.String()); bare != "" {
		return bare
	}
	return query
}

// isKeywords reports whether a query is a noun phrase or a list of keywords: nothing
// in it asks, and nobody speaks.
func (a *asking) isKeywords() bool {
	n := len(a.tokens)
	if n > mostKeywords {
		return false
	}
	for i := range a.tokens {
		t := &a.tokens[i]
		if t.is(isQuestion|isBe|isHave|isDo|isModal|isOpener|isFirst|isHedge) || t.is(isThird) && t.word != "its" || t.neg ||
			t.post == '?' || t.post == '!' || rank(t.post) == rankEnd && i+1 < n {
			return false
		}
	}
	return true
}

// termAt returns the longest term of one of some classes that stands at i, and where it ends.
func (a *asking) termAt(i int, classes ...termClass) (found *term, end int) {
	list := terms()[a.tokens[i].word]
	for k := range list {
		one := &list[k]
		if slices.Contains(classes, one.class) && a.stand(i, one.words) {
			return one, i + len(one.words)
		}
	}
	return nil, i
}

// stand reports whether words stand one behind the other from i on.
func (a *asking) stand(i int, words []string) bool {
	if i+len(words) > len(a.tokens) {
		return false
	}
	for k, w := range words {
		if a.tokens[i+k].word != w || k > 0 && rank(a.tokens[i+k-1].post) > 0 {
			return false
		}
	}
	return true
}

// frameWords marks the words of a query that say only of whom ("user") or of when ("previous") it
// asks, as these stand in every record or in none. In a sentence it marks only the word for the
// user.
func (a *asking) frameWords() {
	for i := 0; i < len(a.tokens); i++ {
		one, end := a.termAt(i, userTerm, formerTerm, firstTerm, nowTerm, latestTerm, historyTerm)
		if one == nil {
			continue
		}
		switch {
		case one.class == userTerm:
			if end < len(a.tokens) && a.ofUsers(end) {
				continue
			}
			a.person = true
		case !a.q.Keywords:
			continue
		case one.class == formerTerm, one.class == firstTerm:
			if i > 0 && (a.tokens[i-1].is(isUnit|isTime) || a.tokens[i-1].num) ||
				end < len(a.tokens) && one.class == firstTerm &&
					(a.tokens[end].is(isTime) || a.tokens[end].word == "name" || a.tokens[end].word == "aid") {
				continue // "7 years old", "first name"
			}
			a.past, a.q.First = true, a.q.First || one.class == firstTerm
		case one.class == latestTerm:
			a.q.Tense = Latest
		case one.class == historyTerm:
			a.history = true
		}
		for ; i < end; i++ {
			a.framed[i] = true
			if one.class != nowTerm { // what is newest says "now"
				a.q.framed = append(a.q.framed, place{a.tokens[i].start, a.tokens[i].end})
			}
		}
		i--
	}
}

// ofUsers reports whether the "user" before the word at i is one of those who use a program, as in
// "user roles", and not the user of the bank. Among keywords only the terms of keywords.txt tell
// that.
func (a *asking) ofUsers(i int) bool {
	t := &a.tokens[i]
	if a.tokens[i-1].poss {
		return false
	}
	one, _ := a.termAt(i, useTerm)
	return one != nil || !a.q.Keywords && t.e.noun != "" && t.e.verb == ""
}

// keywords reads a query of keywords.
func (a *asking) keywords() {
	a.keywordTense()
	a.broad()
	if !a.q.Broad {
		a.keywordWhole()
	}
	if a.special != "" {
		a.q.Broad, a.q.Attribute = true, a.special
	}
	a.keywordSubject()
}

// keywordTense finds the version that keywords ask for.
func (a *asking) keywordTense() {
	if i := slices.IndexFunc(a.tokens, func(t token) bool { return t.word == "before" || t.word == "until" || t.word == "prior" }); i > 0 &&
		i+1 < len(a.tokens) && (!a.tokens[0].is(formBase) || a.tokens[0].e.noun != "") {
		if next := &a.tokens[i+1]; next.cap || next.num || next.e == nothing || next.is(formIng) ||
			a.known(i+1, len(a.tokens), nil) != nil {
			a.past, a.after = true, i
		}
	}
	switch {
	case a.past:
		a.q.Tense = Then
		a.until()
	case a.history:
		a.q.Tense = History
	case a.q.Tense == Now:
		a.q.Ahead = a.ahead()
	}
}

// keywordWhole finds keywords that ask for a whole: "user profile", "family", "open todos".
func (a *asking) keywordWhole() {
	plain, profile, person := true, false, a.person
	for i := 0; i < len(a.tokens); i++ {
		if one, end := a.termAt(i, dueTerm); one != nil && a.alone(i, end) {
			a.special = "due"
			return
		}
		if one, end := a.termAt(i, profileTerm); one != nil {
			profile, i = true, end-1
			continue
		}
		t := &a.tokens[i]
		plain = plain && (a.framed[i] || t.is(isDet|isPreposition|isPossessive|isConjunction))
		person = person || t.is(isPossessive)
	}
	switch {
	case plain && (profile && (person || len(a.tokens) == 1) || a.person && len(a.tokens) <= 2 && a.q.Tense == Now):
		a.q.Broad, a.person = true, true
	case a.onlyPreferences():
		a.special, a.person = "preference", true
	case a.onlyKin():
		a.q.Broad = true
	}
}

// alone reports whether the words from lo to hi are all that a query asks for, apart from words
// that say of whom or of when.
func (a *asking) alone(lo, hi int) bool {
	for i := range a.tokens {
		t := &a.tokens[i]
		if (i < lo || i >= hi) && !a.framed[i] && !t.is(isDet|isPreposition|isPossessive|isConjunction|isTime) && t.word != "open" &&
			t.word != "pending" && t.word != "remaining" {
			return false
		}
	}
	return true
}

func (a *asking) onlyPreferences() bool {
	i := slices.IndexFunc(a.tokens, func(t token) bool { return t.word == "preferences" })
	return i >= 0 && a.alone(i, i+1)
}

// wholes are relations by which a single keyword asks for all of a group: "family".
var wholes = []string{"family", "kids", "kid", "children", "child", "parents", "in-laws"}

func (a *asking) onlyKin() bool {
	i := slices.IndexFunc(a.tokens, func(t token) bool { return slices.Contains(wholes, t.word) })
	return i >= 0 && a.alone(i, i+1)
}

// keywordSubject finds whom keywords are about: of what persons have, without another
// name, it is the user.
func (a *asking) keywordSubject() {
	q := &a.q
	for i := range a.tokens {
		t := &a.tokens[i]
		switch {
		case a.framed[i] || a.isUsed(i) || a.after > 0 && i > a.after:
		case t.is(isKin):
			q.Subject = User + "'s " + t.base()
			a.mark(i, i+1)
			return
		case t.poss:
			lo := a.nameStart(i)
			n := a.nounPhrase(lo, i+1)
			a.mark(lo, i+1)
			q.Subject = n.owner
			return
		case t.is(isPossessive):
			a.person = true
		}
	}
	switch {
	case a.person:
		q.Subject = User
	case a.special != "" || a.after > 0:
	case a.thing():
	}
}

// carries reports whether the word at i says what a query of keywords is about, rather than of
// whom, of when or of which kind.
func (a *asking) carries(i int) bool {
	t := &a.tokens[i]
	if a.isUsed(i) || a.framed[i] || a.after > 0 && i >= a.after || t.num ||
		t.is(isDet|isPossessive|isPreposition|isConjunction|isAdverb|isTime|isFluff|isOldAdj|isNewAdj) {
		return false
	}
	return !a.ofKind(i)
}

// ofKind reports whether the word at i is one for a kind of thing, which does not say of
// what: "name", "number".
func (a *asking) ofKind(i int) bool {
	one, _ := a.termAt(i, kindTerm)
	return one != nil
}
