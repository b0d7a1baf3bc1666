package main

import (
	"time"

	"mcp-memory/cmd/mcp-memory/screen"
)

// planShown is a to-do or an event in the time that a recall asked about.
type planShown struct {
	ID, Kind, Title, Project string
	At                       time.Time
	Done                     bool
}

func (p *Program) planBlocks(plans []planShown) (blocks []screen.Block) {
	for _, one := range plans {
		b := screen.Block{Text: visibleName(one.Title), Notes: []string{one.Kind}}
		when := "due "
		switch {
		case one.Kind == "event":
			when = ""
		case one.Done:
			when, b.Marks = "", []string{"done"}
		}
		if !one.At.IsZero() {
			b.Notes = append(b.Notes, when+p.local(one.At), p.age(one.At))
		}
		if one.Project != "" {
			b.Notes = append(b.Notes, visibleName(one.Project))
		}
		blocks = append(blocks, b)
	}
	return blocks
}
