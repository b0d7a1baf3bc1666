package sqlite

import (
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// History implements [memory.Reader].
func (s *Store) History(ctx context.Context, agent, id string) ([]memory.Record, error) {
	// Both directions from id; UNION stops at links that form a ring.
	chain, err := queryRecords(ctx, s.read, `WITH RECURSIVE chain (id) AS (
			SELECT ?2
			UNION
			SELECT r.id FROM chain CROSS JOIN records r ON r.agent = ?1 AND r.id IN (
				SELECT n.superseded_by FROM records n WHERE n.agent = ?1 AND n.id = chain.id
				UNION ALL
				SELECT n.supersedes FROM records n WHERE n.agent = ?1 AND n.id = chain.id
				UNION ALL
				SELECT o.id FROM records o WHERE o.agent = ?1 AND o.superseded_by = chain.id)
		) SELECT `+rows.RecordColumns+` FROM chain CROSS JOIN records d ON d.agent = ?1 AND d.id = chain.id ORDER BY d.seq`, agent, id)
	return rows.Records(chain), explain(err)
}

// EachAlias implements [memory.Reader].
func (s *Store) EachAlias(ctx context.Context, agent string, fn func(externalID, id string) error) error {
	type alias struct{ name, id string }
	scan := func(row rows.Row) (a alias, err error) {
		err = row.Scan(&a.name, &a.id)
		return a, err
	}
	return eachPage("", func(after string) ([]alias, error) {
		return queryAll(ctx, s.read, scan, aliasesAfter, agent, after, pageSize)
	}, func(a alias) (string, error) { return a.name, fn(a.name, a.id) })
}

const aliasesAfter = `SELECT n.external_id, n.id FROM record_names n CROSS JOIN records r ON r.agent = n.agent AND r.id = n.id
	WHERE n.agent = ? AND n.external_id > ? AND r.external_id <> n.external_id ORDER BY n.external_id LIMIT ?`

// Salient implements [memory.Reader].
func (s *Store) Salient(ctx context.Context, scope memory.Scope, at time.Time, limit int) ([]memory.Record, error) {
	query, args := salientQuery(scope, at, limit)
	found, err := queryRecords(ctx, s.read, query, args...)
	return rows.Records(found), explain(err)
}

func salientQuery(scope memory.Scope, at time.Time, limit int) (query string, args []any) {
	var w rows.Conditions
	w.Add("d.archived_at IS NULL AND d.superseded_by IS NULL") // as the index has it
	w.TrueAt(rows.Micros(at))
	source, of := allProjects, any(scope.Agent)
	if projects := scope.Readable(); projects != nil {
		source, of = theseProjects, rows.List(projects)
	}
	const order = ` ORDER BY d.pinned DESC, d.importance DESC, d.access_count DESC, d.seq`
	query = `SELECT ` + rows.RecordColumns + firstOfEach(source, "records_salient", w.SQL(), order) + order + ` LIMIT ?`
	return query, append(append([]any{of, scope.Agent}, w.Args...), limit, limit)
}

// CountRecords implements [memory.Reader].
func (s *Store) CountRecords(ctx context.Context, agent string, kind memory.Kind) (n int, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT coalesce(sum(records), 0) FROM record_counts WHERE agent = ? AND kind = ? AND state = 0`,
		agent, kind).Scan(&n)
	return n, explain(err)
}
