package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db/rows"
)

// planned adds to the statement that names an agent how those behind it are planned.
//
// As long as nobody has counted what is in the tables (ANALYZE; autovacuum does it a minute or two
// after the first rows, and lookAtPlans where it may), the server takes every index that begins with
// the agent for as good as any other. A plan that it keeps for a prepared statement then reads the
// whole bank for each lookup: an import becomes forty times slower. Until the tables are known each
// execution is planned anew, by their size of the moment.
func (s *Store) planned(naming string) string {
	naming = s.onNodes(naming)
	if s.unknown.Load() {
		return naming + `, set_config('plan_cache_mode', 'force_custom_plan', true)`
	}
	return naming
}

// plannedToWrite is planned for a transaction that writes. All that it looks up it looks up by keys, which no
// value makes another plan of: once the tables are known a plan is kept, also where the server would take
// more time to plan a list of one key than to look it up.
func (s *Store) plannedToWrite(naming string) string {
	if s.unknown.Load() {
		return s.planned(naming)
	}
	return s.onNodes(naming) + `, set_config('plan_cache_mode', 'force_generic_plan', true)`
}

// tablesKnown reports whether the tables in which most is looked up have been counted.
const tablesKnown = `SELECT coalesce(bool_and(reltuples >= CASE WHEN relname IN ('records', 'memories_words') THEN 100 ELSE 0 END), false)` + lookedUp

// tablesCountable reports whether it is for this role to count them, and whether there is something in them.
const tablesCountable = `SELECT coalesce(bool_and(pg_has_role(relowner, 'USAGE')) AND max(pg_relation_size(oid)) > 65536, false)` + lookedUp

const lookedUp = ` FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()::text)
	AND relname IN ('records', 'record_names', 'record_slots', 'memories_words', 'memories_terms')`

// muchAtOnce is so many new documents in one transaction that plans are worth a look.
const muchAtOnce = 100

// lookAtPlans finds out whether they have been by now. Where much has come in at once it does
// not wait for the server to count it.
func (s *Store) lookAtPlans(ctx context.Context) {
	if !s.unknown.Load() {
		return
	}
	var known, countable bool
	if err := rows.Into(s.as(ctx, everyone), []any{&known, &countable}, `SELECT (`+tablesKnown+`), (`+tablesCountable+`)`); err != nil {
		return
	}
	if !known && countable {
		_, err := s.write.Exec(ctx, `ANALYZE records, record_names, record_slots, memories_words, memories_terms`, pgx.QueryExecModeExec)
		known = err == nil
	}
	if known {
		s.unknown.Store(false)
	}
}
