package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
)

func (p *Program) statsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "stats", Short: "Count what the bank holds", Args: usageArgs(cobra.NoArgs)}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.answer(cmd, p.openExisting, func(a *app) (any, string, error) {
			stats, err := a.store.Stats(cmd.Context(), a.scope.Agent)
			text := statsText(p.screen(), stats, p.askedRow())
			return stats, text, err
		})
	}
	return cmd
}

// askedRow says how often a model was asked, nil if there is none.
func (p *Program) askedRow() []string {
	if text, _ := p.askedText(); text != "" {
		return []string{"model", text}
	}
	return nil
}

func statsText(on screen.Screen, s memory.Stats, more ...[]string) string {
	rows := [][]string{
		{"agent", s.Agent},
		{"memories", fmt.Sprintf("%d live, %d archived, %d replaced by newer ones", s.Records, s.Archived, s.Superseded)},
		{"conversations", counted(s.Turns, "message", "messages") + " in " + counted(s.Sessions, "conversation", "conversations")},
		{"kinds", counts(s.ByKind)},
		{"categories", counts(s.ByCategory)},
		{"projects", counts(s.ByProject)},
		{"vectors", fmt.Sprintf("%d by %s, %d waiting%s", s.Vectors, s.Embedder, s.VectorsQueued, progress(s))},
	}
	if s.Encoded+s.EncoderQueued > 0 {
		rows = append(rows, []string{"sentences",
			fmt.Sprintf("%d encoded, %d waiting%s", s.Encoded, s.EncoderQueued, done(s.Encoded, s.EncoderQueued, ""))})
	}
	rows = append(rows, []string{"database", fmt.Sprintf("%s, schema %d", memory.DatabaseSize(s.DatabaseBytes), s.SchemaVersion)})
	if s.ErasePending {
		rows = append(rows, []string{"erased", "remains are still being taken out of the files"})
	}
	for _, row := range more {
		if row != nil {
			rows = append(rows, row)
		}
	}
	return on.Table(rows)
}

// progress returns the progress of embedding while vectors are missing.
func progress(s memory.Stats) string {
	failed := ""
	if s.VectorsFailed > 0 {
		failed = fmt.Sprintf(", %d failed so far and tried again", s.VectorsFailed)
	}
	return done(s.Vectors, s.VectorsQueued, failed)
}

// done returns the percentage that is made, "" if nothing is queued.
func done(made, queued int, more string) string {
	if queued == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d %% done%s)", 100*made/(made+queued), more)
}

func counts(m map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		shown := name
		if shown == "" {
			shown = "(none)"
		}
		parts = append(parts, fmt.Sprintf("%s %d", shown, m[name]))
	}
	return strings.Join(parts, ", ")
}
