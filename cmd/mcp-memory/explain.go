package main

import (
	"fmt"
	"strings"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/render"
)

// explainText explains the rank of each result of a recall: in a sentence, and below it the parts
// of its score.
func explainText(s screen.Screen, results []recall.Result) string {
	blocks := make([]screen.Block, len(results))
	for i, r := range results {
		b := screen.Block{Text: fmt.Sprintf("%d. %s", i+1, visible(memory.OneLine(r.Content, 200))),
			Below: []string{visible(render.Because(r, i+1))}}
		if r.Why != nil {
			for _, reason := range render.Reasons(*r.Why) {
				b.Below = append(b.Below, fmt.Sprintf("%+6.2f  %s", reason.Value, reason.Name))
			}
		}
		b.Below = append(b.Below, fmt.Sprintf(" %5.2f  score", r.Score))
		blocks[i] = b
	}
	how := "The lines of a memory add up to log-odds, whose probability is the score; those of a message or a file to a weighted sum."
	return s.Show(blocks) + "\n\n" + s.In(screen.Dim, strings.Join(s.Wrap(how), "\n"))
}
