package recall

import (
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// scored is a candidate with a strength, said so many days after the first.
func scored(id, content string, strength float64, days int) *candidate {
	c := made(id, memory.Memories, memory.KindFact, content)
	c.OccurredAt = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC).AddDate(0, 0, days)
	c.parts = []Part{{"lexical", strength}}
	c.relevance = strength
	fuse(c)
	return c
}

func about(text string) *question {
	return &question{Request: Request{Query: text}, asks: slots.Ask(text, slots.Options{})}
}

func ids(list []*candidate) (all []string) {
	for _, c := range list {
		all = append(all, c.ID)
	}
	return all
}
