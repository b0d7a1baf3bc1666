package sqlite

import (
	"context"
	"database/sql"

	"mcp-memory/memory"
)

const jobColumns = `agent, kind, subject, id, step, data, attempts, not_before, created_at, updated_at, holder, held_until`

func scanJob(rows *sql.Rows) (j memory.Job, err error) {
	err = rows.Scan(&j.Agent, &j.Kind, &j.Subject, &j.ID, &j.Step, fromText(&j.Data), &j.Attempts, fromMicros(&j.NotBefore),
		fromMicros(&j.CreatedAt), fromMicros(&j.UpdatedAt), &j.Holder, fromMicros(&j.HeldUntil))
	return j, err
}

// Job implements [memory.Working].
func (t *tx) Job(kind, subject string) (*memory.Job, error) {
	return queryOne(t.ctx, t.tx, scanJob, `SELECT `+jobColumns+` FROM jobs WHERE agent = ? AND kind = ? AND subject = ?`,
		t.agent, kind, subject)
}

// PutJob implements [memory.Working].
func (t *tx) PutJob(j memory.Job) error {
	if err := t.checkAgent("job", j.Agent); err != nil {
		return err
	}
	return t.exec(`INSERT OR REPLACE INTO jobs (`+jobColumns+`) VALUES (`+placeholders(12)+`)`,
		j.Agent, j.Kind, j.Subject, j.ID, j.Step, text(j.Data), j.Attempts, micros(j.NotBefore), micros(j.CreatedAt), micros(j.UpdatedAt),
		j.Holder, micros(j.HeldUntil))
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
	jobs, err := queryAll(ctx, s.read, scanJob, `SELECT `+jobColumns+` FROM jobs WHERE `+condition+` ORDER BY created_at, agent, subject`, args...)
	return jobs, explain(err)
}
