package recall

import "slices"

// Trace is given what an answer was made of, to fit the weights of recall by.
type Trace struct {
	Relevance func([]Measured)
	Pairs     func([]Pair)
	Certainty func([]float64) // in the order of [CertaintySigns]
}

// Measured is a candidate with its features.
type Measured struct {
	ID       string
	Former   bool      // tells itself what was before what the question names
	Features []float64 // in the order of [RelevanceFeatures]
}

// Feature is a named measure of a candidate beside the others, 0 to about 1. How much
// it counts is fitted (eval/fit) and stands in relevance.txt.
type Feature struct {
	Name string
	Sign int // 1 speaks for a candidate, -1 against it, 0 either: the weight may be nothing else
	of   func(e *evidence) float64
}

// relevanceFeatures are what relevance is made of: what the index found, what it means,
// which words stand where, when it was, and whether it tells the kind of thing that is
// asked for. eval/results/tried.md has what each is worth.
var relevanceFeatures = []Feature{
	{"gathered_best", 1, func(e *evidence) float64 { return ratio(e.gathered, e.pool.gathered) }},
	{"soft_best", 1, func(e *evidence) float64 { return ratio(e.Soft, e.pool.soft) }},
	{"bigrams", 1, func(e *evidence) float64 { return e.Bigrams }},
	{"synonyms_missing", 1, func(e *evidence) float64 { return e.Synonyms * e.pool.missing }},
	{"sentence", 1, func(e *evidence) float64 { return e.encoded() }},
	{"sentence_best_known", 1, func(e *evidence) float64 { return min(1, ratio(e.encoded(), e.pool.encoded)) * e.pool.known }},
	{"joined", 1, func(e *evidence) float64 { return e.joined }},
	{"words", 1, func(e *evidence) float64 { return e.words }},
	{"prefix_unknown", 1, func(e *evidence) float64 { return e.prefix * (1 - e.pool.known) }},
	{"numbers_missing", -1, func(e *evidence) float64 { return e.numbersMissing }},
	{"time", 1, func(e *evidence) float64 { return e.Time }},
	{"time_forth", 1, func(e *evidence) float64 { return e.inside * e.forth }},
	{"time_outside", -1, func(e *evidence) float64 { return e.outside }},
	{"latest_loose", 1, func(e *evidence) float64 { return e.latest.loose }},
	{"latest_one", 1, func(e *evidence) float64 { return e.latest.extreme }},
	{"first_one", 1, func(e *evidence) float64 { return e.earliest.extreme }},
	{"change_newer", 1, func(e *evidence) float64 { return e.change() * e.newer * (1 - e.pool.then) }},
	{"change_then", -1, func(e *evidence) float64 { return e.change() * e.pool.then }},
	{"older_then", 1, func(e *evidence) float64 { return e.olderThen() }},
	{"until_said", -1, func(e *evidence) float64 { return e.untilSaid * one(e.former == "") }},
	{"until_before", 1, func(e *evidence) float64 { return e.beforeEnd }},
	{"of_asked", 1, func(e *evidence) float64 { return e.ofAsked }},
	{"unmet", -1, func(e *evidence) float64 { return one(e.unmetKind) }},
}

// RelevanceFeatures returns the features of relevance, in order.
func RelevanceFeatures() []Feature { return slices.Clone(relevanceFeatures) }

func ratio(x, of float64) float64 {
	if of <= 0 {
		return 0
	}
	return max(0, x) / of
}

// weigh gives candidates their relevance: the sum of their features by weight, beside
// shares that are set and not fitted, since no set has them.
func (s *Service) weigh(q *question, list []*candidate, small bool) {
	var traced []Measured
	for _, e := range s.evidenceOf(q, list, small) {
		c, weights := e.candidate, s.models.relevance.of(e.pool.unread).weights
		c.evidence = e
		values := make([]float64, len(relevanceFeatures))
		parts := []Part{{saliencePart, salienceWeight * c.features.salience}}
		if c.verbatim > 0 {
			parts = append(parts, Part{verbatimPart, verbatimLift})
		}
		if e.saidOfAsked {
			parts = append(parts, Part{otherPart, -otherLoss})
		}
		if c.stale {
			parts = append(parts, Part{stalePart, -staleLoss})
		}
		if len(c.Matched) > 0 && c.rejected() && takenBeside(list, c) {
			parts = append(parts, Part{rejectedPart, -rejectedLoss})
		}
		if c.onlyMet() {
			parts = append(parts, Part{metPart, -metLoss})
		}
		for i, f := range relevanceFeatures {
			values[i] = f.of(e)
			if x := values[i] * weights[i]; x != 0 && !slices.Contains(s.without, f.Name) {
				parts = append(parts, Part{f.Name, x})
			}
		}
		c.parts, c.relevance, c.fitted = parts, sum(parts), true
		fuse(c)
		traced = append(traced, Measured{c.ID, e.former != "", values})
	}
	if q.Trace != nil && q.Trace.Relevance != nil {
		q.Trace.Relevance(traced)
	}
}

// takenBeside reports whether something that was not decided against has all the words of
// the question that a candidate has.
func takenBeside(list []*candidate, c *candidate) bool {
	return slices.ContainsFunc(list, func(o *candidate) bool {
		return len(o.Matched) >= len(c.Matched) && !o.rejected() &&
			!slices.ContainsFunc(c.Matched, func(stem string) bool { return !slices.Contains(o.Matched, stem) })
	})
}

// What is added to the relevance of a record for its salience, 0 to 1, where it has the
// question word for word, where it is no longer so, where it says no more than that
// somebody was met, where it was decided against while something else has all it has
// of the question, and where it says of somebody else what something says of whom it is asked.
const (
	salienceWeight     = 0.4
	verbatimLift       = 6.0
	staleLoss, metLoss = 2.0, 2.0
	rejectedLoss       = 4.0
	otherLoss          = 5.0
)

const saliencePart, stalePart, metPart, rejectedPart, otherPart = "salience", "stale", "met", "rejected", "other"

func relevanceNames() []string {
	names := make([]string, len(relevanceFeatures))
	for i, f := range relevanceFeatures {
		names[i] = f.Name
	}
	return names
}
