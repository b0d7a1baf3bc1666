package slots

// subject finds whom or what the question is about.
func (a *asking) subject() {
	q := &a.q
	user := false
	for i := 0; i < len(a.tokens); i++ {
		t := &a.tokens[i]
		switch {
		case t.is(isFirst) && t.word != "me", t.word == "me" &&
			(!a.q.Broad || i == len(a.tokens)-1 || i > 1 && a.tokens[i-1].word != "tell"):
			user = true
			continue
		case t.word == "user" && a.framed[i], t.word == "vivo", t.word == "trabajo": // the verb says who
			user = true
			continue
		case t.poss && i > 0 && !t.is(isQuestion) && !t.is(isThird|isDet) && (t.word != "it"):
			lo := a.nameStart(i)
			n := a.nounPhrase(lo, i+1)
			a.mark(lo, i+1)
			if n.owner == User && a.relation(i+1) {
				return
			}
			q.Subject = n.owner
			return
		case t.is(isPossessive):
			user = true
			if a.relation(i + 1) {
				return
			}
			continue
		case t.is(isKin) && t.is(isAlone):
			q.Subject = User + "'s " + t.base()
			a.mark(i, i+1)
			return
		}
	}
	if a.special != "due" && a.thing() {
		return
	}
	if user {
		q.Subject = User
	}
}

// nameStart returns where the words of an owner begin that end at i.
func (a *asking) nameStart(i int) int {
	for i > 0 && !a.tokens[i-1].is(isBe|isQuestion|isPreposition|isDo|isHave) && !a.tokens[i].is(isPossessive) {
		i--
	}
	return i
}

// relation reads "my sister" as the subject.
func (a *asking) relation(i int) bool {
	if i >= len(a.tokens) || !a.tokens[i].is(isKin) {
		return false
	}
	t := &a.tokens[i]
	a.q.Subject = User + "'s " + t.base()
	a.mark(i, i+1)
	if i+1 < len(a.tokens) && a.tokens[i+1].cap {
		a.q.Alias = a.tokens[i+1].word
		a.mark(i+1, i+2)
	}
	return true
}

// thing finds a name, or a noun phrase with "the", as the subject.
func (a *asking) thing() bool {
	lo, hi := a.bestPhrase()
	if lo >= hi {
		return false
	}
	n := a.nounPhrase(lo, hi)
	if n.entity == "" {
		return false
	}
	a.q.Subject, a.q.Alias = n.entity, n.alias
	a.mark(lo, hi)
	return a.q.Subject != ""
}

// bestPhrase returns where the noun phrase stands that is most likely the subject: a name, else
// what follows "the" or a preposition, else what follows an auxiliary (see bare).
func (a *asking) bestPhrase() (lo, hi int) {
	end := len(a.tokens)
	if a.after > 2 {
		end = a.after
	}
	for i := 0; i < end; i++ {
		t := &a.tokens[i]
		if i > 0 && t.cap && !t.is(isFirst|isTime|isTitle|isQuestion) && !a.isUsed(i) {
			lo, hi = i, i+1
			if a.tokens[i-1].is(isTitle) {
				lo--
			}
			for hi < end && a.tokens[hi].cap && !a.isUsed(hi) {
				hi++
			}
			if lo > 0 && a.tokens[lo-1].word == "the" {
				for hi < end && !a.stops(hi) {
					hi++
				}
			}
			if !a.q.Broad && a.known(i, end, nil) != nil {
				continue
			}
			return lo, hi
		}
	}
	for i := 0; i < end; i++ {
		if w := a.tokens[i].word; w != "the" &&
			!(a.tokens[i].is(isPreposition) && i > 1 && i+1 < end && !a.tokens[i+1].is(isDet|isPossessive|isFirst|isTime) &&
				!a.tokens[i+1].num) {
			continue
		}
		if i+1 < end && a.framed[i+1] { // "where is the user based": no name of a thing
			continue
		}
		lo, hi = i+1, i+1
		for hi < end && (!a.stops(hi) || a.isUsed(hi) && !a.tokens[hi].is(isBe)) {
			if w := a.tokens[hi].word; hi > lo && hi+1 == end && (w == "based" || w == "located") {
				break // "where is the office located"
			}
			hi++
		}
		if lo < hi && !(a.tokens[i].is(isPreposition) && a.isUsed(lo)) && a.tokens[lo].word != "you" {
			return lo, hi
		}
	}
	return a.bare(end)
}

// bare finds a subject without "the", behind a form of do, be or have: "do backups run", "are logs
// kept".
func (a *asking) bare(end int) (lo, hi int) {
	for i := 1; i < end; i++ {
		t := &a.tokens[i]
		if !a.tokens[i-1].is(isDo|isBe|isHave) || t.is(isFirst|isPossessive|isThird|isDet|isPreposition|isAdverb|isTime) ||
			t.is(anyVerb) && t.e.noun == "" || t.num {
			continue
		}
		return i, i + 1
	}
	return 0, 0
}

func (a *asking) isUsed(i int) bool { return i < len(a.used) && a.used[i] }

// stops reports whether a noun phrase ends before the token at i.
func (a *asking) stops(i int) bool {
	t := &a.tokens[i]
	return rank(a.tokens[i-1].post) > 0 || t.is(isBe|isHave|isDo|isModal|isAdverb|isConjunction|isFirst) ||
		t.is(isPreposition) && t.word != "of" && t.word != "for" ||
		t.is(anyVerb) && t.is(formBase|formThird|formPast) && !a.isUsed(i) && (t.e.noun == "" || i+1 == len(a.tokens)) ||
		t.is(isTime) && t.word != "weekly" && t.word != "daily" && t.word != "monthly"
}
