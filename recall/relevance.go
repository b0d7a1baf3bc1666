package recall

import (
	"slices"
	"strings"

	"mcp-memory/text/slots"
)

// Trace is given what an answer was made of, to fit the weights of recall by.
type Trace struct {
	Relevance func([]Measured)
	Pairs     func([]Pair)
	Certainty func([]float64) // in the order of [CertaintySigns]
}

// Measured is a candidate with its features.
type Measured struct {
	ID       string
	Features []float64 // in the order of [RelevanceFeatures]
}

// Feature is a named measure of a candidate beside the others, 0 to about 1. How much
// it counts is fitted (eval/fit) and stands in relevance.txt.
type Feature struct {
	Name string
	Sign int // 1 speaks for a candidate, -1 against it, 0 either: the weight may be nothing else
	of   func(e *evidence) float64
}

// features are what relevance is made of. What one says alone and what it says where
// words found little, or where a time is asked for, are rows of their own: one weight
// cannot tell.
var relevanceFeatures = []Feature{
	// What the index gathered it by.
	{"gathered_best", 1, func(e *evidence) float64 { return ratio(e.gathered, e.pool.gathered) }},
	{"gathered_technical", 1, func(e *evidence) float64 { return ratio(e.gathered, e.pool.gathered) * e.pool.technical }},
	{"soft", 1, func(e *evidence) float64 { return e.Soft }},
	{"soft_best", 1, func(e *evidence) float64 { return ratio(e.Soft, e.pool.soft) }},
	{"bigrams", 1, func(e *evidence) float64 { return e.Bigrams }},
	{"synonyms", 1, func(e *evidence) float64 { return e.Synonyms }},
	{"synonyms_missing", 1, func(e *evidence) float64 { return e.Synonyms * e.pool.missing }},
	{"neighbours", 1, func(e *evidence) float64 { return (e.Before + e.After + e.Around) / 3 }},
	// Meaning.
	{"encoder", 1, func(e *evidence) float64 { return e.encoded() }},
	{"encoder_known", 1, func(e *evidence) float64 { return e.encoded() * square(e.pool.known) }},
	{"encoder_best", 1, func(e *evidence) float64 { return ratio(e.encoded(), e.pool.encoded) }},
	{"encoder_technical", -1, func(e *evidence) float64 { return e.encoded() * e.pool.technical }},
	// Words beside words.
	{"least", 1, func(e *evidence) float64 { return e.least }},
	{"back_missing", 1, func(e *evidence) float64 { return e.back * e.pool.missing }},
	{"joined", 1, func(e *evidence) float64 { return e.joined }},
	{"words", 1, func(e *evidence) float64 { return e.words }},
	{"prefix_unknown", 1, func(e *evidence) float64 { return e.prefix * (1 - e.pool.known) }},
	{"first_word", 1, func(e *evidence) float64 { return e.firstWord }},
	{"numbers_missing", -1, func(e *evidence) float64 { return e.numbersMissing }},
	{"length", 1, func(e *evidence) float64 { return min(1, float64(e.length)/40) }},
	// Time.
	{"time", 1, func(e *evidence) float64 { return e.Time }},
	{"time_forth", 1, func(e *evidence) float64 { return e.inside * e.forth }},
	{"time_said", 1, func(e *evidence) float64 { return e.timeSaid }},
	{"time_outside", -1, func(e *evidence) float64 { return e.outside }},
	{"latest_loose", 1, func(e *evidence) float64 { return e.latest.loose }},
	{"latest_one", 1, func(e *evidence) float64 { return e.latest.extreme }},
	{"first_one", 1, func(e *evidence) float64 { return e.earliest.extreme }},
	{"recency", 1, func(e *evidence) float64 { return e.recency }},
	{"change", 1, func(e *evidence) float64 { return e.change() * (1 - e.pool.then) }},
	{"change_newer", 1, func(e *evidence) float64 { return e.change() * e.newer * (1 - e.pool.then) }},
	{"change_then", -1, func(e *evidence) float64 { return e.change() * e.pool.then }},
	{"older_then", 1, func(e *evidence) float64 { return (1 - e.newer) * e.pool.then }},
	{"until_said", -1, func(e *evidence) float64 { return e.untilSaid }},
	{"until_before", 1, func(e *evidence) float64 { return e.beforeEnd }},
	// Whose it is, and of what kind.
	{"slot", 1, func(e *evidence) float64 { return one(e.fit() == slots.FitBoth) }},
	{"slot_maybe", 1, func(e *evidence) float64 { return one(e.fit() == slots.FitSlot) }},
	{"slot_other", -1, func(e *evidence) float64 { return one(e.readable && e.sense.other) }},
	{"owner_other", -1, func(e *evidence) float64 { return e.ownerOther }},
	{"self_missing", -1, func(e *evidence) float64 { return e.selfMissing }},
	{"kin_other", -1, func(e *evidence) float64 { return e.kinOther }},
	{"kin_instead", -1, func(e *evidence) float64 { return e.kinOther * e.kinMissing }},
	{"names_instead", -1, func(e *evidence) float64 { return e.namesInstead }},
	{"forbids", 1, func(e *evidence) float64 { return e.forbids }},
	{"number_unmet", -1, unmetOf(aNumber)},
	{"time_unmet", -1, func(e *evidence) float64 { return unmetOf(aTime)(e) * one(e.OccurredAt.IsZero()) }},
	{"time_unmet_dated", -1, func(e *evidence) float64 { return unmetOf(aTime)(e) * one(!e.OccurredAt.IsZero()) }},
	{"span_unmet", -1, unmetOf(aSpan)},
	{"hour_unmet", -1, unmetOf(anHour)},
	{"person_unmet", -1, unmetOf(aPerson)},
	{"place_unmet", -1, unmetOf(aPlace)},
	{"reason_unmet", -1, unmetOf(aReason)},
	{"rule_unmet", -1, unmetOf(aRule)},
	{"was", -1, func(e *evidence) float64 { return one(e.pool.q.asks.Tense == slots.Now && e.was) }},
	{"was_asked", 1, func(e *evidence) float64 { return one(e.pool.q.asks.Tense == slots.Then && e.was) }},
	{"question_itself", -1, func(e *evidence) float64 { return one(strings.HasSuffix(strings.TrimSpace(e.Content), "?")) }},
}

// RelevanceFeatures returns the features of relevance, in order.
func RelevanceFeatures() []Feature { return slices.Clone(relevanceFeatures) }

func unmetOf(kind wanted) func(*evidence) float64 {
	return func(e *evidence) float64 { return one(e.pool.want == kind && e.unmetKind) }
}

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
	weights := s.models.relevance.weights
	for _, e := range s.evidenceOf(q, list, small) {
		c := e.candidate
		c.evidence = e
		values := make([]float64, len(relevanceFeatures))
		parts := []Part{{saliencePart, salienceWeight * c.features.salience}}
		if c.verbatim > 0 {
			parts = append(parts, Part{verbatimPart, verbatimLift})
		}
		if e.readable && e.pool.filled && (c.sense.other || q.ofKin(c)) {
			parts = append(parts, Part{otherPart, -otherLoss})
		}
		if c.stale {
			parts = append(parts, Part{stalePart, -staleLoss})
		}
		if c.rejected() && takenBeside(list, c) {
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
		traced = append(traced, Measured{c.ID, values})
	}
	if q.Trace != nil && q.Trace.Relevance != nil {
		q.Trace.Relevance(traced)
	}
}

// takenBeside reports whether something that was not decided against has all the words of
// the question that a candidate has.
func takenBeside(list []*candidate, c *candidate) bool {
	return len(c.Matched) > 0 && slices.ContainsFunc(list, func(o *candidate) bool {
		return len(o.Matched) >= len(c.Matched) && !o.rejected() && !slices.ContainsFunc(c.Matched, func(stem string) bool { return !slices.Contains(o.Matched, stem) })
	})
}

// What is added to the relevance of a record for its salience, 0 to 1, where it has the question word for word, where it is no longer so, where it says no more
// than that somebody was met, and where it was decided
// against while something else has all it has of the question, or says of somebody else what
// something says of whom it is asked.
const (
	salienceWeight     = 0.4
	verbatimLift       = 6.0
	staleLoss, metLoss = 2.0, 2.0
	rejectedLoss       = 4.0
	otherLoss          = 2.0
)

const saliencePart, stalePart, metPart, rejectedPart, otherPart = "salience", "stale", "met", "rejected", "other"

func relevanceNames() []string {
	names := make([]string, len(relevanceFeatures))
	for i, f := range relevanceFeatures {
		names[i] = f.Name
	}
	return names
}
