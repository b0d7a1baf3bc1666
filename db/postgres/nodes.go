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
	Nodes  int `json:"nodes"`  // nodes that keep rows
	Spread int `json:"spread"` // tables whose rows are on one node each, by agent
	Whole  int `json:"whole"`  // tables that every node has
	Local  int `json:"local"`  // tables that only the coordinator has
}

// String describes the cluster in a sentence.
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

// hasCitus is an SQL expression: whether the database has the extension citus.
const hasCitus = `EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')`

// clusterOf returns how the tables are distributed, nil where the database has not the extension.
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

// Cluster returns how the tables are distributed, nil where the database has not the extension
// citus.
func (s *Store) Cluster(ctx context.Context) (*Cluster, error) {
	c, err := clusterOf(ctx, s.write)
	return c, explain(err)
}

// sizeOfCluster selects how many bytes the distributed tables take on all nodes; NULL where a node
// does not answer.
const sizeOfCluster = `SELECT sum(citus_total_relation_size(p.logicalrelid))::bigint FROM pg_dist_partition p
	JOIN pg_class c ON c.oid = p.logicalrelid WHERE c.relnamespace = current_schema::regnamespace`

// sizeFor is how long databaseBytes returns the size of a cluster that it has read, since reading
// it takes a query to every node.
const sizeFor = time.Minute

// size is the size of a cluster and when it was read.
type size struct {
	bytes int64
	at    time.Time
}

// databaseBytes returns the size of the database. That of a cluster is what the distributed tables
// take on all nodes, 0 if a node does not answer.
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

// nodeTimeout is how long the coordinator of a cluster tries to connect to a node. The default of
// Citus is 30 s, which is longer than a call may wait (Options.Patience).
const nodeTimeout = connectTimeout

// onNodes adds nodeTimeout to naming, the statement that names a transaction's agent, if the
// database is a cluster.
func (s *Store) onNodes(naming string) string {
	if !s.cluster.Load() {
		return naming
	}
	return naming + fmt.Sprintf(`, set_config('citus.node_connection_timeout', '%d', true)`, nodeTimeout.Milliseconds())
}

// errSilent is the error of a cluster that does not answer in time: one of its nodes may have
// vanished.
var errSilent = &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}

// answering runs ask, which sends statements to the database. On a cluster it gives up after
// s.patience, and at until if that is earlier and not zero, with errSilent. On a single server
// there is no such limit: the system notices when the other machine is gone (see dialer), and a
// statement may take its time.
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

// ofNode reports whether err means that a node of a cluster is away whose coordinator may answer.
func (s *Store) ofNode(err error) bool {
	var told *pgconn.PgError
	return s.cluster.Load() && (errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &told) && strings.HasPrefix(told.Code, classConnection))
}

// nodeAway is the finding while a node of the cluster does not answer.
var nodeAway = memory.Finding{
	Check: memory.CheckNodes, Condition: memory.ConditionWarning,
	Detail: "a node of the database's cluster does not answer: calls for the banks on it are refused",
	Advice: "see to the node, or promote its standby",
}

// lookAtNodes probes all nodes of a cluster and keeps in s.node whether one is away.
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
