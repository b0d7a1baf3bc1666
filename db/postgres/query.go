package postgres

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"mcp-memory/db/rows"
)

// everyone is named as the agent by transactions that see all banks.
const everyone = "*"

// reading is a [rows.Source] on a connection of the reading pool.
type reading struct {
	ctx   context.Context
	store *Store
	agent string
}

// as returns a source whose queries see the rows of an agent, or of everyone.
func (s *Store) as(ctx context.Context, agent string) reading { return reading{ctx, s, agent} }

// nameAgent sets whose rows a transaction may see ($1), which row-level security checks.
const nameAgent = `SELECT set_config('mcp_memory.agent', $1, true)`

// nameWriter is nameAgent for a transaction that writes. It also sets
// idle_in_transaction_session_timeout to $2 milliseconds, unless it is set already: the transaction
// has locked its bank, and must not keep the lock when this process hangs or its machine is gone.
const nameWriter = `SELECT set_config('mcp_memory.agent', $1, true),
	CASE WHEN current_setting('idle_in_transaction_session_timeout') IN ('0', '') THEN set_config('idle_in_transaction_session_timeout', $2::bigint::text, true) END`

// Query implements [rows.Source].
func (r reading) Query(fn func(rows.Row) error, sql string, args ...any) error {
	var complete []keptRow
	ask := func(ctx context.Context) error {
		conn, err := r.store.read.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		batch := &pgx.Batch{} // one round trip, and one transaction
		batch.Queue(r.store.planned(nameAgent), r.agent)
		batch.Queue(bind(sql), args...)
		results := conn.SendBatch(ctx, batch)
		if _, err := results.Exec(); err != nil {
			results.Close()
			return err
		}
		kept, err := keepRows(results, conn.Conn().TypeMap())
		if err == nil {
			complete = kept
		}
		return err
	}
	err := r.store.whileAway(r.ctx, func(until time.Time) error { return r.store.answering(r.ctx, until, ask) })
	for i := 0; err == nil && i < len(complete); i++ {
		err = fn(complete[i])
	}
	return explain(err)
}

// keptRow is a row copied out of its connection's buffer.
type keptRow struct {
	types  *pgtype.Map
	fields []pgconn.FieldDescription
	values [][]byte
}

func (r keptRow) Scan(into ...any) error {
	return pgx.ScanRow(r.types, r.fields, r.values, into...)
}

// keepRows reads all rows of the last result of a batch, before the caller is given any. If rows
// were passed on as they come and the connection broke, the next attempt would pass the first ones
// a second time.
func keepRows(results pgx.BatchResults, types *pgtype.Map) (kept []keptRow, err error) {
	var fields []pgconn.FieldDescription
	err = readBatch(results, func(found rows.Row) error {
		row := found.(pgx.Rows)
		if fields == nil {
			fields = slices.Clone(row.FieldDescriptions())
		}
		size := 0
		for _, v := range row.RawValues() {
			size += len(v)
		}
		bytes, values := make([]byte, 0, size), make([][]byte, len(fields))
		for i, v := range row.RawValues() {
			if v != nil {
				at := len(bytes)
				bytes = append(bytes, v...)
				values[i] = bytes[at:len(bytes):len(bytes)]
			}
		}
		kept = append(kept, keptRow{types, fields, values})
		return nil
	})
	return kept, err
}

// readBatch reads the last result of a batch and closes it.
func readBatch(results pgx.BatchResults, fn func(rows.Row) error) error {
	_, err := answer(results, fn)
	if closed := results.Close(); err == nil {
		err = closed
	}
	return err
}

// bound caches the results of bind by their arguments.
var bound sync.Map

// bind replaces question marks by PostgreSQL's numbered parameters: "?" is the next one, "?2" the
// second.
func bind(sql string) string {
	if done, ok := bound.Load(sql); ok {
		return done.(string)
	}
	var b strings.Builder
	next := 1
	for i := 0; i < len(sql); i++ {
		if sql[i] != '?' {
			b.WriteByte(sql[i])
			continue
		}
		b.WriteByte('$')
		if i+1 < len(sql) && sql[i+1] >= '0' && sql[i+1] <= '9' {
			continue // its number follows
		}
		b.WriteString(strconv.Itoa(next))
		next++
	}
	done := b.String()
	bound.Store(sql, done)
	return done
}
