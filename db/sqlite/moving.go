package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

var _ memory.Mover = (*Store)(nil)

// Place implements [memory.Mover].
func (s *Store) Place(context.Context) (string, error) {
	path, err := filepath.Abs(s.path)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", cannotOpen(err)
	}
	return "sqlite:" + path, nil
}

// Carried implements [memory.Mover].
func (s *Store) Carried() []memory.CarriedTable { return rows.Carried() }

// Depart implements [memory.Mover] by one reading transaction. As long as that lasts no checkpoint
// can finish, so the log grows with what others write.
func (s *Store) Depart(ctx context.Context, fn func(memory.Departure) error) (err error) {
	conn, err := s.read.db.Conn(ctx)
	if err != nil {
		return explain(err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	t, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return explain(err)
	}
	defer t.Rollback()
	return explain(fn(departure{ctx, t}))
}

// departure is a [memory.Departure].
type departure struct {
	ctx context.Context
	tx  *sql.Tx
}

// Agents implements [memory.Departure].
func (d departure) Agents() ([]string, error) {
	agents, err := queryAll(d.ctx, d.tx, rows.ScanText, rows.AllAgents)
	return agents, explain(err)
}

// EachRow implements [memory.Departure].
func (d departure) EachRow(agent, table string, fn func(memory.CarriedRow) error) error {
	from, err := rows.Depart(agent, table)
	if err != nil {
		return err
	}
	return explain(queryEach(d.ctx, d.tx, func(r rows.Row) error {
		values := make([]any, from.Width())
		places := make([]any, len(values))
		for i := range values {
			places[i] = &values[i]
		}
		if err := r.Scan(places...); err != nil {
			return fmt.Errorf("read %s of %s: %w", table, agent, err)
		}
		return fn(from.Row(values))
	}, from.Query, agent))
}

// Receive implements [memory.Mover].
func (s *Store) Receive(ctx context.Context, agent, table string, list []memory.CarriedRow, mark json.RawMessage) error {
	return s.Write(ctx, agent, func(t memory.Tx) error { return rows.Receive(receiver{t.(*tx)}, table, list, mark) })
}

// Clear implements [memory.Mover].
func (s *Store) Clear(ctx context.Context, agent string, mark json.RawMessage) error {
	return s.Write(ctx, agent, func(t memory.Tx) error { return rows.Clear(receiver{t.(*tx)}, mark) })
}

// Mark implements [memory.Mover].
func (s *Store) Mark(ctx context.Context, agent string) (json.RawMessage, error) {
	mark, err := queryOne(ctx, s.read, rows.ScanJSON, rows.StateQuery, agent, memory.StateMoved)
	return rows.OrNil(mark), explain(err)
}

// receiver is a [rows.Receiver].
type receiver struct{ *tx }

// Bank implements [rows.Receiver].
func (r receiver) Bank() (string, int64) { return r.agent, r.bank }

// Called implements [rows.Receiver].
func (r receiver) Called(ids []string) (map[string]*memory.TurnDetails, error) {
	list, err := queryAll(r.ctx, r.tx.tx, rows.ScanTurnDetails, turnDetailsQuery, r.agent, rows.List(ids))
	details := make(map[string]*memory.TurnDetails, len(list))
	for _, d := range list {
		details[d.ID] = &d.TurnDetails
	}
	return details, err
}

// Filed implements [rows.Receiver].
func (r receiver) Filed(seq int64, content string) error { return r.file(seq, rows.SlotsOf(content)) }

// Counted implements [rows.Receiver].
func (r receiver) Counted(g rows.Group) { r.groups.Add(g, 1) }

// Indexed implements [rows.Receiver].
func (r receiver) Indexed(c memory.Corpus, seq int64, content string) error {
	return r.index(c, seq, content, nil)
}

// Reached implements [rows.Receiver].
func (r receiver) Reached(seq int64) { r.lastSeq = max(r.lastSeq, seq) }

// Emptied implements [rows.Receiver].
func (r receiver) Emptied(at int64) { r.emptied, r.emptiedAt = true, at }
