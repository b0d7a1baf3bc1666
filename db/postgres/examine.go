package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"mcp-memory/memory"
)

// examineCluster reports how a Citus cluster holds the tables and how much space they take on all
// nodes. It returns nil where the database has not the extension or does not answer.
func examineCluster(ctx context.Context, pool *pgxpool.Pool) *memory.Finding {
	c, err := clusterOf(ctx, pool)
	if err != nil || c == nil {
		return nil
	}
	f := &memory.Finding{Check: "cluster", Condition: memory.ConditionOK, Detail: c.String()}
	if c.Local > 0 {
		f.Condition, f.Advice = memory.ConditionWarning, "start it once with --citus on, which spreads them"
	}
	if c.Spread == 0 {
		return f
	}
	var all *int64
	if err := pool.QueryRow(ctx, sizeOfCluster).Scan(&all); err != nil || all == nil {
		f.Condition, f.Detail = memory.ConditionWarning, f.Detail+"; what they take is not known, since a node does not answer"
	} else {
		f.Detail += fmt.Sprintf("; they take %d MB", *all>>20)
	}
	return f
}

// Examine checks a database and changes nothing: whether it answers, whether its schema is this
// program's and which version it has, and whether its counters agree with its rows.
func Examine(ctx context.Context, url string) []memory.Finding {
	found := func(check, detail string) memory.Finding {
		return memory.Finding{Check: check, Condition: memory.ConditionOK, Detail: detail}
	}
	broken := func(check string, err error) []memory.Finding {
		f := memory.Finding{Check: check, Condition: memory.ConditionBroken, Detail: err.Error()}
		var known *memory.Error
		if errors.As(explain(err), &known) {
			f.Detail, f.Advice = known.Message, known.Hint
		}
		return []memory.Finding{f}
	}
	pool, err := openPool(ctx, url, 1, nil)
	if err != nil {
		return broken("database", err)
	}
	defer pool.Close()
	var server, database string
	var size int64
	err = pool.QueryRow(ctx, `SELECT current_setting('server_version'), current_database(), pg_database_size(current_database())`).
		Scan(&server, &database, &size)
	if err != nil {
		return broken("database", err)
	}
	findings := []memory.Finding{found("database", fmt.Sprintf("PostgreSQL %s answers; %s has %d MB", server, database, size>>20))}
	if cluster := examineCluster(ctx, pool); cluster != nil {
		findings[0].Detail += " on this node"
		findings = append(findings, *cluster)
	}
	version, err := schemaVersion(ctx, pool)
	switch {
	case err != nil:
		return append(findings, broken("schema", err)...)
	case version < SchemaVersion():
		return append(findings, memory.Finding{
			Check: "schema", Condition: memory.ConditionWarning,
			Detail: fmt.Sprintf("version %d; this program brings it to %d when it opens it", version, SchemaVersion()),
		})
	}
	counts, err := examineCounts(ctx, pool)
	if err != nil {
		return append(findings, broken("counters", err)...)
	}
	return append(findings, found("schema", fmt.Sprintf("version %d", version)), counts)
}
