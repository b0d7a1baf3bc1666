package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"mcp-memory/memory"
)

// Citus says whether the tables are spread over the nodes of a Citus cluster.
type Citus string

// The choices.
const (
	CitusAuto Citus = "auto" // where the database has the extension
	CitusOn   Citus = "on"
	CitusOff  Citus = "off"
)

// global lists the tables that become Citus reference tables, which every node has whole. They are
// small, and are read before the agent is known, or by either of two agents.
var global = []string{"links", "mcp_memory_schema", "tokens", "vector_sets"}

// Distribution returns the statements that distribute tables over the nodes of a Citus cluster: by
// the column agent, all rows of an agent on one node, and the tables in global as reference tables.
// They switch row-level security off, since workers are not told which agent a transaction has
// named.
func Distribution(tables []string) []string {
	tables = slices.Sorted(slices.Values(tables))
	var statements []string
	by := func(table, with string) {
		name := pgx.Identifier{table}.Sanitize()
		statements = append(statements,
			`ALTER TABLE `+name+` NO FORCE ROW LEVEL SECURITY`, `ALTER TABLE `+name+` DISABLE ROW LEVEL SECURITY`,
			`SELECT create_distributed_table('`+name+`', 'agent', colocate_with => '`+with+`')`)
	}
	if slices.Contains(tables, "banks") {
		by("banks", "none")
	}
	for _, table := range tables {
		switch {
		case table == "banks":
		case slices.Contains(global, table):
			name := pgx.Identifier{table}.Sanitize()
			if table == "links" {
				statements = append(statements, `ALTER TABLE `+name+` NO FORCE ROW LEVEL SECURITY`,
					`ALTER TABLE `+name+` DISABLE ROW LEVEL SECURITY`)
			}
			statements = append(statements, `SELECT create_reference_table('`+name+`')`)
		default:
			by(table, "banks")
		}
	}
	return statements
}

// distribute distributes the tables that are not distributed yet, also those of earlier versions,
// if choice and the database allow it. With [CitusOn] a database without the extension is an error.
func distribute(ctx context.Context, t pgx.Tx, choice Citus) error {
	if choice == CitusOff || choice == "" {
		return nil
	}
	var there bool
	if err := t.QueryRow(ctx, `SELECT `+hasCitus, pgx.QueryExecModeExec).Scan(&there); err != nil {
		return err
	}
	if !there && choice == CitusOn {
		return memory.Errorf(memory.CodeUnavailable, "the database has no extension citus").
			WithHint("CREATE EXTENSION citus as its superuser, or leave --citus out")
	}
	if !there {
		return nil
	}
	found, err := t.Query(ctx, `SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema
		AND NOT EXISTS (SELECT 1 FROM pg_dist_partition p WHERE p.logicalrelid = format('%I.%I', schemaname, tablename)::regclass)`,
		pgx.QueryExecModeExec)
	if err != nil {
		return err
	}
	tables, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, statement := range Distribution(tables) {
		if _, err := t.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	return nil
}
