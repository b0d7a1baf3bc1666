package recall

import "slices"

// Trace has functions that are called with what an answer was made of, to fit the weights of recall
// by (eval/fit). Each may be nil.
type Trace struct {
	Relevance func([]Measured)
	Pairs     func([]Pair)
	Certainty func([]float64) // in the order of [CertaintySigns]
}

// Measured is a candidate with its features.
type Measured struct {
	ID       string
	Former   bool      // says what was before: "I left Acme for Brightloom", to "before Brightloom?"
	Features []float64 // in the order of [RelevanceFeatures]
}

// Feature is a named measure of a candidate, often beside the others, 0 to about 1. Its weight
// is fitted (eval/fit) and stands in relevance.txt.
type Feature struct {
	Name string
	Sign int // bound of the weight: 1 for none below 0, -1 for none above 0, 0 for any
	of   func(e *evidence) float64
}

// relevanceFeatures are what relevance is made of: what the index found, what it means,
// which words stand where, when it was, and whether it tells the kind of thing that is
// asked for. eval/results/tried.md has what each is worth. Names: _best is relative to the best
// candidate's; _known and _unknown are times the share of the question's words that its vector
// knows, or does not; _missing is times the share of them that even the best candidate lacks (not
// so numbers_missing); _then is for questions about what was; until_ is about what ended the
// version that is asked for ("before Ghent"). The measures are explained in evidence and in
// package index at Hit.
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

// ratio returns x / of, 0 where either is not above 0.
func ratio(x, of float64) float64 {
	if of <= 0 {
		return 0
	}
	return max(0, x) / of
}

// weigh sets the relevance of candidates, a logit: the sum of their features by fitted weights and
// of constants (salienceWeight and those below it) that are set by hand, since no set of
// questions is there to fit them by.
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

// takenBeside reports whether a candidate that was not decided against has all the words of the
// question that c has: what was taken stands beside what was rejected.
func takenBeside(list []*candidate, c *candidate) bool {
	return slices.ContainsFunc(list, func(o *candidate) bool {
		return len(o.Matched) >= len(c.Matched) && !o.rejected() &&
			!slices.ContainsFunc(c.Matched, func(stem string) bool { return !slices.Contains(o.Matched, stem) })
	})
}

// Constants of weigh, in logits. Added: for salience (times 0 to 1), and where a record has the
// question word for word. Taken away: where it is no longer true (stale), where it says no more
// than that somebody was met (met), where it was decided against (see takenBeside), and where it
// says of somebody else what another record says of whom is asked about (other).
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
