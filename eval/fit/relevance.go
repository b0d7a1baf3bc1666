package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"

	"mcp-memory/recall"
)

// samplesOf reads a file of samples.
func samplesOf(path string) (samples []sample, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	for d.More() {
		var one sample
		if err := d.Decode(&one); err != nil {
			return nil, err
		}
		samples = append(samples, one)
	}
	return samples, nil
}

// family returns the name of the sets that are left out of a fit together: a set and its held half.
func family(set string) string { return strings.TrimSuffix(set, ".held") }

// rival reports whether a wrong candidate has to rank behind the right one by relevance. A stale
// one need not: the order of versions is decided by pairs. It has to if the question asks for the
// past, unless the candidate itself says what was before (Former).
func rival(s sample, c candidate) bool {
	return !c.Stale || s.Category == "past" && !c.Former
}

// broad reports whether a question asks for everything about something. Its answer is a list, which
// is not ranked by relevance.
func (s sample) broad() bool { return s.Category == "profile" || s.Category == "vague" }

// choicesOf returns the choices of the samples that have both right candidates and rivals, without
// broad questions. Questions of large families count less.
func choicesOf(samples []sample, columns []int) (choices []choice) {
	counts := map[string]float64{}
	for _, s := range samples {
		var golds, others [][]float64
		for _, c := range s.Candidates {
			row := make([]float64, len(columns))
			for j, k := range columns {
				row[j] = c.Features[k]
			}
			switch {
			case c.Gold:
				golds = append(golds, row)
			case rival(s, c):
				others = append(others, row)
			}
		}
		if len(golds) > 0 && len(others) > 0 && !s.broad() {
			choices = append(choices, choice{set: s.Set, rows: append(golds, others...), golds: len(golds)})
			counts[family(s.Set)]++
		}
	}
	for i := range choices {
		choices[i].weight = 1 / math.Sqrt(counts[family(choices[i].set)])
	}
	return choices
}

// familiesOf returns the families of the choices, sorted.
func familiesOf(choices []choice) (families []string) {
	for _, c := range choices {
		if f := family(c.set); !slices.Contains(families, f) {
			families = append(families, f)
		}
	}
	slices.Sort(families)
	return families
}

type tally struct{ n, first, five, gathered, today float64 }

// of returns the samples whose Words is as given.
func of(samples []sample, words bool) []sample {
	return slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return s.Words != words })
}

// heading prints a heading before the second model of a file.
func heading(out io.Writer, words bool) {
	if words {
		fmt.Fprintf(out, "\n## by words alone\n\n")
	}
}

// fitRelevance fits the weights of the features, with sentence vectors and without.
func fitRelevance(out io.Writer, samples []sample, without []string) fittedModel {
	all := recall.RelevanceFeatures()
	l := logit{penalty: 1e-4}
	var columns []int
	m := fittedModel{}
	for i, f := range all {
		if !slices.ContainsFunc(without, func(w string) bool { return w == f.Name }) {
			columns, l.signs, m.names = append(columns, i), append(l.signs, f.Sign), append(m.names, f.Name)
		}
	}
	for _, words := range []bool{false, true} {
		heading(out, words)
		m.add(l.relevanceOf(out, of(samples, words), columns))
	}
	m.print(out)
	return m
}

// relevanceOf fits the relevance of some samples, and reports for each set how well it is ranked by
// weights that were fitted without its family.
func (l *logit) relevanceOf(out io.Writer, samples []sample, columns []int) []float64 {
	choices := choicesOf(samples, columns)
	families := familiesOf(choices)
	fitted := make([][]float64, len(families))
	whole := l.fit(choices, nil)
	var wait sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i, f := range families {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			rest := slices.DeleteFunc(slices.Clone(choices), func(c choice) bool { return family(c.set) == f })
			fitted[i] = l.fit(rest, whole)
		})
	}
	wait.Wait()
	tallies := map[string]*tally{}
	for _, s := range samples {
		k := slices.Index(families, family(s.Set))
		if k < 0 || !s.Answerable || s.broad() {
			continue
		}
		t := tallies[s.Set+" "+rowOf(s)]
		if t == nil {
			t = &tally{}
			tallies[s.Set+" "+rowOf(s)] = t
		}
		t.n++
		t.today += float64(s.First)
		t.gathered += one(place(s, func(c candidate) float64 { return c.Features[0] }) == 1)
		at := place(s, func(c candidate) float64 {
			score := 0.0
			for j, col := range columns {
				score += fitted[k][j] * c.Features[col]
			}
			return score
		})
		t.first += one(at == 1)
		t.five += one(at <= 5)
	}
	names := make([]string, 0, len(tallies))
	for n := range tallies {
		names = append(names, n)
	}
	slices.Sort(names)
	var mean tally
	rows := 0.0
	fmt.Fprintf(out, "%-60s %5s %8s %6s %6s %6s\n", "set", "n", "gathered", "today", "hit@1", "hit@5")
	for _, n := range names {
		t := tallies[n]
		fmt.Fprintf(out, "%-60s %5.0f %8.1f %6.1f %6.1f %6.1f\n", n, t.n, 100*t.gathered/t.n, 100*t.today/t.n, 100*t.first/t.n,
			100*t.five/t.n)
		if t.n >= 15 && relevanceAlone(n) {
			rows++
			mean.first += t.first / t.n
			mean.five += t.five / t.n
			mean.gathered += t.gathered / t.n
			mean.today += t.today / t.n
		}
	}
	fmt.Fprintf(out, "mean of %.0f rows: gathered %.2f, today %.2f, left out %.2f / %.2f\n", rows, 100*mean.gathered/rows,
		100*mean.today/rows, 100*mean.first/rows, 100*mean.five/rows)
	return whole
}

// relevanceAlone reports whether the questions of a row are decided by relevance only, not by
// versions or lists.
func relevanceAlone(row string) bool {
	return !strings.Contains(row, "update") && !strings.HasSuffix(row, " past") && !strings.HasSuffix(row, " profile") &&
		!strings.HasSuffix(row, " vague")
}

func rowOf(s sample) string {
	if strings.Contains(s.Set, "bank") || strings.Contains(s.Set, "updates") || strings.Contains(s.Set, "small") ||
		strings.Contains(s.Set, "confidence") {
		return s.Category
	}
	return ""
}

// place returns the rank of the best right candidate of a sample, from 1, among its rivals by some
// score; 1000 if there is none.
func place(s sample, score func(candidate) float64) int {
	type scored struct {
		x    float64
		gold bool
	}
	var list []scored
	for _, c := range s.Candidates {
		if c.Gold || rival(s, c) {
			list = append(list, scored{score(c), c.Gold})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.x, a.x) })
	if i := slices.IndexFunc(list, func(s scored) bool { return s.gold }); i >= 0 {
		return i + 1
	}
	return 1000
}

func one(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}
