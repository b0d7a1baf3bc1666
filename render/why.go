package render

import (
	"cmp"
	"slices"
	"strings"

	"mcp-memory/recall"
	"mcp-memory/text/analysis"
)

// Reason is a group of measures that speaks for or against a result.
type Reason struct {
	Name  string  // "keywords (BM25, phrases, spelling)"
	Value float64 // sum of its [recall.Why.Parts]; negative speaks against the result
}

// measure is a group of parts of the score. because is how Because says that it speaks for a
// result, and though that it speaks against it; "" if that is not said.
type measure struct {
	name, because, though string
	parts                 []string // names of [recall.Part]
}

// measures groups the parts of the score under terms of information retrieval. The first is the one
// that matched explains.
var measures = []measure{
	{"keywords (BM25, phrases, spelling)", "its words match", "it lacks what the question has",
		[]string{"gathered_best", "words", "joined", "bigrams", "prefix_unknown", "numbers_missing", "lexical", "coverage", "literal"}},
	{"the question word for word", "it has the question word for word", "", []string{"verbatim"}},
	{"meaning (sentence embeddings)", "it is close in meaning", "it is far in meaning",
		[]string{"sentence", "sentence_best_known", "vector", "encoder"}},
	{"synonyms and related words", "it has words of like meaning", "", []string{"soft_best", "soft", "synonyms_missing", "synonyms"}},
	{"time", "its time fits", "its time does not fit",
		[]string{"time", "time_forth", "time_outside", "latest_loose", "latest_one", "first_one", "change_newer", "change_then",
			"older_then", "until_said", "until_before"}},
	{"the kind of answer asked for", "it says the kind of thing that is asked for", "it does not say the kind of thing that is asked for",
		[]string{"of_asked", "unmet", "other", "met"}},
	{"the subject asked about", "it belongs to what is asked about", "", []string{"broad"}},
	{"the conversation around it", "what was said around it fits", "more was said elsewhere",
		[]string{"neighbours", "session", "overview"}},
	{"salience (importance, use and age)", "it is important, or often of use", "", []string{"salience"}},
	{"no longer true", "", "it no longer holds", []string{"stale"}},
	{"decided against", "", "it was decided against", []string{"rejected"}},
	{"versions of one fact", "the version that holds goes first", "a version that holds goes first", []string{"version"}},
	{calibration, "", "", []string{"certainty"}},
}

// calibration is the part that turns the score into a probability. It is the same for all results.
const calibration = "calibration (the same for all)"

// Reasons returns what a score is made of, largest value first. Values that round to 0.00 are left
// out.
func Reasons(w recall.Why) (reasons []Reason) {
	for _, m := range measures {
		total := 0.0
		for _, name := range m.parts {
			total += w.Part(name)
		}
		if total > -0.005 && total < 0.005 {
			continue
		}
		reasons = append(reasons, Reason{m.name, total})
	}
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(b.Value, a.Value) })
	return reasons
}

// A reason is told if the size of its value, whatever its sign, is at least the share told of
// everything that speaks for the result, and at least atAll. Smaller values are found for every
// memory and explain nothing.
const told, atAll = 0.2, 0.25

// Because says in one sentence why a result has its rank, place, counted from 1. "" if the recall
// was not asked to explain.
func Because(r recall.Result, place int) string {
	sentence := "Here because "
	if place == 1 {
		sentence = "First because "
	}
	if r.Why == nil {
		return ""
	}
	var because, though []string
	reasons, all := Reasons(*r.Why), 0.0
	for _, one := range reasons {
		if one.Name != calibration {
			all += max(0, one.Value)
		}
	}
	for _, one := range reasons {
		i := slices.IndexFunc(measures, func(m measure) bool { return m.name == one.Name })
		m := measures[i]
		switch {
		case one.Value >= max(atAll, told*all) && len(because) < 2 && m.because != "":
			because = append(because, m.because+matched(r, m.name))
		case one.Value <= -max(atAll, told*all) && m.though != "":
			though = append(though, m.though)
		}
	}
	if len(because) == 0 {
		because = []string{"nothing else is nearer"}
	}
	sentence += strings.Join(because, " and ")
	if len(though) > 0 {
		sentence += ", though " + strings.Join(though, " and ")
	}
	return sentence + "."
}

// matched lists up to five words that result and question share. It is "" unless name is that of
// the keywords.
func matched(r recall.Result, name string) string {
	if name != measures[0].name {
		return ""
	}
	stems, words := analysis.ContentWords(r.Content)
	var found []string
	for i, stem := range stems {
		if i < len(words) && slices.Contains(r.Why.MatchedTerms, stem) && !slices.Contains(found, words[i]) {
			found = append(found, words[i])
		}
	}
	if len(found) == 0 {
		return ""
	}
	return " (" + strings.Join(found[:min(5, len(found))], ", ") + ")"
}
