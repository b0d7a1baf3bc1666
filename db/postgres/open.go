package postgres

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"mcp-memory/memory"
)

// Options says how a database is opened.
type Options struct {
	// Embedder is the fingerprint of the embedder in use: it decides which vectors are searched,
	// and to which embedder the vectors belong that are saved with documents.
	Embedder memory.Fingerprint
	// Clock gives the times that the store itself sets.
	Clock memory.Clock
	// Patience is how long a call waits for a database that does not answer, for example during a
	// failover; 0 means 20 s.
	Patience time.Duration
	// ToRead opens a database for reading only. Its schema has to be of this program's version.
	ToRead bool
	// Citus says whether new tables are spread over a cluster; "" is [CitusOff].
	Citus Citus
	// Tracer, unless nil, is told of every statement.
	Tracer pgx.QueryTracer
	// Log, unless nil, is told of what goes wrong in the background.
	Log *slog.Logger
}

// Store is a [memory.Store] in a PostgreSQL database. Safe for concurrent use.
type Store struct {
	clock    memory.Clock
	log      *slog.Logger
	patience time.Duration
	citus    Citus
	tracer   pgx.QueryTracer
	// Separate pools: all connections of write may wait for one bank, while the function that has
	// locked it needs another connection to read, or to write a file.
	write, read, files *pgxpool.Pool
	vector             vectorSet
	banks              sync.Map // agent → number of its bank
	pending            sync.Map // vectorSet.id → *pending
	lost, node         atomic.Pointer[memory.Finding]
	cluster            atomic.Bool // the database has the extension citus, and Options.Citus allows it
	size               atomic.Pointer[size]
	unknown            atomic.Bool  // the tables have no statistics yet; see planned
	offset             atomic.Int64 // see Offset; nanoseconds
	closed             atomic.Bool
}

var (
	_ memory.Store   = (*Store)(nil)
	_ memory.Clocked = (*Store)(nil)
)

// The sizes of the pools write and read, unless the URL sets pool_max_conns, which then holds for
// each pool.
const (
	writers = 4
	readers = 8
)

// Open connects to the database at a URL, as libpq reads it: a password may also come
// from PGPASSWORD or ~/.pgpass, and several hosts with target_session_attrs=read-write
// find the primary after a failover. It brings the schema up to date. Errors are
// [memory.CodeInvalidArgument] for a URL that cannot be read and [memory.CodeUnavailable]
// with the reason for a database that cannot be reached, is of another program, newer
// than this one, or not in UTF-8.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	if o.Patience == 0 {
		o.Patience = 20 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Store{clock: o.Clock, log: o.Log, patience: o.Patience, citus: o.Citus, tracer: o.Tracer}
	open := s.open
	if o.ToRead {
		open = s.openToRead
	}
	if err := open(ctx, url, o.Embedder); err != nil {
		s.Close()
		return nil, explain(err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, url string, f memory.Fingerprint) (err error) {
	if s.write, err = openPool(ctx, url, writers, s.tracer); err != nil {
		return err
	}
	if err := s.checkEncoding(ctx); err != nil {
		return err
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if s.read, err = openPool(ctx, url, readers, s.tracer); err != nil {
		return err
	}
	if s.files, err = openPool(ctx, url, filers, s.tracer); err != nil {
		return err
	}
	s.vector, err = s.openVectorSet(ctx, f)
	return err
}

func (s *Store) openToRead(ctx context.Context, url string, _ memory.Fingerprint) (err error) {
	if s.read, err = openPool(ctx, url, readers, s.tracer); err != nil {
		return err
	}
	return s.whileAway(ctx, func(time.Time) error {
		version, err := schemaVersion(ctx, s.read)
		if err == nil && version < SchemaVersion() {
			err = memory.Errorf(memory.CodeUnavailable, "the database has no tables of this version of the program").
				WithHint("open it once with this version, for example by `mcp-memory stats`")
		}
		return err
	})
}

func openPool(ctx context.Context, url string, size int32, tracer pgx.QueryTracer) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, unreadable(err)
	}
	if !mentions(url, "pool_max_conns") {
		c.MaxConns = size
	}
	if c.ConnConfig.ConnectTimeout == 0 {
		c.ConnConfig.ConnectTimeout = connectTimeout
	}
	if c.PingTimeout == 0 {
		c.PingTimeout = lookTimeout
	}
	c.ConnConfig.DialFunc = dialer(c.ConnConfig.ConnectTimeout).DialContext
	c.BeforeConnect = func(_ context.Context, conn *pgx.ConnConfig) error {
		// Read the password again, in case its file has changed.
		if fresh, err := pgx.ParseConfig(url); err == nil {
			conn.Password = fresh.Password
		}
		return nil
	}
	c.ConnConfig.OnNotice, c.ConnConfig.Tracer = noteWarning, tracer
	if c.ConnConfig.RuntimeParams["application_name"] == "" {
		c.ConnConfig.RuntimeParams["application_name"] = "mcp-memory"
	}
	// When the context of a call ends, pgx asks the server to cancel the statement and keeps the
	// connection. Not through a pooler, for which the URL sets another exec mode: there the
	// connection is closed instead, since PgBouncer 1.18.0 ends when it is asked to cancel.
	if c.ConnConfig.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		c.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
			return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: lookTimeout}
		}
	}
	return pgxpool.NewWithConfig(ctx, c)
}

const (
	// connectTimeout is how long one attempt to connect may take.
	connectTimeout = 5 * time.Second
	// lookTimeout is how long a connection has to answer a ping after it was idle, or to end a
	// statement that was cancelled.
	lookTimeout = 2 * time.Second
)

// checkEncoding refuses a database that is not encoded in UTF-8. The same query reads the
// database's clock, and what planned and answering have to know.
func (s *Store) checkEncoding(ctx context.Context) error {
	var encoding string
	var known, cluster bool
	var there int64
	asked := time.Now()
	err := s.write.QueryRow(ctx, `SELECT current_setting('server_encoding'), (`+tablesKnown+`), `+nowMicros+`, `+hasCitus,
		pgx.QueryExecModeExec).Scan(&encoding, &known, &there, &cluster)
	s.unknown.Store(!known)
	s.cluster.Store(cluster && s.citus != CitusOff && s.citus != "")
	if err != nil {
		return err
	}
	s.noteClock(ctx, asked, there)
	if encoding != "UTF8" {
		return memory.Errorf(memory.CodeUnavailable, "the database is encoded in %s", encoding).
			WithHint("create one with: createdb --encoding UTF8 --template template0 NAME")
	}
	return nil
}

// Close ends all work; calls in flight fail.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	for _, p := range []*pgxpool.Pool{s.write, s.read, s.files} {
		if p != nil {
			p.Close()
		}
	}
	return nil
}

// mentions reports whether a URL sets a parameter.
func mentions(url, parameter string) bool { return strings.Contains(url, parameter+"=") }
