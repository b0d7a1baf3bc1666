package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Jobs implements [memory.WorkingReader]. The jobs of all agents are found by
// walking the table, which holds only what is not finished.
func (s *Store) Jobs(ctx context.Context, agent, kind string) ([]memory.Job, error) {
	condition, args := `kind = ?`, []any{kind}
	if agent != "" {
		condition, args = `agent = ? AND kind = ?`, []any{agent, kind}
	}
	jobs, err := queryAll(ctx, s.read, rows.ScanJob,
		`SELECT `+rows.JobColumns+` FROM jobs WHERE `+condition+` ORDER BY created_at, agent, subject`, args...)
	return jobs, explain(err)
}
