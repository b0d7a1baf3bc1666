package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"mcp-memory/recall"
)

// explained is a result of a recall that was asked to explain itself.
type explained struct {
	Content string
	Score   float64
	Tier    string
	Why     recall.Why
}

// explainTable draws why each result of a recall is where it is: a column for
// each part that any of them has.
func explainTable(w io.Writer, result json.RawMessage) error {
	var answer struct{ Results []explained }
	if err := json.Unmarshal(result, &answer); err != nil {
		return err
	}
	if len(answer.Results) == 0 {
		_, err := fmt.Fprintln(w, "Nothing relevant is remembered.")
		return err
	}
	var columns []string
	for _, name := range recall.PartNames() {
		if slices.ContainsFunc(answer.Results, func(r explained) bool { return r.Why.Part(name) != 0 }) {
			columns = append(columns, name)
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "#\tscore\tstrength\t= ("+strings.Join(columns, "\t+ ")+")\tx factor\ttier\tmatched\tcontent")
	for i, r := range answer.Results {
		fmt.Fprintf(table, "%d\t%.3f\t%.3f\t", i+1, r.Score, r.Why.Strength)
		for _, name := range columns {
			fmt.Fprintf(table, "%.3f\t", r.Why.Part(name))
		}
		fmt.Fprintf(table, "%.3f\t%s\t%s\t%s\n", r.Why.Factor, r.Tier, strings.Join(r.Why.MatchedTerms, " "), cut(r.Content, 60))
	}
	fmt.Fprintln(table, "score = strength / (1 + strength)")
	return table.Flush()
}

// cut shortens a text to one line of at most n characters.
func cut(s string, n int) string {
	line := []rune(strings.Join(strings.Fields(s), " "))
	if len(line) <= n {
		return string(line)
	}
	return string(line[:n-1]) + "…"
}
