package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// relationsNow selects the oids of the tables and sequences of the schema.
const relationsNow = `SELECT coalesce(array_agg(oid), '{}') FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()::text) AND relkind IN ('r', 'p', 'S')`

// sameRights selects GRANT statements for the relations of the schema that are not among the old
// ones ($1, oids). Of the tables with a column agent, and of the sequences, a new one gets each
// right that a role has on all old ones of the sort. Owners are left out.
const sameRights = `WITH ours AS (
		SELECT c.oid, c.relname, c.relkind = 'S' AS sequence, c.relowner, c.relacl, c.oid = ANY ($1::oid[]) AS old
		FROM pg_class c WHERE c.relnamespace = to_regnamespace(current_schema()::text) AND (c.relkind = 'S'
			OR c.relkind IN ('r', 'p') AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'agent' AND NOT a.attisdropped))),
	held AS (
		SELECT sequence, x.grantee, x.privilege_type FROM ours, aclexplode(relacl) x WHERE old AND x.grantee <> relowner
		GROUP BY sequence, x.grantee, x.privilege_type
		HAVING count(DISTINCT oid) = (SELECT count(*) FROM ours o WHERE o.old AND o.sequence = ours.sequence))
	SELECT format('GRANT %s ON %s %I TO %s', h.privilege_type, CASE WHEN o.sequence THEN 'SEQUENCE' ELSE 'TABLE' END, o.relname,
		CASE h.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(h.grantee)) END)
	FROM ours o JOIN held h USING (sequence) WHERE NOT o.old ORDER BY 1`

// passOnRights runs migrations, and gives each role that had a right on all old tables the same
// right on new ones. So a role that serves need not be granted anything when a new version adds
// tables.
func passOnRights(ctx context.Context, t pgx.Tx, migrations func() error) error {
	var old []uint32
	if err := t.QueryRow(ctx, relationsNow, pgx.QueryExecModeExec).Scan(&old); err != nil {
		return err
	}
	if err := migrations(); err != nil {
		return err
	}
	found, err := t.Query(ctx, sameRights, pgx.QueryExecModeExec, old)
	if err != nil {
		return err
	}
	grants, err := pgx.CollectRows(found, pgx.RowTo[string])
	for i := 0; err == nil && i < len(grants); i++ {
		_, err = t.Exec(ctx, grants[i], pgx.QueryExecModeExec)
	}
	return err
}
