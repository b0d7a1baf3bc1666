package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// explained is a result of a recall that was asked to explain itself.
type explained struct {
	Content string
	Snippet string
	Score   float64
	Tier    string
	Why     recall.Why
}

// explainText says of each result of a recall why it is where it is: which parts its
// score has, the largest first, and by which words it was found.
func explainText(s screen.Screen, result json.RawMessage) (string, error) {
	var answer struct{ Results []explained }
	if err := json.Unmarshal(result, &answer); err != nil {
		return "", err
	}
	if len(answer.Results) == 0 {
		return "Nothing relevant is remembered.", nil
	}
	blocks := make([]screen.Block, len(answer.Results))
	for i, r := range answer.Results {
		text := r.Content
		if text == "" {
			text = r.Snippet
		}
		parts := slices.Clone(r.Why.Parts)
		slices.SortStableFunc(parts, func(a, b recall.Part) int { return cmp.Compare(b.Value, a.Value) })
		sum := []string{fmt.Sprintf("score %.3f", r.Score), fmt.Sprintf("strength %.3f", r.Why.Strength), fmt.Sprintf("factor %.3f", r.Why.Factor)}
		if r.Tier != "" {
			sum = append(sum, r.Tier)
		}
		for _, part := range parts {
			if part.Value != 0 {
				sum = append(sum, fmt.Sprintf("%s %.3f", part.Name, part.Value))
			}
		}
		if r.Why.MovedBy != "" {
			sum = append(sum, "moved with its versions, best "+visible(r.Why.MovedBy))
		}
		if len(r.Why.MatchedTerms) > 0 {
			sum = append(sum, "matched "+visible(strings.Join(r.Why.MatchedTerms, " ")))
		}
		blocks[i] = screen.Block{Text: fmt.Sprintf("%d. %s", i+1, visible(memory.OneLine(text, 200))), Notes: sum}
	}
	how := "strength of a memory = e to the power of the parts behind it together, of anything else factor × them; score = strength / (1 + strength)"
	return s.Show(blocks) + "\n\n" + s.In(screen.Dim, strings.Join(s.Wrap(how), "\n")), nil
}
