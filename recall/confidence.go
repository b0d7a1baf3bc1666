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

// signs are what confidence is made of.
type signs struct {
	Score    float64 // of the first result
	Margin   float64 // by which it is better than the fourth, as a share of it
	Coverage float64 // share of the question's words that the best of the first three has
	Slot     float64 // 1 if it fills the slot that is asked for, 0.5 if perhaps
	Vector   float64 // cosine
}

// The weights of the signs and the bounds of the levels were fitted to the
// halves of eval/sets/judgement that are not held out.
const (
	signBias, signScore, signMargin, signCoverage, signSlot, signVector = -2.1, 1.6, 1.4, 0.8, 1.3, 1.3
	// Chances from which a level begins.
	highFrom, mediumFrom, lowFrom = 0.80, 0.57, 0.25
)

// chance is the probability that the first result answers.
func (s signs) chance() float64 {
	x := signBias + signScore*s.Score + signMargin*s.Margin + signCoverage*s.Coverage + signSlot*s.Slot + signVector*s.Vector
	return 1 / (1 + math.Exp(-x))
}

func (s signs) level() Confidence {
	switch p := s.chance(); {
	case s.Score < Floor && s.Coverage == 0 && s.Slot == 0:
		return None
	case p >= highFrom:
		return High
	case p >= mediumFrom:
		return Medium
	case p >= lowFrom:
		return Low
	}
	return None
}

// signs measures an answer. The version that is asked for need not have the
// words of the question: one that pulled it in has.
func (q question) signs(kept []*candidate) signs {
	if len(kept) == 0 {
		return signs{}
	}
	first := kept[0]
	s := signs{Score: first.plainScore(), Coverage: first.Coverage, Vector: first.Vector}
	for _, c := range slices.Concat(first.older, first.newer) {
		s.Coverage, s.Vector, s.Score = max(s.Coverage, c.Coverage), max(s.Vector, c.Vector), max(s.Score, c.plainScore())
	}
	if fourth := 3; len(kept) > fourth && first.score > 0 {
		s.Margin = 1 - kept[fourth].score/first.score
	} else {
		s.Margin = 1
	}
	switch sense := q.senseOf(first); {
	case sense.fit == slots.FitBoth:
		s.Slot = 1
	case sense.fit == slots.FitSlot:
		s.Slot = 0.5
	}
	return s
}

// plainScore is the score by likeness alone.
func (c *candidate) plainScore() float64 {
	strength := c.strength()
	for _, p := range c.parts {
		if p.Name == slotPart || p.Name == versionPart {
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
