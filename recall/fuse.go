package recall

import (
	"cmp"
	"math"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

// Weights of what does not come from the index, for candidates that are not ranked by the fitted
// model. Those of salience and recency move results of like relevance past each other and are
// small on purpose: an important record that is off the question must not win.
const (
	literalWeight  = 0.10 // added for the question's literal parts
	verbatimWeight = 2.00 // added where the question stands in the text word for word
	salienceShare  = 0.04
	recencyShare   = 0.02
	relevanceShare = 1 - salienceShare - recencyShare
	staleFactor    = 0.5 // of what was corrected or is no longer true
	metFactor      = 0.5 // of a relationship that says no more than that somebody was met
)

// Names of parts that are named elsewhere, too.
const literalPart, verbatimPart, encoderPart, versionPart = "literal", "verbatim", "encoder", "version"

// Part is what one measure contributes to the score of a result.
type Part struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// partNames are the names of the parts that come from an index, in the order of [contributions].
var partNames = [...]string{"lexical", "coverage", "soft", "bigrams", "synonyms", "vector", encoderPart, "neighbours", "session", "time"}

// contributions are what the measures of an index contribute to relevance, one for each of partNames.
type contributions [len(partNames)]float64

// contributionsOf returns the measures of a hit times their weights and the marks, over the scale; see
// [Weights]. when is set for a question that asks for a time.
func contributionsOf(h *index.Hit, w *Weights, when bool) contributions {
	mark := (1 + w.Short*h.Short) * (1 + w.Asking*h.Asking)
	if h.User {
		mark *= 1 + w.User
	}
	if h.Named {
		mark *= 1 + w.Named
	}
	if h.Others {
		mark *= 1 + w.Others
	}
	if h.Dated && when {
		mark *= 1 + w.Dated
	}
	mark /= w.Scale
	return contributions{
		w.Lexical * h.Lexical * mark,
		w.Coverage * h.Coverage * mark,
		w.Soft * h.Soft * mark,
		w.Bigrams * h.Bigrams * mark,
		w.Synonyms * h.Synonyms * mark,
		w.Vector * max(0, h.Vector) * mark,
		w.Encoder * likeSentence(h.Encoded) * mark,
		(w.Before*h.Before + w.After*h.After + w.Around*h.Around + w.Answers*h.Answers) * mark,
		(w.Session*h.Session + w.Theme*h.Theme + w.Best*h.Best + w.Next*h.Next) * mark,
		w.Time * h.Time * mark,
	}
}

// sum returns the relevance of a hit by the index alone.
func (c *contributions) sum() float64 {
	total := 0.0
	for _, x := range c {
		total += x
	}
	return total
}

// parts returns the contributions with their names.
func (c *contributions) parts() []Part {
	parts := make([]Part, len(c))
	for i, x := range c {
		parts[i] = Part{partNames[i], x}
	}
	return parts
}

func sum(parts []Part) float64 {
	total := 0.0
	for _, p := range parts {
		total += p.Value
	}
	return total
}

// fuse sets the score of a candidate to strength / (1 + strength). Strength (see [Why]) has no upper
// bound; this brings it into 0 to 1 without making two strengths equal.
func fuse(c *candidate) {
	strength := c.strength()
	c.score = strength / (1 + strength)
}

// factor is what the relevance is multiplied by for salience, recency and staleness, and if onlyMet;
// 1 if the fitted model has ranked the candidate.
func (c *candidate) factor() float64 {
	if c.fitted {
		return 1
	}
	f := relevanceShare + salienceShare*c.features.salience + recencyShare*c.recency
	if c.stale {
		f *= staleFactor
	}
	if c.onlyMet() {
		f *= metFactor
	}
	return f
}

// onlyMet reports whether a candidate is a relationship that arose by itself and says no more than that
// somebody was met.
func (c *candidate) onlyMet() bool {
	return c.Kind == memory.KindRelationship && c.Importance <= memory.MetImportance
}

// rank sorts candidates by score, the best first; of ties the earlier document comes first.
func rank(candidates []*candidate) {
	slices.SortFunc(candidates, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Document.Seq, b.Document.Seq))
	})
}

// strength is what the score is made of, 0 or more without an upper bound; see [Why].
func (c *candidate) strength() float64 {
	if c.fitted {
		return math.Exp(c.relevance)
	}
	return (c.relevance + literalWeight*c.literal + verbatimWeight*c.verbatim) * c.factor()
}

// add adds to the strength of a candidate that is not fitted, below 0 to take away, and to its part of
// that name.
func (c *candidate) add(name string, strength float64) {
	value := strength / c.factor()
	c.relevance += value
	if i := slices.IndexFunc(c.parts, func(p Part) bool { return p.Name == name }); i >= 0 {
		c.parts[i].Value += value
	} else {
		c.parts = append(c.parts, Part{name, value})
	}
	fuse(c)
}
