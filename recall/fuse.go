package recall

import "slices"

// Weights of the fusion. The first four add up to 1 and make the relevance,
// which says how well the text fits; the others move results of like
// relevance past each other and add up to little on purpose: an important
// record that is off the question must not win.
const (
	weightLexical  = 0.46
	weightCoverage = 0.14
	weightLiteral  = 0.10
	weightVector   = 0.30

	weightSalience = 0.04 // share of the score that salience decides
	weightRecency  = 0.02
	weightCategory = 0.02 // being in one of the best categories
	staleFactor    = 0.5  // of what was corrected or is no longer true
)

// fuse sets the score of a candidate from its features.
func fuse(c *candidate) {
	relevance := weightLexical*c.lexical + weightCoverage*c.coverage + weightLiteral*c.literal + weightVector*c.vector
	inCategory := 0.0
	if c.tier == TierCategory {
		inCategory = 1
	}
	const free = 1 - weightSalience - weightRecency - weightCategory
	c.score = relevance * (free + weightSalience*c.features.salience + weightRecency*c.recency + weightCategory*inCategory)
	if c.stale {
		c.score *= staleFactor
	}
}

// rank orders candidates by score; ties go to the earlier document.
func rank(candidates []*candidate) {
	slices.SortFunc(candidates, func(a, b *candidate) int {
		switch {
		case a.score != b.score:
			if a.score > b.score {
				return -1
			}
			return 1
		case a.Seq < b.Seq:
			return -1
		case a.Seq > b.Seq:
			return 1
		}
		return 0
	})
}
