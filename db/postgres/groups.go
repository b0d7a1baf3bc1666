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

// examineCounts compares the table record_counts with the records.
func examineCounts(ctx context.Context, pool *pgxpool.Pool) (f memory.Finding, err error) {
	var wrong int
	err = asOperator(ctx, pool, func(t pgx.Tx) error {
		return t.QueryRow(ctx, `SELECT count(*) FROM (`+rows.MiscountedSQL(``)+`) y`).Scan(&wrong)
	})
	f = memory.Finding{Check: "counters", Condition: memory.ConditionOK, Detail: "the counts agree with the rows"}
	if wrong > 0 {
		f.Condition, f.Detail, f.Advice = memory.ConditionBroken,
			fmt.Sprintf("%d groups of records are not counted as they are", wrong), "mcp-memory doctor --repair counts them"
	}
	return f, err
}

// Recount corrects the rows of record_counts that do not agree with the records, and returns how
// many there were. Each bank is corrected in a transaction of its own, so that writes to others do
// not wait. The tracer, unless nil, is told of every statement.
func Recount(ctx context.Context, url string, tracer pgx.QueryTracer) (wrong int, err error) {
	pool, err := openPool(ctx, url, 1, tracer)
	if err != nil {
		return 0, explain(err)
	}
	defer pool.Close()
	var agents []string
	err = asOperator(ctx, pool, func(t pgx.Tx) error {
		found, err := t.Query(ctx, `SELECT agent FROM banks ORDER BY agent COLLATE "C"`)
		if err == nil {
			agents, err = pgx.CollectRows(found, pgx.RowTo[string])
		}
		return err
	})
	for i := 0; err == nil && i < len(agents); i++ {
		var more int
		more, err = recount(ctx, pool, agents[i])
		wrong += more
	}
	return wrong, explain(err)
}

// recount is Recount of one bank.
func recount(ctx context.Context, pool *pgxpool.Pool, agent string) (wrong int, err error) {
	err = pgx.BeginFunc(ctx, pool, func(t pgx.Tx) error {
		if _, err := t.Exec(ctx, nameAgent, agent); err != nil {
			return err
		}
		// Whatever changes records or counts locks this row first, so none is half done now.
		if _, err := t.Exec(ctx, `SELECT 1 FROM banks WHERE agent = $1 FOR UPDATE`, agent); err != nil {
			return err
		}
		done, err := t.Exec(ctx, `INSERT INTO record_counts AS c (agent, project, kind, category, state, records)
			SELECT agent, project, kind, category, state, more::bigint FROM (`+rows.MiscountedSQL(`WHERE agent = $1`)+`) y
			ON CONFLICT (agent, project, kind, category, state) DO UPDATE SET records = c.records + excluded.records`, agent)
		if err != nil {
			return err
		}
		wrong = int(done.RowsAffected())
		_, err = t.Exec(ctx, `DELETE FROM record_counts WHERE agent = $1 AND records <= 0`, agent)
		return err
	})
	return wrong, err
}

// writeGroups adds the changes that the transaction has noted in t.groups to record_counts.
func (t *tx) writeGroups() error {
	counted := t.groups
	t.groups = nil
	return counted.Write(t.agent, t.Exec)
}
