package recall

import (
	"cmp"
	"math"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

// Shares of the score that do not come from the text: they move results of
// like relevance past each other and are small on purpose. An important record
// that is off the question must not win.
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

// partNames are those of what an index measures, in the order of [contributions].
var partNames = [...]string{"lexical", "coverage", "soft", "bigrams", "synonyms", "vector", encoderPart, "neighbours", "session", "time"}

// contributions are what the measures of an index contribute to a score.
type contributions [len(partNames)]float64

// contributionsOf weighs an index's measures, marks multiplied in. when is set for a
// question that asks for a time.
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

func (c *contributions) sum() float64 {
	total := 0.0
	for _, x := range c {
		total += x
	}
	return total
}

// parts returns them with their names.
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

// fuse sets the score of a candidate. The strength, the sum of the parts times
// the factor, has no upper bound; the score brings it into 0 to 1 without
// making two strengths equal.
func fuse(c *candidate) {
	strength := c.strength()
	c.score = strength / (1 + strength)
}

// factor is what the relevance is multiplied by.
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

// onlyMet reports whether a candidate says no more than that somebody was met.
func (c *candidate) onlyMet() bool {
	return c.Kind == memory.KindRelationship && c.Importance <= memory.MetImportance
}

// rank orders candidates by score; ties go to the earlier document.
func rank(candidates []*candidate) {
	slices.SortFunc(candidates, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Document.Seq, b.Document.Seq))
	})
}

// strength is what the score is made of; see [Why].
func (c *candidate) strength() float64 {
	if c.fitted {
		return math.Exp(c.relevance)
	}
	return (c.relevance + literalWeight*c.literal + verbatimWeight*c.verbatim) * c.factor()
}

// add changes the strength of a candidate that is not fitted by so much, and says so in
// its parts.
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
