package sqlite

import (
	"context"
	"errors"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Verify checks a database that nobody uses, such as a backup, and returns the number of rows of
// its main tables. [memory.CodeUnavailable] if it cannot be checked or is damaged. Single documents
// whose content does not fit their checksum are not an error: a copy with such a document is better
// than none, and no repair could restore it.
func Verify(ctx context.Context, path string) (counts map[string]int, err error) {
	e := examine(ctx, path)
	if e.failed != nil {
		return nil, e.failed
	}
	for _, f := range e.findings {
		if f.Condition == memory.ConditionBroken && f.Check != contentsCheck {
			return nil, memory.Errorf(memory.CodeUnavailable, "the database is damaged: %s: %s", f.Check, f.Detail).WithHint("%s", f.Advice)
		}
	}
	db, err := openToRead(ctx, path, time.Second, "mode=ro")
	if err != nil {
		return nil, explain(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	counts = map[string]int{}
	for _, table := range []string{"banks", "records", "turns", "sessions", "todos", "calendar_events", "links", "tokens"} {
		var n int
		if err := db.QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&n); err != nil {
			return nil, explain(err)
		}
		counts[table] = n
	}
	return counts, nil
}

// Owners returns the agents that have a bank in a database, which is only read.
func Owners(ctx context.Context, path string) (agents []string, err error) {
	db, err := openToRead(ctx, path, time.Second, "mode=ro")
	if err != nil {
		return nil, explain(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	agents, err = queryAll(ctx, db, rows.ScanText, `SELECT agent FROM banks ORDER BY agent`)
	return agents, explain(err)
}
