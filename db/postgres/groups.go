package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// asOperator runs fn in a transaction that sees every bank.
func asOperator(ctx context.Context, pool *pgxpool.Pool, fn func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, pool, func(t pgx.Tx) error {
		if _, err := t.Exec(ctx, nameAgent, everyone); err != nil {
			return err
		}
		return fn(t)
	})
}

// examineCounts compares what is counted of records with the records.
func examineCounts(ctx context.Context, pool *pgxpool.Pool) (f memory.Finding, err error) {
	var wrong int
	err = asOperator(ctx, pool, func(t pgx.Tx) error {
		return t.QueryRow(ctx, `SELECT count(*) FROM (`+rows.MiscountedSQL+`) y`).Scan(&wrong)
	})
	f = memory.Finding{Check: "counters", Condition: memory.ConditionOK, Detail: "they agree with what is there"}
	if wrong > 0 {
		f.Condition, f.Detail, f.Advice = memory.ConditionBroken, fmt.Sprintf("%d groups of records are not counted as they are", wrong), "mcp-memory doctor --repair counts them"
	}
	return f, err
}

// Recount counts records anew where they are not counted as they are, and returns how many
// groups that were.
func Recount(ctx context.Context, url string) (wrong int, err error) {
	pool, err := openPool(ctx, url, 1, nil)
	if err != nil {
		return 0, explain(err)
	}
	defer pool.Close()
	err = asOperator(ctx, pool, func(t pgx.Tx) error {
		// A write locks its bank first, so none is between its records and their counts.
		if _, err := t.Exec(ctx, `SELECT 1 FROM banks ORDER BY agent FOR UPDATE`); err != nil {
			return err
		}
		done, err := t.Exec(ctx, `INSERT INTO record_counts AS c (agent, project, kind, category, state, records)
			SELECT agent, project, kind, category, state, more::bigint FROM (`+rows.MiscountedSQL+`) y
			ON CONFLICT (agent, project, kind, category, state) DO UPDATE SET records = c.records + excluded.records`)
		if err != nil {
			return err
		}
		wrong = int(done.RowsAffected())
		_, err = t.Exec(ctx, `DELETE FROM record_counts WHERE records <= 0`)
		return err
	})
	return wrong, explain(err)
}

// writeGroups stores what the transaction has counted of records.
func (t *tx) writeGroups() error {
	counted := t.groups
	t.groups = nil
	return counted.Write(t.agent, t.Exec)
}
