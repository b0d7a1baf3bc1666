package recall

import (
	"math"
	"slices"

	"mcp-memory/memory"
)

// Confidence says how likely it is that the first result answers the question.
// docs/evaluation.md has how often it did at each level.
type Confidence string

// The levels of confidence.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
	None   Confidence = "none" // nothing was found, or nothing that has to do with it
)

// Sure reports whether an answer may be relied on: it is High or Medium.
func (c Confidence) Sure() bool { return c == High || c == Medium }

// Chances from which a level begins: so that of answers at High about 95 of 100 are right,
// of those at Medium 75 and more, and most of what nothing answers is neither.
const highFrom, mediumFrom, lowFrom = 0.95, 0.79, 0.2

// mediumOfSaid is mediumFrom for turns of conversations and other results that are no memories:
// of the questions to them fewer have no answer.
const mediumOfSaid = 0.62

// LevelOf returns the level of an answer whose first result, a memory, answers with a chance of 0
// to 1.
func LevelOf(chance float64) Confidence { return levelOf(chance, mediumFrom) }

func levelOf(chance, medium float64) Confidence {
	switch {
	case chance >= highFrom:
		return High
	case chance >= medium:
		return Medium
	case chance >= lowFrom:
		return Low
	}
	return None
}

// CertaintySigns returns the names of the signs by which the chance that the first result answers
// is estimated, in order.
func CertaintySigns() []string {
	names := make([]string, len(certaintySigns))
	for i, s := range certaintySigns {
		names[i] = s.name
	}
	return names
}

// certaintySigns measure an answer, each -1 to 1. Their weights are fitted (eval/fit) and stand in
// certainty.txt.
var certaintySigns = []struct {
	name   string
	beside bool    // it compares the first record with the others
	alone  float64 // its value for an answer without others
	of     func(a *topAnswer) float64
}{
	{"share", true, 1, func(a *topAnswer) float64 { return a.share() }},
	{"coverage", false, 0, func(a *topAnswer) float64 { return a.Coverage }},
	{"least", false, 0, func(a *topAnswer) float64 { return a.least }},
	{"sentence_known", false, 0, func(a *topAnswer) float64 { return a.encoded() * square(a.pool.known) }},
	{"known", false, 0, func(a *topAnswer) float64 { return a.pool.known }},
	{"soft", false, 0, func(a *topAnswer) float64 { return a.Soft }},
	{"unmet", false, 0, func(a *topAnswer) float64 { return one(a.unmetKind) }},
	{"numbers_missing", false, 0, func(a *topAnswer) float64 { return a.numbersMissing }},
	{"outside", false, 0, func(a *topAnswer) float64 { return a.outside }},
	{"of_somebody", false, 0, func(a *topAnswer) float64 { return one(a.pool.ofSomebody) }},
	{"timed", false, 0, func(a *topAnswer) float64 { return one(len(a.pool.q.times) > 0) }},
	{"versions", true, 0, func(a *topAnswer) float64 { return one(len(a.versions) > 0) }},
	{"moved", true, 0, func(a *topAnswer) float64 { return one(a.moved != nil) }},
}

// topAnswer is the first record of an answer and those behind it. Where it has other versions, its
// match with the question (coverage, least, soft, encoded) is the best of all of them: it may
// stand first because another version has the words of the question.
type topAnswer struct {
	evidence
	others []*candidate // behind it, best first, without its versions
}

// topAnswerOf returns the first of some ranked records, at least one, as the top answer.
func topAnswerOf(list []*candidate) *topAnswer {
	first := list[0]
	a := &topAnswer{evidence: *first.evidence}
	for _, v := range first.versions {
		if e := v.evidence; e != nil {
			a.Coverage, a.least = max(a.Coverage, e.Coverage), max(a.least, e.least)
			a.Soft, a.Encoded = max(a.Soft, e.Soft), max(a.Encoded, e.Encoded)
		}
	}
	for _, c := range list[1:] {
		if !slices.Contains(first.versions, c) {
			a.others = append(a.others, c)
		}
	}
	return a
}

// share is the softmax of the first record's relevance among itself and the first [DefaultLimit] of
// the others, 0 to 1.
func (a *topAnswer) share() float64 {
	all := 1.0
	for _, c := range head(a.others, DefaultLimit) {
		all += math.Exp(c.relevance - a.relevance)
	}
	return 1 / all
}

// flatness scales the distance in logits between the first record and the others when relevance
// becomes scores: below 1 the others score nearer to the first, since several may answer.
const flatness = 0.5

// leastChance and mostChance bound the chance from which the first record gets its score; see judge.
const leastChance, mostChance = 0.02, 0.99

// judge turns relevance into scores. The score of the first record is the chance that it answers,
// estimated as if there were no others; the others keep their distance to it, times flatness.
// q.chance, by which confidence goes, is the chance with all signs.
func (s *Service) judge(q *question, list []*candidate) {
	if len(list) == 0 {
		return
	}
	a := topAnswerOf(list)
	signs := make([]float64, len(certaintySigns))
	for i, sign := range certaintySigns {
		signs[i] = sign.of(a)
	}
	if q.Trace != nil && q.Trace.Certainty != nil {
		q.Trace.Certainty(slices.Clone(signs)) // what follows changes them
	}
	certainty := s.models.certainty.of(a.pool.unread)
	q.chance = certainty.chance(signs)
	for i, sign := range certaintySigns {
		if sign.beside {
			signs[i] = sign.alone // a score does not fall because another record is as good
		}
	}
	q.related = slices.ContainsFunc(head(list, nearest), (*candidate).related)
	chance := max(leastChance, min(mostChance, certainty.chance(signs)))
	switch {
	case a.verbatim > 0:
		q.chance, chance = mostChance, mostChance
	case !q.related:
		q.chance, chance = leastChance, leastChance
	}
	first := list[0].relevance
	for _, c := range list {
		for i := range c.parts {
			c.parts[i].Value *= flatness
		}
		shift := math.Log(chance/(1-chance)) - flatness*first
		c.parts = append(c.parts, Part{certaintyPart, shift})
		c.relevance = flatness*c.relevance + shift
		fuse(c)
	}
}

// related reports whether a record has anything to do with the question: a word or synonym, a
// similar meaning, or the time that is asked about.
func (c *candidate) related() bool {
	return c.Coverage > 0 || c.Synonyms > 0 || c.literal > 0 || c.Soft >= leastSoft || c.evidence.encoded() >= leastEncoded ||
		c.evidence.inside > 0
}

// leastSoft and leastEncoded are the soft match of words, and the likeness as sentences (0 to 1),
// from which a record is related to the question.
const leastSoft, leastEncoded = 0.25, 0.2

const certaintyPart = "certainty"

// confidence returns how sure an answer is. For a broad question only the number of records found
// for its subject counts; for one whose first result is a memory, q.chance.
func (q question) confidence(kept []*candidate) Confidence {
	switch {
	case len(kept) == 0:
		return None
	case q.broadly && len(kept) >= sureOfBroad:
		return High
	case q.broadly:
		return Medium
	case kept[0].verbatim > 0 || len(q.stems) == 0:
		return High
	case kept[0].Corpus == memory.Memories && kept[0].fitted:
		return LevelOf(q.chance)
	}
	return levelOf(q.chanceOfSaid(kept), mediumOfSaid)
}

// sureOfBroad is from how many records on the confidence of a broad answer is High.
const sureOfBroad = 3

// chanceOfSaid is the chance that the first result answers, 0 to 1, where that is no memory: a
// logistic regression on its score, its margin over the fourth result and its match with the
// question. The weights are those for questions to conversations.
func (q question) chanceOfSaid(kept []*candidate) float64 {
	first, margin := kept[0], 1.0
	if len(kept) > 3 && first.score > 0 {
		margin = 1 - kept[3].score/first.score
	}
	return chanceOf(-0.97 + 0.79*first.score + 1.01*margin + 0.66*first.Coverage + 0.92*max(0, first.Vector) - 1.40*one(first.unmet()) -
		0.97*q.strange)
}
