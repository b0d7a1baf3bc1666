package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mcp-memory/recall"
)

// pairExample is a pair of records that are candidates of a question, with what is needed to judge
// the effect of linking them as versions.
type pairExample struct {
	example
	question int  // in samples
	first    bool // the older is the first result
	many     bool
	texts    [2]string // of the older and the newer record
}

// fitPairs fits the signs that the newer of two records is a later version of what the older says.
// For a question about now, a pair of its answer and a record that this replaced is a pair of
// versions. A pair of its answer and anything newer is none. Any other pair counts as versions only
// if a question of the bank says so.
func fitPairs(out io.Writer, samples []sample, without []string) fittedModel {
	names := recall.PairSigns()
	var columns []int
	for i, n := range names {
		if !slices.Contains(without, n) {
			columns = append(columns, i)
		}
	}
	m := fittedModel{names: []string{"bias"}}
	for _, c := range columns {
		m.names = append(m.names, names[c])
	}
	for _, byWords := range []bool{false, true} {
		examples := pairExamples(samples, columns, byWords)
		for side, sign := range recall.SentenceSigns {
			if k := slices.Index(m.names, sign) - 1; k >= 0 && !byWords {
				crossSentences(examples, side, k)
			}
		}
		chances := make([]float64, len(examples))
		for _, many := range []bool{false, true} {
			m.add(pairsOf(examples, many, chances))
		}
		heading(out, byWords)
		reportPairs(out, samples, examples, chances)
	}
	m.print(out)
	return m
}

// pairsOf fits the pairs whose field many is as given. It stores the probability of each in
// chances, by a model that was fitted without the pair's set.
func pairsOf(examples []pairExample, many bool, chances []float64) []float64 {
	counts := map[string]float64{}
	for _, e := range examples {
		counts[family(e.set)]++
	}
	var some []example
	for i, e := range examples {
		examples[i].weight = 30 / math.Sqrt(counts[family(e.set)])
		if e.many == many {
			some = append(some, examples[i].example)
		}
	}
	for f := range counts {
		w := logistic(slices.DeleteFunc(slices.Clone(some), func(e example) bool { return family(e.set) == f }), 1)
		for i, e := range examples {
			if e.many == many && family(e.set) == f {
				chances[i] = 1 / (1 + math.Exp(-w[0]-dot(w[1:], e.values)))
			}
		}
	}
	return logistic(some, 1)
}

// pairExamples returns the pairs whose ByWords is as given: false if both records have a sentence
// vector, true if not.
func pairExamples(samples []sample, columns []int, byWords bool) (examples []pairExample) {
	type key struct{ set, bank, older, newer string }
	known := map[key]bool{}
	for _, s := range samples {
		for _, older := range s.Stales {
			for _, newer := range s.Golds {
				known[key{s.Set, s.Bank, older, newer}] = true
				if s.Category == "past" { // here the golds are the older ones
					known[key{s.Set, s.Bank, newer, older}] = true
				}
			}
			for _, newer := range s.Stales {
				known[key{s.Set, s.Bank, older, newer}] = true
			}
		}
	}
	for i, s := range samples {
		facts, texts := map[string]string{}, map[string]string{}
		for _, c := range s.Candidates {
			facts[c.ID], texts[c.ID] = c.Fact, c.Content
		}
		for _, p := range s.Pairs {
			if p.ByWords != byWords {
				continue
			}
			older, newer := facts[p.Older], facts[p.Newer]
			isVersion := known[key{s.Set, s.Bank, older, newer}]
			if s.Category == "past" && !isVersion && slices.Contains(s.Golds, older) {
				continue // a later version of it may exist that the question does not name
			}
			if s.Category != "past" {
				if slices.Contains(s.Golds, older) {
					isVersion = false // it is the current answer, so nothing newer replaces it
				} else if !isVersion && slices.Contains(s.Golds, newer) {
					continue // the pair may be versions, and linking it does no harm
				}
			}
			e := pairExample{question: i, first: p.Places[0] == 0, many: p.Many, texts: [2]string{texts[p.Older], texts[p.Newer]}}
			e.set, e.right = s.Set, isVersion
			for _, c := range columns {
				e.values = append(e.values, p.Signs[c])
			}
			examples = append(examples, e)
		}
	}
	return examples
}

// reportPairs prints, for several bounds on the probability, the precision and recall of linking
// the pairs above it. It also counts the questions about now whose first result would be replaced
// by the newer record of such a pair: won if the first result is wrong and the pair are versions,
// lost if it is right and they are not.
func reportPairs(out io.Writer, samples []sample, examples []pairExample, chances []float64) {
	fmt.Fprintf(out, "%6s %9s %7s   %s\n", "from", "precision", "recall", "moved first: won / lost, all and of few, many")
	for _, from := range []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95} {
		linked, right, versions := 0.0, 0.0, 0.0
		for i, e := range examples {
			linked += one(chances[i] >= from)
			right += one(chances[i] >= from && e.right)
			versions += one(e.right)
		}
		fmt.Fprintf(out, "%6.2f %9.3f %7.3f  ", from, right/max(1, linked), right/versions)
		rows := map[string]*[2]int{"all": {}, "few": {}, "many": {}}
		best := map[int]int{} // by question, the likeliest pair whose older record is the first result
		for i, e := range examples {
			if e.first && chances[i] >= from {
				if k, ok := best[e.question]; !ok || chances[i] > chances[k] {
					best[e.question] = i
				}
			}
		}
		for q, i := range best {
			s := samples[q]
			if s.Category == "past" || s.broad() || len(s.Golds) == 0 {
				continue
			}
			size := "few"
			if len(s.Candidates) > 20 {
				size = "many"
			}
			first := firstOf(s)
			won := examples[i].right && !first
			lost := !examples[i].right && first
			for _, row := range []string{"all", size} {
				rows[row][0] += int(one(won))
				rows[row][1] += int(one(lost))
			}
		}
		for _, row := range []string{"all", "few", "many"} {
			fmt.Fprintf(out, "  %s %d/%d", row, rows[row][0], rows[row][1])
		}
		fmt.Fprintln(out)
	}
}

// firstOf reports whether the most relevant candidate of a sample is right; false if it is in no
// pair.
func firstOf(s sample) bool {
	for _, p := range s.Pairs {
		for side, id := range []string{p.Older, p.Newer} {
			if p.Places[side] == 0 {
				return slices.ContainsFunc(s.Candidates, func(c candidate) bool { return c.ID == id && c.Gold })
			}
		}
	}
	return false
}

// silentWeight is the factor by which the sets "confidence" count more than others. They have many
// questions that nothing answers, which users ask too, but few other sets have.
const silentWeight = 3

// fitCertainty fits the probability that the first result is right, with sentence vectors and
// without.
func fitCertainty(out io.Writer, samples []sample, without []string) fittedModel {
	names := recall.CertaintySigns()
	m := fittedModel{names: []string{"bias"}}
	var columns []int
	for i, n := range names {
		if !slices.Contains(without, n) {
			columns, m.names = append(columns, i), append(m.names, n)
		}
	}
	for _, words := range []bool{false, true} {
		heading(out, words)
		m.add(certaintyOf(out, of(samples, words), columns))
	}
	m.print(out)
	return m
}

// certaintyOf fits the certainty for some samples and reports it.
func certaintyOf(out io.Writer, samples []sample, columns []int) []float64 {
	var examples []example
	counts := map[string]float64{}
	for _, s := range samples {
		if s.Certainty == nil || s.broad() ||
			s.Among && !strings.HasSuffix(family(s.Set), "confidence") {
			continue
		}
		e := example{set: s.Set, right: s.First == 1}
		for _, c := range columns {
			e.values = append(e.values, s.Certainty[c])
		}
		examples = append(examples, e)
		counts[family(s.Set)]++
	}
	for i := range examples {
		examples[i].weight = 10 / math.Sqrt(counts[family(examples[i].set)])
		if strings.HasSuffix(family(examples[i].set), "confidence") {
			examples[i].weight *= silentWeight
		}
	}
	chances := make([]float64, len(examples))
	for f := range counts {
		w := logistic(slices.DeleteFunc(slices.Clone(examples), func(e example) bool { return family(e.set) == f }), 1)
		for i, e := range examples {
			if family(e.set) == f {
				chances[i] = 1 / (1 + math.Exp(-w[0]-dot(w[1:], e.values)))
			}
		}
	}
	reportCertainty(out, examples, chances)
	return logistic(examples, 1)
}

func reportCertainty(out io.Writer, examples []example, chances []float64) {
	bounds := []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.01}
	fmt.Fprintf(out, "%12s %6s %7s %10s\n", "chance", "n", "right", "from here")
	for b := range bounds[:len(bounds)-1] {
		n, right, above, aboveRight := 0.0, 0.0, 0.0, 0.0
		for i, e := range examples {
			if chances[i] >= bounds[b] {
				above++
				aboveRight += one(e.right)
				if chances[i] < bounds[b+1] {
					n++
					right += one(e.right)
				}
			}
		}
		fmt.Fprintf(out, "%5.2f–%-5.2f %6.0f %7.1f %10.1f\n", bounds[b], min(1, bounds[b+1]), n, 100*right/max(1, n),
			100*aboveRight/max(1, above))
	}
	type row struct{ high, highRight, medium, mediumRight, n float64 }
	rows := map[string]*row{}
	var names []string
	for i, e := range examples {
		r := rows[e.set]
		if r == nil {
			r = &row{}
			rows[e.set], names = r, append(names, e.set)
		}
		r.n++
		switch recall.LevelOf(chances[i]) {
		case recall.High:
			r.high++
			r.highRight += one(e.right)
		case recall.Medium:
			r.medium++
			r.mediumRight += one(e.right)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(a, b) })
	for _, n := range names {
		r := rows[n]
		fmt.Fprintf(out, "%-44s %5.0f  high %4.0f %5.1f  medium %4.0f %5.1f\n", strings.TrimPrefix(n, "eval/"), r.n, r.high,
			100*r.highRight/max(1, r.high), r.medium, 100*r.mediumRight/max(1, r.medium))
	}
}
