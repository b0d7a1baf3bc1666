package recall

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
)

// Pair is what tells whether the newer of two records of a small bank is a later
// word on what the older one says, and on what is asked.
type Pair struct {
	Older, Newer string    // ids
	Signs        []float64 // in the order of [PairSignNames], about -1 to 1
	Linked       bool      // by the rules of kinship, without the signs
}

// succession compares the candidates of a small bank by their words, for changes
// of which neither the tables of attributes nor kinship know: "I'm on the Payments
// squad", "They moved me to Growth". What each sign counts was fitted
// (succession.txt); it is no rule, and so it only orders an answer.
type succession struct {
	*kinship
	names  [][]string  // of each candidate, as stems
	heads  []string    // first stem of each
	kinds  [][5]bool   // which kinds of thing each tells
	like   [][]float64 // how near each two are, 0 to 1
	near   []float64   // how near each is to the question, 0 to 1
	rules  [][]bond    // what the rules tell of an older and a newer one
	about  []topical   // what each is about
	themed [][]float64 // how clearly each two have a theme in common, 0 to 1
	sought topical     // what is asked for
}

// pairNow and pairThen are the chances from which a pair is linked: where it is asked how
// something was, there is more to lose.
const pairNow, pairThen = 0.15, 0.6

// pairNamed is the chance from which a pair is linked of which keywords name the older one
// better: all of them say what is asked for.
const pairNamed = 0.7

// pairSure is the chance from which a pair is linked that the grammar tells apart, if the
// newer one takes up what the older says.
const pairSure = 0.5

// toldKinds are those that two versions of a fact mostly share.
var toldKinds = [5]wanted{aNumber, aTime, anHour, aPerson, aPlace}

func (k *kinship) succession() *succession {
	table, n := k.meanings(), len(k.pool)
	s := &succession{
		kinship: k, names: make([][]string, n), heads: make([]string, n), kinds: make([][5]bool, n),
		like: make([][]float64, n), near: make([]float64, n), rules: make([][]bond, n),
		about: make([]topical, n), themed: make([][]float64, n), sought: topical{themesOf(k.stems), slots.Topics(beginning(k.Query, readable))},
	}
	asked := rowsOf(table, k.stems)
	for i, c := range k.pool {
		text := beginning(c.Content, readable)
		s.like[i], s.themed[i], s.rules[i] = make([]float64, n), make([]float64, n), make([]bond, n)
		s.near[i] = likeness(table, asked, c) / (forthShare + backShare)
		for _, name := range namesIn(text) {
			s.names[i] = append(s.names[i], analysis.Content(name)...)
		}
		told := c.rows(table)
		if len(told) > 0 {
			s.heads[i] = told[0].stem
		}
		s.about[i] = topical{themesOf(stemsIn(told)), slots.Topics(text)}
		for j, kind := range toldKinds {
			s.kinds[i][j] = kind.tells(text)
		}
		for j := range i {
			x := likeness(table, k.pool[j].rows(table), c) / (forthShare + backShare)
			s.like[i][j], s.like[j][i] = x, x
			y := themeShared(s.about[i].themes, s.about[j].themes)
			s.themed[i][j], s.themed[j][i] = y, y
		}
	}
	return s
}

// pair is an older and a newer candidate, by their places in the pool.
type pair struct {
	older, newer int
	signs        []float64
	like         float64 // that they are versions of one fact, by what they say alone
}

// link links what is likely a version of one of the best candidates. That a newer one
// follows another one better speaks against it.
func (s *succession) link() {
	var all []pair
	best, second := make([]float64, len(s.pool)), make([]float64, len(s.pool))
	for n, newer := range s.pool {
		best[n], second[n] = math.Inf(-1), math.Inf(-1)
		for i, older := range s.pool {
			if !newer.later(older) || newer.awaited() || s.keptApart(older, newer, s.pool) || newer.Supersedes != "" && older.SupersededBy == "" {
				continue // or it is known whose place it took
			}
			p := pair{older: i, newer: n, signs: s.signs(i, n)}
			p.like = sumOf(pairWeights().said, p.signs)
			all = append(all, p)
			second[n] = max(second[n], min(best[n], p.like))
			best[n] = max(best[n], p.like)
		}
	}
	least := pairNow
	if s.asks.Tense == slots.Then {
		least = pairThen
	}
	for _, p := range all {
		how := s.rules[p.older][p.newer]
		if min(p.older, p.newer) >= leaders || how >= contrary {
			continue
		}
		rival := best[p.newer]
		if p.like == rival {
			rival = second[p.newer]
		}
		p.signs = append(p.signs, max(-1, min(1, (p.like-rival)/2)))
		older, newer := s.pool[p.older], s.pool[p.newer]
		if s.Explain {
			s.pairs = append(s.pairs, Pair{older.ID, newer.ID, p.signs, how != unrelated})
		}
		chance := 1 / (1 + math.Exp(-sumOf(pairWeights().asked, p.signs)))
		needed := least
		if s.lacksWord(older, newer) {
			needed = max(needed, pairNamed)
		}
		if how == unrelated && chance >= needed && (chance >= pairSure && s.takesUp(older, newer) || !s.toldApart(older, newer) && !s.parallel(older, newer)) {
			older.succeed(newer, told)
		}
	}
}

// parallel reports whether two candidates say the same of different things, and the
// question asks for that of the older: what fills its slot, or differs from it in a few
// words of which the question has the older one's.
func (s *succession) parallel(older, newer *candidate) bool {
	if s.introducing(older) || s.introducing(newer) || newer.sense.guessed() {
		return true
	}
	if newer.sense.changes == silent && s.shared(older, newer) > 0 && !s.sharesMore(older, newer) {
		return true // more of somebody
	}
	if older.sense.fit >= slots.FitSlot && (newer.sense.other || newer.sense.beside || s.fillsAnother(&newer.sense)) {
		return true
	}
	if slots.Between(older.sense.said, newer.sense.said) == slots.None {
		if same, _, _ := compareSaid(older.sense.said, newer.sense.said); same {
			return true
		}
	}
	return jaccard(older.counted(), newer.counted()) >= alikeFrame && slices.ContainsFunc(s.stems, func(stem string) bool {
		return older.counted()[stem] > 0 && newer.counted()[stem] == 0
	})
}

// takesUp reports whether a candidate tells of a change of what an older one says: clearly,
// or of something that both name and the question does not ("IT swapped my ThinkPad for a
// MacBook"). A number alone is no such thing, and what goes on beside the change is not meant.
func (s *succession) takesUp(older, newer *candidate) bool {
	if newer.sense.changes == silent || len(older.sense.said) > 1 && s.asksForRest(older, newer) || s.introducing(older) || s.introducing(newer) {
		return false
	}
	numbers, words, more := 0, 0, 0
	for term := range older.counted() {
		switch {
		case newer.counted()[term] == 0:
		case strings.Trim(term, "0123456789") == "":
			numbers++
		case slices.Contains(s.stems, term):
			words++
		default:
			more++
		}
	}
	return more > 0 || newer.sense.changes >= locally && (words > 0 || numbers == 0)
}

// lacksWord reports whether keywords name an older candidate better than a newer one:
// more of them are in that alone than in the other alone. Another amount of the same unit
// needs no name.
func (s *succession) lacksWord(older, newer *candidate) bool {
	lost := 0
	for _, stem := range s.stems {
		lost += int(one(older.counted()[stem] > 0)) - int(one(newer.counted()[stem] > 0))
	}
	if !s.asks.Keywords || lost <= 0 {
		return false
	}
	units := unitsOf(newer.Content)
	return !slices.ContainsFunc(unitsOf(older.Content), func(unit string) bool { return slices.Contains(units, unit) })
}

// unitsOf returns the units of the amounts in a text: "k" of "40k", "mg" of "50 mg".
func unitsOf(text string) (units []string) {
	words := plainWords(beginning(text, readable))
	for i, w := range words {
		unit := strings.Trim(w, "0123456789")
		switch {
		case unit == w:
			continue
		case unit == "" && i+1 < len(words) && !strings.ContainsAny(words[i+1], "0123456789"):
			unit = words[i+1]
		}
		if unit != "" {
			units = append(units, unit)
		}
	}
	return units
}

// introducing reports whether a candidate says who the user is, where that is not asked.
func (s *succession) introducing(c *candidate) bool {
	return s.asks.Attribute != "name" && slices.ContainsFunc(c.sense.said, func(one slots.Statement) bool { return one.Attribute == "name" && one.Subject == slots.User })
}

// guessed reports whether all that is said is a guess, a condition or the words of others.
func (s *sense) guessed() bool {
	return len(s.said) > 0 && !slices.ContainsFunc(s.said, func(one slots.Statement) bool { return !one.Hedged })
}

// alikeFrame is the overlap (Jaccard) of stems from which two contents say the same of
// two things, or two things of one.
const alikeFrame = 0.3

// PairSignNames returns the names of the signs of a [Pair], in order: those of what
// the two say, those of the question, and by how much the newer follows the older
// better than any other.
func PairSignNames() []string {
	return strings.Fields("change loose local plain like closest mentions shared head numbers few late names headElsewhere changeLike changeMentions namesElsewhere changeOlder moreRivals kinds sameAttribute otherAttribute otherSubject taken theme themeElsewhere topic topicApart valueLike brief " +
		"near nearOlder sharedAsked unmet another other strength first then fitNewer fitOlder yesNo nearLead askedTheme askedTopic askedApart askedOlder lead")
}

// SaidSigns is how many of the signs, the first ones, are of what two records say,
// whatever is asked.
const SaidSigns = 30

// signs returns all but the last of the signs of an older and a newer candidate.
func (s *succession) signs(i, n int) []float64 {
	return append(s.saidSigns(i, n), s.askedSigns(i, n)...)
}

func (s *succession) saidSigns(i, n int) []float64 {
	older, newer := s.pool[i], s.pool[n]
	like, change := s.like[i][n], newer.sense.changes.share()
	late, rivals, rival := 0, 0, 0.0
	for j, c := range s.pool {
		if !newer.EventTime().After(c.EventTime()) {
			continue
		}
		late++
		if j != i {
			rival = max(rival, s.like[j][n])
			rivals += int(one(s.like[j][n] > like))
		}
	}
	shared, alone := s.sharedTerms(i, n)
	x, y := numbers(older.Content), numbers(newer.Content)
	sameAttribute, otherAttribute, otherSubject := compareSaid(older.sense.said, newer.sense.said)
	taken := slices.ContainsFunc(older.newer, func(v sibling) bool { return v.candidate != newer && v.how >= contrary })
	return []float64{
		change,
		one(newer.sense.changes == loosely),
		one(newer.sense.changes == locally),
		one(newer.sense.changes == plainly),
		like,
		max(-1, min(1, (like-rival)/0.3)),
		min(1, float64(alone)/2),
		min(1, float64(shared)/3),
		one(s.heads[i] != "" && s.heads[i] == s.heads[n]),
		one(len(x) > 0 && len(y) > 0 && !slices.Equal(x, y)),
		1 / float64(len(s.pool)),
		float64(late) / float64(max(1, len(s.pool)-1)),
		one(len(s.names[i]) > 0 && len(s.names[n]) > 0),
		one(s.beginsElsewhere(i, n)),
		change * like,
		change * min(1, float64(alone)),
		one(s.namesElsewhere(i, n)),
		older.sense.changes.share(),
		float64(min(3, rivals)) / 3,
		s.kindsKept(i, n),
		one(sameAttribute),
		one(otherAttribute),
		one(otherSubject),
		one(taken),
		s.themed[i][n],
		s.themeElsewhere(i, n),
		one(s.about[i].shares(&s.about[n])),
		one(s.about[i].apart(&s.about[n])),
		s.valueLike(i, n),
		1 / float64(max(1, len(newer.counted()))),
	}
}

func (s *succession) askedSigns(i, n int) []float64 {
	older, newer := s.pool[i], s.pool[n]
	nearest, asked := 0.0, 0
	for j := range s.pool {
		if j != i && j != n {
			nearest = max(nearest, s.near[j])
		}
	}
	for _, stem := range s.stems {
		asked += int(one(older.counted()[stem] > 0 && newer.counted()[stem] > 0))
	}
	return []float64{
		s.near[n],
		s.near[i],
		float64(asked) / float64(max(1, len(s.stems))),
		one(newer.unmet()),
		one(s.fillsAnother(&newer.sense)),
		one(newer.sense.other),
		strengthBeside(newer, older),
		one(i == 0),
		one(s.asks.Tense == slots.Then),
		float64(newer.sense.fit) / float64(slots.FitBoth),
		float64(older.sense.fit) / float64(slots.FitBoth),
		one(s.asks.YesNo),
		max(-1, min(1, 2*(s.near[n]-nearest))),
		themeShared(s.sought.themes, s.about[n].themes),
		one(s.sought.shares(&s.about[n])),
		one(s.sought.apart(&s.about[n])),
		one(s.sought.shares(&s.about[i])),
	}
}

// strengthBeside is how strong a newer candidate is beside an older one, at most 1,
// which it is beside one that nothing speaks for.
func strengthBeside(newer, older *candidate) float64 {
	if older.strength() <= 0 {
		return 1
	}
	return min(1, newer.strength()/older.strength())
}

// themeElsewhere is by how much another older candidate has more of a newer one's
// themes than the older of two, 0 to 1.
func (s *succession) themeElsewhere(i, n int) (most float64) {
	for j, c := range s.pool {
		if j != i && s.pool[n].later(c) {
			most = max(most, s.themed[j][n])
		}
	}
	return max(0, most-s.themed[i][n])
}

// valueLike is how near the nearest two stems are of which each has one: two values of
// one kind, such as two trades.
func (s *succession) valueLike(i, n int) (most float64) {
	table := s.meanings()
	older, newer := s.pool[i].rows(table), s.pool[n].rows(table)
	for _, x := range older {
		if s.pool[n].counted()[x.stem] > 0 {
			continue
		}
		for _, y := range newer {
			if s.pool[i].counted()[y.stem] == 0 {
				most = max(most, similarity(table, x, y))
			}
		}
	}
	return most
}

// sharedTerms counts the stems that two candidates share, and those that no other
// candidate has, such as the name of what was before.
func (s *succession) sharedTerms(i, n int) (shared, alone int) {
	for term := range s.pool[i].counted() {
		if s.pool[n].counted()[term] == 0 {
			continue
		}
		shared++
		alone += int(one(!s.elsewhere(term, i, n)))
	}
	return shared, alone
}

// elsewhere reports whether a candidate besides two has a stem.
func (s *succession) elsewhere(stem string, i, n int) bool {
	for j, c := range s.pool {
		if j != i && j != n && c.counted()[stem] > 0 {
			return true
		}
	}
	return false
}

// beginsElsewhere reports whether the newer of two candidates begins with a word that
// others have and the older has not: it is about something else.
func (s *succession) beginsElsewhere(i, n int) bool {
	return s.heads[n] != "" && s.pool[i].counted()[s.heads[n]] == 0 && s.elsewhere(s.heads[n], i, n)
}

// namesElsewhere reports whether it has a name that others have and the older has not.
func (s *succession) namesElsewhere(i, n int) bool {
	return slices.ContainsFunc(s.names[n], func(name string) bool {
		return s.pool[i].counted()[name] == 0 && s.elsewhere(name, i, n)
	})
}

// kindsKept is the share of the kinds of thing that one tells which another tells too.
func (s *succession) kindsKept(i, n int) float64 {
	both, had := 0.0, 0.0
	for k, told := range s.kinds[i] {
		had += one(told)
		both += one(told && s.kinds[n][k])
	}
	return both / max(1, had)
}

// compareSaid reports whether two records have statements of one attribute, have some
// of attributes and none of one, and have subjects of which none is the same.
func compareSaid(older, newer []slots.Statement) (sameAttribute, otherAttribute, otherSubject bool) {
	sameSubject := false
	for i := range older {
		for k := range newer {
			a, b := &older[i], &newer[k]
			if a.Attribute != "" && b.Attribute != "" {
				sameAttribute = sameAttribute || a.Attribute == b.Attribute
				otherAttribute = otherAttribute || a.Attribute != b.Attribute
			}
			if a.Subject != "" && b.Subject != "" {
				sameSubject = sameSubject || a.Subject == b.Subject
				otherSubject = otherSubject || a.Subject != b.Subject
			}
		}
	}
	return sameAttribute, otherAttribute && !sameAttribute, otherSubject && !sameSubject
}

// share is how clearly something is told, 0 to 1.
func (t telling) share() float64 { return float64(t) / float64(plainly) }

// one is 1 for true, 0 for false.
func one(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

//go:embed succession.txt
var successionFile string

// weights of a bias and signs: by what two records say, and by the question as well.
type weights struct{ said, asked []float64 }

// pairWeights has the columns of succession.txt. Numbers that are none are 0.
var pairWeights = sync.OnceValue(func() (w weights) {
	for line := range strings.Lines(successionFile) {
		if f := strings.Fields(line); len(f) == 3 && f[0] != "#" {
			said, _ := strconv.ParseFloat(f[1], 64)
			asked, _ := strconv.ParseFloat(f[2], 64)
			w.said, w.asked = append(w.said, said), append(w.asked, asked)
		}
	}
	return w
})

// sumOf adds up signs by their weights behind the bias.
func sumOf(weights, signs []float64) float64 {
	x := weights[0]
	for i, sign := range signs {
		x += weights[i+1] * sign
	}
	return x
}
