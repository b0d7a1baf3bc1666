package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db/rows"
)

// planned adds to naming, the statement that names a transaction's agent, how the statements behind
// it are planned.
//
// As long as the tables have no statistics (ANALYZE makes them: autovacuum runs it a minute or two
// after the first rows, lookAtPlans earlier where the role may), the planner takes every index that
// begins with the agent for as good as any other. A generic plan that it keeps for a prepared
// statement then reads the whole bank for each lookup, and an import becomes forty times slower.
// Until there are statistics each execution is planned anew, by the size of the tables at the
// moment.
func (s *Store) planned(naming string) string {
	naming = s.onNodes(naming)
	if s.unknown.Load() {
		return naming + `, set_config('plan_cache_mode', 'force_custom_plan', true)`
	}
	return naming
}

// plannedToWrite is planned for a transaction that writes. It looks up rows by keys only, for which
// the best plan is the same whatever their values. So once the tables have statistics a generic
// plan is used always. Left alone, the server would in some cases plan each execution, which takes
// longer than a lookup of one key.
func (s *Store) plannedToWrite(naming string) string {
	if s.unknown.Load() {
		return s.planned(naming)
	}
	return s.onNodes(naming) + `, set_config('plan_cache_mode', 'force_generic_plan', true)`
}

// tablesKnown selects whether the tables with the most lookups have statistics, and those of
// records and memories_words are of 100 rows at least.
const tablesKnown = `SELECT coalesce(bool_and(reltuples >= CASE WHEN relname IN ('records', 'memories_words') THEN 100 ELSE 0 END), false)` + lookedUp

// tablesCountable selects whether this role may ANALYZE these tables, and whether the largest is
// large enough (over 64 KB) to do it.
const tablesCountable = `SELECT coalesce(bool_and(pg_has_role(relowner, 'USAGE')) AND max(pg_relation_size(oid)) > 65536, false)` + lookedUp

const lookedUp = ` FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()::text)
	AND relname IN ('records', 'record_names', 'record_slots', 'memories_words', 'memories_terms')`

// muchAtOnce is how many new documents a transaction has to have for a call of lookAtPlans.
const muchAtOnce = 100

// lookAtPlans looks whether the tables have statistics by now, and makes them itself where they are
// large enough and the role may. Then planned stops planning each execution.
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
