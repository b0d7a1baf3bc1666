package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// relationsNow are the tables and sequences of the schema.
const relationsNow = `SELECT coalesce(array_agg(oid), '{}') FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()::text) AND relkind IN ('r', 'p', 'S')`

// sameRights are the statements that give each role on the new relations of a schema what it has on all of
// the old ones ($1) of that kind: tables of this program, those with an agent, or sequences. The owner has it anyway.
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

// passOnRights runs migrations, and gives those roles that had a right on all tables the same right on those
// that were made: a role that serves goes on with a new version, and nobody has to think of it.
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
