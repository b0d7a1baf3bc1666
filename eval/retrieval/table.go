package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"mcp-memory/eval/metrics"
)

// printReport prints the tables of one set, shares in percent.
func printReport(w io.Writer, r setReport) {
	what := "recall"
	if r.Baseline {
		what = "text index alone"
	}
	fmt.Fprintf(w, "%s (%s): %d cases, %d %ss, %d queries\n", r.Set, what, r.Cases, r.Items, r.Level, r.Queries)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	printScores(t, r.Level+"s", r.Scores)
	if r.Sessions != nil {
		printScores(t, "sessions", *r.Sessions)
	}
	t.Flush()
	if a := r.Scores.Abstention; a.Queries > 0 {
		fmt.Fprintf(w, "abstention: %.1f %% of %d answered with nothing above the floor\n", 100*a.Silent, a.Queries)
	}
	if r.Scores.Ungraded > 0 {
		fmt.Fprintf(w, "not graded, for they have no gold ids: %d\n", r.Scores.Ungraded)
	}
	printFloors(w, r.Floors)
	printSpread(w, r)
	if r.Latency != nil {
		fmt.Fprintf(w, "latency: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms\n", r.Latency.P50, r.Latency.P95, r.Latency.P99)
	}
	fmt.Fprintln(w)
}

func printScores(w io.Writer, level string, s metrics.Summary) {
	fmt.Fprintf(w, "%s\tn\tR@5\tR@10\tR@20\thit@1\thit@5\thit@10\tMRR\tnDCG@5\tnDCG@10\t\n", level)
	printRow(w, "all", s.All)
	printRow(w, "macro", s.Macro)
	for _, category := range slices.Sorted(maps.Keys(s.Categories)) {
		printRow(w, category, s.Categories[category])
	}
	if s.Adversarial.Queries > 0 {
		printRow(w, metrics.Adversarial, s.Adversarial)
	}
}

func printRow(w io.Writer, name string, s metrics.Scores) {
	fmt.Fprintf(w, "%s\t%d\t", name, s.Queries)
	for _, x := range []float64{s.Recall5, s.Recall10, s.Recall20, s.Hit1, s.Hit5, s.Hit10, s.MRR, s.NDCG5, s.NDCG10} {
		fmt.Fprintf(w, "%.1f\t", 100*x)
	}
	fmt.Fprintln(w)
}

func printSpread(w io.Writer, r setReport) {
	if r.Spread == nil {
		return
	}
	s := r.Spread
	fmt.Fprintf(w, "R@10 over %d cases: mean %.1f, min %.1f, max %.1f, standard deviation %.1f\n",
		s.Cases, 100*s.Mean, 100*s.Min, 100*s.Max, 100*s.Deviation)
	for _, c := range r.ByCase {
		fmt.Fprintf(w, "  %s %.1f\n", c.Case, 100*c.R10)
	}
}

// printBars prints every figure that has a bar beside it.
func printBars(w io.Writer, reports []setReport) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	header := false
	for _, r := range reports {
		for _, b := range r.Bars {
			if !header {
				fmt.Fprintln(t, "set\tfigure\tplain FTS5\tmeasured\tmust\t\taim\t")
				header = true
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%.1f\t%.0f\t%s\t%.0f\t%s\n", r.Set, b.Figure, percent(b.Plain), 100*b.Measured,
				100*b.Must, mark(b.PassMust), 100*b.Aim, mark(b.PassAim))
		}
	}
	t.Flush()
}

func percent(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", 100*x)
}

func mark(pass bool) string {
	if pass {
		return "pass"
	}
	return "FAIL"
}
