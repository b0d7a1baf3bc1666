package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mcp-memory/memory"
)

func (p *Program) statsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "stats", Short: "Count what the bank holds", Args: usageArgs(cobra.NoArgs)}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		a, err := p.openExisting(cmd.Context())
		if err != nil {
			return err
		}
		defer a.close()
		stats, err := a.store.Stats(cmd.Context(), a.scope.Agent)
		if err != nil {
			return err
		}
		result, err := json.Marshal(stats)
		if err != nil {
			return err
		}
		return p.print(cmd, result, statsText(stats))
	}
	return cmd
}

func statsText(s memory.Stats) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "agent\t%s\n", s.Agent)
	fmt.Fprintf(t, "records\t%d live, %d archived, %d superseded\n", s.Records, s.Archived, s.Superseded)
	fmt.Fprintf(t, "conversations\t%d turns in %d sessions\n", s.Turns, s.Sessions)
	fmt.Fprintf(t, "kinds\t%s\n", counts(s.ByKind))
	fmt.Fprintf(t, "categories\t%s\n", counts(s.ByCategory))
	fmt.Fprintf(t, "projects\t%s\n", counts(s.ByProject))
	fmt.Fprintf(t, "vectors\t%d by %s, %d queued%s\n", s.Vectors, s.Embedder, s.VectorsQueued, progress(s))
	if s.Encoded+s.EncoderQueued > 0 {
		fmt.Fprintf(t, "sentences\t%d encoded, %d queued%s\n", s.Encoded, s.EncoderQueued, done(s.Encoded, s.EncoderQueued, ""))
	}
	fmt.Fprintf(t, "database\t%.1f MiB, schema %d\n", float64(s.DatabaseBytes)/(1<<20), s.SchemaVersion)
	if s.ErasePending {
		fmt.Fprint(t, "erased\tremains are still being taken out of the files\n")
	}
	t.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// progress of embedding, while there is any.
func progress(s memory.Stats) string {
	failed := ""
	if s.VectorsFailed > 0 {
		failed = fmt.Sprintf(", %d failed so far and tried again", s.VectorsFailed)
	}
	return done(s.Vectors, s.VectorsQueued, failed)
}

// done is the share of what does not wait, empty where nothing waits.
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
