package sqlite

import (
	"context"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

var jobColumns = strings.Join(rows.JobColumns, ", ")

// Job implements [memory.Working].
func (t *tx) Job(kind, subject string) (*memory.Job, error) {
	return queryOne(t.ctx, t.tx, rows.ScanJob, `SELECT `+jobColumns+` FROM jobs WHERE agent = ? AND kind = ? AND subject = ?`,
		t.agent, kind, subject)
}

// PutJob implements [memory.Working].
func (t *tx) PutJob(j memory.Job) error {
	if err := t.checkAgent("job", j.Agent); err != nil {
		return err
	}
	return t.replace("jobs", rows.JobColumns, rows.JobValues(j))
}

// DeleteJob implements [memory.Working].
func (t *tx) DeleteJob(kind, subject string) error {
	return t.exec(`DELETE FROM jobs WHERE agent = ? AND kind = ? AND subject = ?`, t.agent, kind, subject)
}

// Jobs implements [memory.WorkingReader]. The jobs of all agents are found by
// walking the table, which holds only what is not finished.
func (s *Store) Jobs(ctx context.Context, agent, kind string) ([]memory.Job, error) {
	condition, args := `kind = ?`, []any{kind}
	if agent != "" {
		condition, args = `agent = ? AND kind = ?`, []any{agent, kind}
	}
	jobs, err := queryAll(ctx, s.read, rows.ScanJob, `SELECT `+jobColumns+` FROM jobs WHERE `+condition+` ORDER BY created_at, agent, subject`, args...)
	return jobs, explain(err)
}
