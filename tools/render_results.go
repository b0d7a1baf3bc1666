package tools

import (
	"fmt"
	"strings"

	"mcp-memory/recall"
	"mcp-memory/render"
)

// words returns what renders results with the user's clock.
func (s Services) words() render.Words { return render.Words{Clock: s.Recall.Clock()} }

// passagesFor returns the function that shortens a content to the passage that fits the query.
func passagesFor(query string) func(content string) string {
	return func(content string) string { return passage(content, query) }
}

// resultsText renders an answer for hosts that show only text: a sentence on how sure it is, then
// the results as a numbered list.
func resultsText(answer recall.Answer, shown func(content string) string, words render.Words) string {
	return render.Verdict(answer.Confidence, len(answer.Results)) + "\n" + listText(answer.Results, shown, words)
}

func listText(results []recall.Result, shown func(content string) string, words render.Words) string {
	var b strings.Builder
	for i, r := range results {
		line := words.Result(r)
		notes := line.Facts()
		if line.ID != "" {
			notes = append(notes, "id "+line.ID)
		}
		for _, m := range line.Marks {
			notes = append(notes, m.String())
		}
		fmt.Fprintf(&b, "%d. %s [%s]\n", i+1, shown(r.Content), strings.Join(notes, ", "))
		var earlier []string
		for _, e := range line.Earlier {
			earlier = append(earlier, e.Text)
		}
		if len(earlier) > 0 {
			fmt.Fprintf(&b, "   earlier: %s\n", strings.Join(earlier, "; "))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
