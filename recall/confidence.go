package recall

import (
	"math"
	"slices"

	"mcp-memory/text/slots"
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

// Confidences returns all levels, the best first.
func Confidences() []Confidence { return []Confidence{High, Medium, Low, None} }

// Sure reports whether an answer may be relied on: it is High or Medium.
func (c Confidence) Sure() bool { return c == High || c == Medium }

// Signs are what confidence is made of, each 0 to 1.
type Signs struct {
	Score    float64 // of the first result, by likeness alone
	Margin   float64 // by which it is better than the fourth, as a share of it
	Coverage float64 // share of the question's words that it or a version of it has
	Slot     float64 // 1 if it fills the slot that is asked for, 0.5 if perhaps
	Vector   float64 // cosine
	Unfilled float64 // 1 if a slot is asked for and it does not fill it
	Unmet    float64 // 1 if it lacks the number, time or person that is asked for
	Strange  float64 // share of the question's words, by weight, that are near to none of any result
}

// SignNames returns the names of the signs, in order.
func SignNames() []string {
	return []string{"Score", "Margin", "Coverage", "Slot", "Vector", "Unfilled", "Unmet", "Strange"}
}

// Values returns the signs in the order of [SignNames].
func (s Signs) Values() []float64 {
	return []float64{s.Score, s.Margin, s.Coverage, s.Slot, s.Vector, s.Unfilled, s.Unmet, s.Strange}
}

// The weights of the signs and the bounds of the levels were fitted to the
// halves of eval/sets/judgement that are not held out, before question words told
// which kind of answer is wanted: "go run ./eval/judgement --fit" does it again, and
// docs/evaluation.md says why its weights of today are not taken.
var (
	signBias    = -0.97
	signWeights = []float64{0.79, 1.01, 0.66, 0.68, 0.92, -0.49, -1.40, -0.97}
)

// Chances from which a level begins.
const highFrom, mediumFrom, lowFrom = 0.75, 0.55, 0.30

// chance is the probability that the first result answers.
func (s Signs) chance() float64 {
	x := signBias
	for i, value := range s.Values() {
		x += signWeights[i] * value
	}
	return 1 / (1 + math.Exp(-x))
}

func (s Signs) level() Confidence {
	switch p := s.chance(); {
	case s.Score < Floor && s.Coverage == 0 && s.Slot == 0:
		return None
	case p >= highFrom:
		return High
	case p >= mediumFrom, s.Slot == 1 && s.Unmet == 0:
		return Medium
	case p >= lowFrom:
		return Low
	}
	return None
}

// signs measures an answer. The version that is asked for need not have the
// words of the question: one that pulled it in has.
func (q question) signs(kept []*candidate) Signs {
	if len(kept) == 0 {
		return Signs{}
	}
	first := kept[0]
	s := Signs{Score: first.plainScore(), Coverage: first.Coverage, Vector: max(0, first.Vector), Margin: 1, Strange: q.strange}
	for _, c := range slices.Concat(first.older, first.newer) {
		s.Coverage, s.Vector, s.Score = max(s.Coverage, c.Coverage), max(s.Vector, c.Vector), max(s.Score, c.plainScore())
	}
	if fourth := 3; len(kept) > fourth && first.score > 0 {
		s.Margin = 1 - kept[fourth].score/first.score
	}
	switch sense := q.senseOf(first); {
	case sense.fit == slots.FitBoth:
		s.Slot = 1
	case sense.fit == slots.FitSlot, sense.nearly:
		s.Slot = 0.5
	case q.asks.Attribute != "":
		s.Unfilled = 1
	}
	if first.unmet() {
		s.Unmet = 1
	}
	return s
}

// plainScore is the score by likeness alone.
func (c *candidate) plainScore() float64 {
	strength := c.strength()
	for _, p := range c.parts {
		if p.Name == slotPart || p.Name == versionPart || p.Name == overviewPart {
			strength -= p.Value * c.factor()
		}
	}
	return max(0, strength) / (1 + max(0, strength))
}

// confidence is how sure an answer is. A broad question has one if anything
// belongs to its subject.
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
	}
	return q.signs(kept).level()
}

// sureOfBroad is how many records make a broad answer a sure one.
const sureOfBroad = 3

// doubtPart is the part of a score that says how sure the whole answer is.
const doubtPart = "doubt"

// doubt scales the scores of a small pool, where something always is the best, by
// how sure the answer is, so that they can be compared with those of other
// questions. The order stays.
func (q question) doubt(kept []*candidate) {
	if len(kept) == 0 || q.broadly || !q.Lenient || q.MinScore > Floor {
		return // who names a score wants it kept
	}
	factor := leastTrust + q.signs(kept).chance()
	for _, c := range kept {
		if c.aligned && c.verbatim == 0 {
			c.add(doubtPart, (factor-1)*c.strength())
		}
	}
}

// leastTrust is what is left of the strength of an answer that is none.
const leastTrust = 0.1
