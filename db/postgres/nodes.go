package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Cluster is how the tables of a database are spread over the nodes of a Citus cluster.
type Cluster struct {
	Nodes  int `json:"nodes"`  // that keep rows
	Spread int `json:"spread"` // tables whose rows are on one node each, by agent
	Whole  int `json:"whole"`  // tables that every node has
	Local  int `json:"local"`  // tables that only the coordinator has
}

// String says it in a sentence.
func (c Cluster) String() string {
	if c.Spread == 0 {
		return fmt.Sprintf("Citus is there and no table is spread: all %d are on the coordinator", c.Local)
	}
	s := fmt.Sprintf("%d tables are spread over a Citus cluster by agent, %d are on each node; nodes with rows: %d", c.Spread,
		c.Whole, c.Nodes)
	if c.Local > 0 {
		s += fmt.Sprintf("; %d are on the coordinator alone", c.Local)
	}
	return s
}

// hasCitus reports whether the database has the extension.
const hasCitus = `EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')`

// clusterOf says how the tables are spread, nil where the database has not the extension.
func clusterOf(ctx context.Context, q rowQuerier) (*Cluster, error) {
	var there bool
	if err := q.QueryRow(ctx, `SELECT `+hasCitus, pgx.QueryExecModeExec).Scan(&there); err != nil || !there {
		return nil, err
	}
	c := &Cluster{}
	return c,
		q.QueryRow(ctx,
			`SELECT count(*) FILTER (WHERE p.partmethod = 'h'), count(*) FILTER (WHERE p.partmethod = 'n'), count(*) FILTER (WHERE p.partmethod IS NULL),
			(SELECT count(*) FROM pg_dist_node WHERE noderole::text = 'primary' AND isactive AND shouldhaveshards)
		FROM pg_tables t LEFT JOIN pg_dist_partition p ON p.logicalrelid = format('%I.%I', t.schemaname, t.tablename)::regclass
		WHERE t.schemaname = current_schema`, pgx.QueryExecModeExec).Scan(&c.Spread, &c.Whole, &c.Local, &c.Nodes)
}

// Cluster says how the tables are spread, nil where the database is no cluster.
func (s *Store) Cluster(ctx context.Context) (*Cluster, error) {
	c, err := clusterOf(ctx, s.write)
	return c, explain(err)
}

// sizeOfCluster is what the tables take, on all nodes; NULL where a node does not tell.
const sizeOfCluster = `SELECT sum(citus_total_relation_size(p.logicalrelid))::bigint FROM pg_dist_partition p
	JOIN pg_class c ON c.oid = p.logicalrelid WHERE c.relnamespace = current_schema::regnamespace`

// sizeFor is how long the size of a cluster is taken for what it was: every node is asked.
const sizeFor = time.Minute

// size is a size and when it was asked for.
type size struct {
	bytes int64
	at    time.Time
}

// databaseBytes is how large the database is: of a cluster the tables on all nodes, 0 where that is not known
// since a node does not answer.
func (s *Store) databaseBytes(ctx context.Context) (n int64, err error) {
	if !s.cluster.Load() {
		err = rows.Into(s.as(ctx, everyone), []any{&n}, `SELECT pg_database_size(current_database())`)
		return n, err
	}
	if known := s.size.Load(); known != nil && time.Since(known.at) < sizeFor {
		return known.bytes, nil
	}
	short, cancel := context.WithTimeout(ctx, nodeTimeout)
	defer cancel()
	var all *int64
	if err := rows.Into(s.as(short, everyone), []any{&all}, sizeOfCluster); err != nil && ctx.Err() != nil {
		return 0, err
	}
	if all != nil {
		n = *all
	}
	s.size.Store(&size{n, time.Now()})
	return n, nil
}

// nodeTimeout is how long the coordinator of a cluster tries to reach a node. By default it tries for 30 s,
// and calls would wait longer than they have been promised.
const nodeTimeout = connectTimeout

// onNodes adds to the statement that names an agent how long nodes are waited for.
func (s *Store) onNodes(naming string) string {
	if !s.cluster.Load() {
		return naming
	}
	return naming + fmt.Sprintf(`, set_config('citus.node_connection_timeout', '%d', true)`, nodeTimeout.Milliseconds())
}

// errSilent is of a cluster that does not answer: one of its nodes may be gone without a word.
var errSilent = &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}

// answering runs what asks a cluster, which has as long to answer as one that is away, and in a further
// attempt until the patience of the call is over; until is zero in the first. Elsewhere the system
// notices when the other machine is gone, and a statement may take its time.
func (s *Store) answering(ctx context.Context, until time.Time, ask func(context.Context) error) error {
	if !s.cluster.Load() {
		return ask(ctx)
	}
	if last := time.Now().Add(s.patience); until.IsZero() || until.After(last) {
		until = last
	}
	short, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	err := ask(short)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		return errSilent
	}
	return err
}

// ofNode reports whether an error is that of a node behind a coordinator that answers.
func (s *Store) ofNode(err error) bool {
	var told *pgconn.PgError
	return s.cluster.Load() && (errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &told) && strings.HasPrefix(told.Code, classConnection))
}

// nodeAway is what is found of a node that is away.
var nodeAway = memory.Finding{
	Check: memory.CheckNodes, Condition: memory.ConditionWarning,
	Detail: "a node of the database's cluster does not answer: calls for the banks on it are refused",
	Advice: "see to the node, or promote its standby",
}

// lookAtNodes asks whether all nodes of a cluster answer.
func (s *Store) lookAtNodes(ctx context.Context) {
	if !s.cluster.Load() {
		return
	}
	short, cancel := context.WithTimeout(ctx, 2*nodeTimeout)
	defer cancel()
	var silent int
	err := pgx.BeginFunc(short, s.read, func(t pgx.Tx) error {
		if _, err := t.Exec(short, s.onNodes(nameAgent), everyone); err != nil {
			return err
		}
		return t.QueryRow(short, `SELECT count(*) FROM run_command_on_workers('SELECT 1') WHERE NOT success`).Scan(&silent)
	})
	was := s.node.Load()
	switch {
	case err == nil && silent == 0:
		s.node.Store(nil)
	case err == nil || s.ofNode(err):
		s.node.Store(&nodeAway)
		if was == nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, nodeAway.Detail, "nodes", silent)
		}
	}
}
