package main

import (
	"fmt"
	"io"
	"slices"

	"mcp-memory/recall"
)

// before is how often a pair counts that would put what is no answer before the
// answer.
const before = 3

// judgePairs keeps of each two records that an answer compared whether the newer is
// a later version of what the question asks for. Versions of what is not asked for
// are left out: to link them costs nothing.
func (t *tally) judgePairs(b *bank, q query, r reply, c bankCase) {
	for _, p := range r.pairs {
		older, newer := b.names[p.Older][0], b.names[p.Newer][0]
		versions := func(q query) bool { return len(q.Stale) > 0 && q.names(older) && q.names(newer) }
		one := sample{bank: c.Case, signs: p.Signs, right: versions(q), linked: p.Linked}
		times := 1
		switch {
		case one.right:
		case slices.ContainsFunc(c.Queries, versions):
			continue
		case slices.Contains(q.Gold, older):
			times = before
		}
		for range times {
			t.pairs = append(t.pairs, one)
		}
	}
}

// printPairs prints the weights that suit the pairs that are not held out.
func printPairs(w io.Writer, columns []column) {
	var all, held, alone []sample
	for _, c := range columns {
		if c.held {
			held = append(held, c.pairs...)
		} else {
			all = append(all, c.pairs...)
		}
	}
	if len(all) == 0 {
		return
	}
	for _, s := range all {
		s.signs = s.signs[:recall.SaidSigns]
		alone = append(alone, s)
	}
	l, said := fitted(all), fitted(alone)
	fmt.Fprintf(w, "\n%d pairs, area %.3f, by banks left out %.3f; by what they say alone %.3f, %.3f\n",
		len(all), areaOf(l, all), crossValidated(all), areaOf(said, alone), crossValidated(alone))
	printLinked(w, "fitted", all, l)
	printLinked(w, "held out", held, l)
	fmt.Fprintf(w, "bias %.2f %.2f\n", said[0], l[0])
	for i, name := range recall.PairSignNames() {
		x := 0.0
		if i < recall.SaidSigns {
			x = said[i+1]
		}
		fmt.Fprintf(w, "%s %.2f %.2f\n", name, x, l[i+1])
	}
}

// printLinked prints how many pairs the rules link, and the weights from some chances on.
func printLinked(w io.Writer, name string, pairs []sample, l logistic) {
	count := func(linked func(sample) bool) string {
		var right, hit, wrong int
		for _, s := range pairs {
			switch {
			case s.right && linked(s):
				hit++
				right++
			case s.right:
				right++
			case linked(s):
				wrong++
			}
		}
		return fmt.Sprintf("%d of %d, and %d of %d wrongly", hit, right, wrong, len(pairs)-right)
	}
	fmt.Fprintf(w, "%s:\n  by rules %s\n", name, count(func(s sample) bool { return s.linked }))
	for _, chance := range []float64{0.1, 0.2, 0.4, 0.6} {
		fmt.Fprintf(w, "  from %.1f %s\n", chance, count(func(s sample) bool { return l.chance(s.signs) >= chance }))
	}
}
