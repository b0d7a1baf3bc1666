package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"mcp-memory/recall"
)

// explainTable draws why each result of a recall is where it is.
func explainTable(w io.Writer, result json.RawMessage) error {
	var answer struct {
		Results []struct {
			Content string
			Score   float64
			Tier    string
			Why     recall.Why
		}
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return err
	}
	if len(answer.Results) == 0 {
		_, err := fmt.Fprintln(w, "Nothing relevant is remembered.")
		return err
	}
	columns := []string{"lexical", "coverage", "soft", "bigrams", "vector", "neighbours", "session", "time", "literal"}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "#\tscore\t=\t"+strings.Join(columns, "\t+ ")+"\tx factor\ttier\tmatched\tcontent")
	for i, r := range answer.Results {
		fmt.Fprintf(table, "%d\t%.3f\t\t", i+1, r.Score)
		for _, name := range columns {
			fmt.Fprintf(table, "%.3f\t", r.Why.Part(name))
		}
		fmt.Fprintf(table, "%.3f\t%s\t%s\t%s\n", r.Why.Factor, r.Tier, strings.Join(r.Why.MatchedTerms, " "), cut(r.Content, 60))
	}
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
