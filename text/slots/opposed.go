package slots

import (
	"slices"
	"strings"
)

// said is what folding compares of a text: content in one form, and signs.
type said struct {
	text     string
	content  []string // canonical stems in order, poles of opposites resolved
	order    []string // the same with the words around the verb as they stand
	numbers  []string
	names    []string // of people and things, and relations
	times    []string
	roles    []string // names in order, with "'s" where they own something
	ways     []string // "to" and "from" with the words behind them, sorted
	theirs   bool     // somebody's who is named elsewhere: "his mother"
	them     bool     // somebody is meant who is named elsewhere: "calls him"
	copula   bool     // a form of be joins two sides, which may be swapped: "Lee's boss is Kim"
	joined   bool     // "and" or "or" joins names
	pivot    bool     // a word stands there around which two things cannot be swapped: "not", "first", "before"
	fronted  bool     // does not begin with its subject
	negative bool
	first    bool
	passive  bool
}

// Opposed reports whether two texts say opposite things: one negates the
// other, or has the opposite of a word, or swaps who does it to whom.
// Symmetric. False where the texts are about different things.
func Opposed(a, b string) bool {
	x, y := measure(a), measure(b)
	return opposed(&x, &y)
}

func opposed(x, y *said) bool {
	content, flips := align(x, y)
	if !content {
		return opposedInPlain(x, y)
	}
	if (flips%2 == 1) != (x.negative != y.negative) {
		return true
	}
	return flips == 0 && (turned(x, y) || swapped(x, y) || otherWay(x, y) || reversed(x, y) || exchanged(x, y))
}

// opposedInPlain reports whether two texts are opposites if the phrases of poles.txt in them are
// written in one word: "can't stand leeks" is "not like leeks", "loves leeks" is "like leeks".
func opposedInPlain(x, y *said) bool {
	if shared := among(x.content, y.content); shared == 0 || max(len(x.content), len(y.content))-shared > otherWords {
		return false
	}
	a, one := inPlain(x.text)
	b, other := inPlain(y.text)
	if !one && !other {
		return false
	}
	p, q := measure(a), measure(b)
	content, flips := align(&p, &q)
	return content && (flips%2 == 1) != (p.negative != q.negative)
}

// Differ reports whether two texts must not be folded into one however many
// words they share: they are opposed, or differ in negation, numbers, times,
// the order of roles, or whom they are about.
func Differ(a, b string) bool {
	x, y := measure(a), measure(b)
	return differ(&x, &y)
}

func differ(x, y *said) bool {
	if opposed(x, y) || otherWay(x, y) || !slices.Equal(x.numbers, y.numbers) || !slices.Equal(x.times, y.times) ||
		!within(x.names, y.content) || !within(y.names, x.content) {
		return true
	}
	content, flips := align(x, y)
	if (flips%2 == 1) != (x.negative != y.negative) {
		return true
	}
	return content && swapped(x, y)
}

// otherWay reports whether one says "to Lyon" where the other says "from Lyon".
func otherWay(x, y *said) bool {
	for _, w := range x.ways {
		way, name, _ := strings.Cut(w, " ")
		back := "to " + name
		if way == "to" {
			back = "from " + name
		}
		if sortedHas(y.ways, back) && !sortedHas(y.ways, w) && !sortedHas(x.ways, back) {
			return true
		}
	}
	return false
}

func sortedHas(list []string, s string) bool {
	_, there := slices.BinarySearch(list, s)
	return there
}

// Restated reports whether two texts are one sentence with another number, day or
// hour, with its words in another order, or turned into the opposite, so that
// neither tells which of them holds.
func Restated(a, b string) bool {
	x, y := measure(a), measure(b)
	if opposed(&x, &y) {
		return true
	}
	content, flips := align(&x, &y)
	return content && flips == 0 &&
		!(slices.Equal(x.numbers, y.numbers) && slices.Equal(x.times, y.times) && slices.Equal(x.order, y.order))
}

// within reports whether all words are among the sorted others.
func within(words, others []string) bool {
	for _, w := range words {
		if _, ok := slices.BinarySearch(others, w); !ok {
			return false
		}
	}
	return true
}

// contrary reports whether two stems are opposites: by the table, or by the
// beginning of one ("un-", "in-", "dis-", "non-").
func contrary(opposite map[string][]string, a, b string) bool {
	if slices.Contains(opposite[a], b) {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, p := range [...]string{"un", "in", "im", "ir", "il", "dis", "non", "de"} {
		if len(a) > 3 && strings.HasPrefix(b, p) && b[len(p):] == a {
			return true
		}
	}
	return false
}

// SameFact reports whether two texts say the same: the same content in other
// order or with other small words, and nothing by which they [Differ].
func SameFact(a, b string) bool {
	x, y := measure(a), measure(b)
	if len(x.content) == 0 || differ(&x, &y) {
		return len(x.content) == 0 && len(y.content) == 0 && strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
	}
	content, _ := align(&x, &y)
	return content && x.first == y.first
}

// measure reads a text for comparison.
func measure(text string) said {
	r := borrow(text, &Options{})
	defer r.giveBack()
	s := said{text: text}
	s.fronted = len(r.tokens) > 0 && r.tokens[0].is(isPreposition|isTime)
	verb := false
	for i := range r.tokens {
		t := &r.tokens[i]
		stem := t.stem()
		s.copula = s.copula || t.is(isBe)
		s.joined = s.joined || t.word == "and" || t.word == "or"
		verb = verb || t.word == "than" || s.copula && (t.is(formPast) || len(t.word) > 5 && strings.HasSuffix(t.word, "ed"))
		s.pivot = s.pivot || isPivot(t.word)
		if t.neg || t.is(isNegation) && !r.doubled(i) && t.word != "without" && t.word != "never" && t.word != "nobody" &&
			t.word != "none" {
			s.negative = !s.negative
			if t.word == "cannot" {
				s.content = append(s.content, "can")
			}
			if t.neg && t.word == "can" {
				s.content = append(s.content, "can")
			}
			continue
		}
		switch {
		case t.is(isFirst|isPossessive) || t.word == "user":
			s.first = true
			continue
		case t.word == "never", t.word == "nunca":
			s.negative = !s.negative
			continue
		case isAlways(t.word), t.word == "every" && i+1 < len(r.tokens) && r.tokens[i+1].is(isTime|isUnit):
			continue
		case r.nePas(i):
			s.negative = !s.negative
			continue
		case t.word == "out" && r.lacks(i):
			s.negative = !s.negative
			continue
		case numeral(stem) || t.num:
			s.numbers = append(s.numbers, number(stem))
			continue
		case t.is(isTime) && stem != "second" && !t.is(isUnit):
			s.times = append(s.times, stem)
			continue
		case t.is(isBe) && i+1 < len(r.tokens) && r.tokens[i+1].is(formPast) && r.later(i, "by"):
			s.passive = true
			continue
		case t.word == "by" && s.passive:
			continue
		case t.word == "now" || t.word == "currently" || t.word == "still" || t.word == "longer" || t.word == "any" || r.noMore(i) ||
			t.word == "mail" && i > 0 && r.tokens[i-1].word == "e":
			continue
		case t.word == "e" && i+1 < len(r.tokens) && r.tokens[i+1].word == "mail":
			stem = "email"
		case t.word == "have" && i+1 < len(r.tokens) && r.tokens[i+1].word == "to", t.word == "has" && i+1 < len(r.tokens) &&
			r.tokens[i+1].word == "to":
			stem = "must"
		}
		s.theirs = s.theirs || t.word == "his" || t.word == "her" || t.word == "their"
		s.them = s.them || t.word == "him" || t.word == "her" || t.word == "them"
		if _, paired := r.opposite[stem]; !paired && t.is(isDet|isBe|isDo|isThird|isConjunction|isWill|isAdverb) && t.word != "me" &&
			stem != "must" || t.is(isPreposition) && !r.pole(t.word) || t.is(isHave) && stem != "must" {
			continue
		}
		s.noteNames(r, i, stem)
		s.content = append(s.content, stem)
	}
	s.copula = s.copula && !s.passive && !verb
	s.order = slices.Clone(s.content)
	slices.Sort(s.content)
	s.content = slices.Compact(s.content)
	slices.Sort(s.numbers)
	slices.Sort(s.times)
	slices.Sort(s.names)
	slices.Sort(s.ways)
	s.names = slices.Compact(s.names)
	return s
}

// noteNames notes what the word at i says of who, whose and which way.
func (s *said) noteNames(r *reader, i int, stem string) {
	t := &r.tokens[i]
	if t.is(isKin) || t.cap && (i > 0 && rank(r.tokens[i-1].post) < rankEnd || t.e == nothing) {
		s.names = append(s.names, stem)
		if role := stem; !t.is(isKin) || t.cap {
			if t.poss {
				role += "'s"
			}
			s.roles = append(s.roles, role)
		}
	}
	if i > 0 && (r.tokens[i-1].word == "to" || r.tokens[i-1].word == "from") {
		s.ways = append(s.ways, r.tokens[i-1].word+" "+stem)
	}
}

// pole reports whether a preposition has an opposite.
func (r *reader) pole(w string) bool {
	switch w {
	case "like", "on", "with", "before", "after", "without", "under", "up",
		"down", "off", "above", "below", "inside", "outside", "behind", "for", "against":
		return true
	}
	return false
}

// lacks reports whether the "out" at i denies what stands behind its "of": in "out of stock" and
// "out of order", but not in "nine out of ten".
func (r *reader) lacks(i int) bool {
	return i > 0 && i+2 < len(r.tokens) && r.tokens[i+1].word == "of" && !r.tokens[i-1].num && !numeral(r.tokens[i-1].stem()) &&
		!r.tokens[i+2].is(isDet|isPossessive)
}

// doubled reports whether a word with an n't of its own is counted already.
func (r *reader) doubled(i int) bool {
	t := &r.tokens[i]
	return !t.neg && t.is(isBe|isDo|isHave|isModal|isWill|isHedge) && t.word != "cannot"
}

func (r *reader) later(i int, w string) bool {
	for end := min(len(r.tokens), i+12); i < end; i++ {
		if r.tokens[i].word == w {
			return true
		}
	}
	return false
}

// isAlways reports whether a word says of what is done that it is done each time.
func isAlways(w string) bool {
	switch w {
	case "always", "immer", "toujours", "siempre", "altijd":
		return true
	}
	return false
}

// nePas reports whether the "ne" or "n'" of a French negation stands at i. Of "pas",
// which denies by itself, it is no other.
func (r *reader) nePas(i int) bool {
	w := r.tokens[i].word
	return (w == "ne" || w == "n") && (r.later(i, "plus") || r.later(i, "jamais") || r.later(i, "rien")) && !r.later(i, "pas")
}

// noMore reports whether the word at i says with a negation before it that something
// has ended: "not afraid of heights any more", "isst kein Fleisch mehr".
func (r *reader) noMore(i int) bool {
	switch r.tokens[i].word {
	case "more":
		return i > 0 && (r.tokens[i-1].is(isNegation) || r.tokens[i-1].word == "any")
	case "anymore":
		return true
	case "mehr", "meer":
		return slices.ContainsFunc(r.tokens[max(0, i-12):i], func(t token) bool { return t.is(isNegation) })
	case "plus", "jamais", "rien":
		return slices.ContainsFunc(r.tokens[max(0, i-12):i], func(t token) bool { return t.word == "ne" || t.word == "n" })
	case "ne", "n":
		return r.later(i, "pas")
	}
	return false
}

// align reports whether two texts have the same content apart from opposites, and how many words of
// one have their opposite in the other: one in "the shop is open" and "the shop is closed".
func align(x, y *said) (same bool, flips int) {
	opposite := table().opposite
	var left, right []string
	for _, w := range x.content {
		if _, ok := slices.BinarySearch(y.content, w); !ok {
			left = append(left, w)
		}
	}
	for _, w := range y.content {
		if _, ok := slices.BinarySearch(x.content, w); !ok {
			right = append(right, w)
		}
	}
	if len(left) > longest || len(right) > longest {
		return false, 0
	}
	rest := 0
	for _, w := range left {
		k := slices.IndexFunc(right, func(v string) bool { return contrary(opposite, w, v) })
		if k < 0 {
			if w != "on" && w != "for" {
				rest++
			}
			continue
		}
		right = slices.Delete(right, k, k+1)
		flips++
	}
	for _, w := range right {
		if w != "on" && w != "for" {
			rest++
		}
	}
	return rest == 0 && len(x.content) > 0 && len(y.content) > 0, flips
}

// isPivot reports whether two things around a word say another thing when they
// are swapped: "tabs, not spaces", "the salt first, then the yeast".
func isPivot(w string) bool {
	switch w {
	case "not", "instead", "rather", "first", "second", "then", "before",
		"after", "over", "zuerst", "dann", "vor", "nach", "statt", "nicht", "sondern":
		return true
	}
	return false
}

// turned reports whether two texts with a pivot have the same words but for two
// that stand in each other's place.
func turned(x, y *said) bool {
	if !x.pivot || !y.pivot || len(x.order) != len(y.order) || len(x.order) > longest {
		return false
	}
	var at []int
	for i := range x.order {
		if x.order[i] != y.order[i] {
			at = append(at, i)
		}
	}
	return len(at) == 2 && x.order[at[0]] == y.order[at[1]] && x.order[at[1]] == y.order[at[0]]
}

// exchanged reports whether two texts of the same words have two of them in each
// other's place, and not just a part moved: "nginx forwards to caddy on mull", "caddy
// forwards to nginx on mull". Of what is listed or is the same the order says nothing.
func exchanged(x, y *said) bool {
	a, b := x.order, y.order
	if len(a) != len(b) || len(a) > longest || x.fronted != y.fronted || x.passive != y.passive || x.copula && y.copula && !x.joined ||
		strings.Contains(x.text, ",") || strings.Contains(y.text, ",") || isSymmetric(x) {
		return false
	}
	for len(a) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) > 2 && a[0] == b[len(b)-1] && b[0] == a[len(a)-1] && slices.Equal(a[1:len(a)-1], b[1:len(b)-1])
}

// isSymmetric reports whether a text has a word whose sides may be swapped.
func isSymmetric(x *said) bool {
	return slices.ContainsFunc(symmetric, func(w string) bool { return slices.Contains(x.order, w) })
}

// symmetric are stems of words whose sides may be swapped.
var symmetric = []string{"marri", "meet", "friend", "togeth", "same", "equal", "date", "partner", "sibl", "neighbour", "cousin", "colleagu",
	"engag", "relat", "connect", "link"}

// swapped reports whether two texts of the same words have who and whom the
// other way round: "Anna owes Ben", "Ben owes Anna".
func swapped(x, y *said) bool {
	if len(x.order) != len(y.order) || len(x.order) < 3 || len(x.order) > longest || x.joined || y.joined || x.fronted != y.fronted {
		return false
	}
	if isSymmetric(x) {
		return false
	}
	if x.copula && y.copula {
		// "Lee's boss is Kim" says the same as "Kim is Lee's boss".
		return !sameWords(owners(x.roles), owners(y.roles))
	}
	turned := x.order[0] == y.order[len(y.order)-1] && y.order[0] == x.order[len(x.order)-1]
	if len(x.roles) > 1 && len(x.roles) == len(y.roles) {
		turned = !slices.Equal(x.roles, y.roles)
	}
	if turned {
		return x.passive == y.passive
	}
	return x.passive != y.passive && len(x.roles) > 1
}

// otherWords is how many words of a text may stand for one side of an opposite.
const otherWords = 4

// among counts the words that are among the sorted others.
func among(words, others []string) (n int) {
	for _, w := range words {
		if _, ok := slices.BinarySearch(others, w); ok {
			n++
		}
	}
	return n
}

// reversed reports whether one says of a relative of somebody what the other says of
// that one: "Tom calls his sister", "Tom's sister calls him".
func reversed(x, y *said) bool {
	if x.copula || y.copula {
		return false
	}
	turned := func(x, y *said) bool {
		return x.theirs && y.them && len(owners(x.roles)) == 0 && len(owners(y.roles)) > 0
	}
	return turned(x, y) || turned(y, x)
}

// owners returns the names that own something.
func owners(roles []string) []string {
	return slices.DeleteFunc(slices.Clone(roles), func(r string) bool { return !strings.HasSuffix(r, "'s") })
}

// sameWords reports whether two lists hold the same words in any order.
func sameWords(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
