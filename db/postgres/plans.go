package postgres

import "context"

// planned adds to the statement that names an agent how those behind it are planned.
//
// As long as nobody has counted what is in the tables (ANALYZE; autovacuum does it a minute or two after the
// first rows), the server takes every index that begins with the agent for as good as any other. A plan that it
// keeps for a prepared statement then reads the whole bank for each lookup: an import becomes forty times
// slower. Until the tables are known each execution is planned anew, by their size of the moment.
func (s *Store) planned(naming string) string {
	if s.unknown.Load() {
		return naming + `, set_config('plan_cache_mode', 'force_custom_plan', true)`
	}
	return naming
}

// tablesKnown reports whether the tables in which most is looked up have been counted.
const tablesKnown = `SELECT count(*) FILTER (WHERE reltuples >= 100) = 4 FROM pg_class
	WHERE relnamespace = to_regnamespace(current_schema()::text) AND relname IN ('records', 'record_names', 'memories_text', 'memories_terms')`

// lookAtPlans finds out whether they have been by now.
func (s *Store) lookAtPlans(ctx context.Context) {
	if !s.unknown.Load() {
		return
	}
	var known bool
	if err := scanRow(s.as(ctx, everyone), []any{&known}, tablesKnown); err == nil && known {
		s.unknown.Store(false)
	}
}
