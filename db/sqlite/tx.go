package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"mcp-memory/memory"
)

// bankShift splits a seq: the bank's number above, the document's below.
const bankShift = 40

// tx is one writing transaction over one bank.
type tx struct {
	ctx     context.Context
	store   *Store
	tx      *writer
	agent   string
	bank    int64
	lastSeq int64
	dirty   bool
	erased  bool  // a document is gone, or not what it was
	failed  error // of a statement; such a transaction is never committed
	counts  map[memory.Corpus]*termCounts
	sets    int // how many vector sets there are, 0 for not counted yet

	pending  []*document // to be indexed at the end
	handed   int         // how many of them are given to analyses
	analyses sync.WaitGroup
}

var _ memory.Tx = (*tx)(nil)

// Write implements [memory.Writer].
func (s *Store) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	if agent == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "agent is empty")
	}
	return explain(s.writer.do(ctx, func(c *writer) error {
		t := &tx{ctx: ctx, store: s, tx: c, agent: agent}
		if err := t.enter(); err != nil {
			return err
		}
		if err := fn(t); err != nil {
			return err
		}
		return t.leave()
	}))
}

// enter finds the agent's bank or makes it.
func (t *tx) enter() error {
	row := t.tx.QueryRowContext(t.ctx, `SELECT bank, last_seq FROM banks WHERE agent = ?`, t.agent)
	err := row.Scan(&t.bank, &t.lastSeq)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	row = t.tx.QueryRowContext(t.ctx, `SELECT coalesce(max(bank), 0) + 1 FROM banks`)
	if err := row.Scan(&t.bank); err != nil {
		return err
	}
	t.lastSeq = t.bank << bankShift
	return t.exec(`INSERT INTO banks (agent, bank, last_seq, created_at) VALUES (?, ?, ?, ?)`,
		t.agent, t.bank, t.lastSeq, micros(t.store.clock()))
}

// leave records how far the bank has got. A statement that failed may have
// left half a record behind, or SQLite may have ended the transaction with it:
// then it fails, even if fn did not mind.
func (t *tx) leave() error {
	if t.failed != nil {
		return t.failed
	}
	if err := t.writePending(); err != nil {
		return err
	}
	if err := t.writeCounts(); err != nil || !t.dirty {
		return err
	}
	return t.exec(`UPDATE banks SET last_seq = ?, changes = changes + 1, rewrites = rewrites + ? WHERE agent = ?`, t.lastSeq, t.erased, t.agent)
}

func (t *tx) nextSeq() int64 {
	t.lastSeq++
	return t.lastSeq
}

func (t *tx) exec(query string, args ...any) error {
	if t.failed != nil {
		return t.failed
	}
	t.dirty = true
	t.failed = t.tx.exec(t.ctx, query, args...)
	return t.failed
}

// Result implements [memory.Tx].
func (t *tx) Result(tool, key string) (json.RawMessage, error) {
	var result string
	err := t.tx.QueryRowContext(t.ctx, `SELECT result FROM idempotency_keys WHERE agent = ? AND tool = ? AND key = ?`, t.agent, tool, key).Scan(&result)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return json.RawMessage(result), err
}

// KeepResult implements [memory.Tx].
func (t *tx) KeepResult(tool, key string, result json.RawMessage) error {
	return t.exec(`INSERT INTO idempotency_keys (agent, tool, key, result, created_at) VALUES (?, ?, ?, ?, ?)`,
		t.agent, tool, key, string(result), micros(t.store.clock()))
}

// KeepUndo implements [memory.Tx].
func (t *tx) KeepUndo(u memory.Undo) error {
	return t.exec(`INSERT INTO undos (agent, id, action, records, data, done_at) VALUES (?, ?, ?, ?, ?, ?)`,
		t.agent, u.ID, u.Action, jsonList(u.Records), text(u.Data), micros(u.At))
}

// Undo implements [memory.Tx].
func (t *tx) Undo(id string) (memory.Undo, error) {
	u := memory.Undo{ID: id}
	var records string
	var data sql.NullString
	var done, undone sql.NullInt64
	err := t.tx.QueryRowContext(t.ctx, `SELECT action, records, data, done_at, undone_at FROM undos WHERE agent = ? AND id = ?`, t.agent, id).
		Scan(&u.Action, &records, &data, &done, &undone)
	if errors.Is(err, sql.ErrNoRows) {
		return u, memory.Errorf(memory.CodeNotFound, "there is nothing to undo under %q", id)
	}
	if err != nil {
		return u, err
	}
	u.Data, u.At, u.UndoneAt = rawJSON(data), timeOf(done), timeOf(undone)
	u.Records, err = listOf(records)
	return u, err
}

// MarkUndone implements [memory.Tx].
func (t *tx) MarkUndone(id string, at time.Time) error {
	u, err := t.Undo(id)
	if err != nil {
		return err
	}
	if !u.UndoneAt.IsZero() {
		return memory.Errorf(memory.CodeConflict, "that was undone already")
	}
	return t.exec(`UPDATE undos SET undone_at = ? WHERE agent = ? AND id = ?`, micros(at), t.agent, id)
}
