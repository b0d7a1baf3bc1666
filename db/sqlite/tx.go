package sqlite

import (
	"context"
	"os"
	"sync"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// tx is one writing transaction over one bank; see [memory.Tx].
type tx struct {
	rows.PortableTx
	ctx       context.Context
	store     *Store
	tx        *writer
	agent     string
	bank      int64
	lastSeq   int64            // the bank's last document number
	dirty     bool             // a statement may have changed something
	erased    bool             // a document was removed or changed: in-memory indexes have to be rebuilt
	emptied   bool             // all of the bank was erased
	emptiedAt int64            // when that was, in microseconds, for a bank that was copied; 0 is now
	failed    error            // error of a statement; the transaction is then never committed
	counts    rows.Counts      // changes of term statistics, written at the end
	groups    rows.GroupCounts // changes of record counts, written at the end
	filed     bool             // fileDue was called
	sets      int              // how many vector sets there are, 0 for not counted yet
	foreseen  rows.Foreseen    // lookups that were announced; see [memory.Expecter]
	keys      rows.Keys        // content keys

	pending  []*document    // to be indexed at the end
	analysed int            // how many of them were handed to goroutines for analysis
	analyses sync.WaitGroup // of these goroutines
}

var (
	_ memory.Tx       = (*tx)(nil)
	_ memory.Expecter = (*tx)(nil)
)

// newTx returns a transaction over an agent's bank, which has to be opened before it is written to.
func (s *Store) newTx(ctx context.Context, w *writer, agent string) *tx {
	t := &tx{ctx: ctx, store: s, tx: w, agent: agent}
	t.PortableTx = rows.NewPortableTx(agent, s.clock, t)
	return t
}

// Write implements [memory.Writer].
func (s *Store) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	if agent == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "agent is empty")
	}
	s.care.lastSave.Store(time.Now().UnixNano())
	erases := false
	err := s.whileRoom(ctx, func(c *writer) error {
		t := s.newTx(ctx, c, agent)
		if err := t.openBank(); err != nil {
			return err
		}
		err := fn(t)
		if erases = t.erased; err != nil {
			return err
		}
		return t.flush()
	})
	if err == nil && erases {
		s.keepLogShort(ctx)
	}
	return s.mendAfter(ctx, err)
}

// whileRoom runs fn in a transaction. If the disk is full it truncates the log, which keeps its
// size after a large write, and tries once more with the room that this gives.
func (s *Store) whileRoom(ctx context.Context, fn func(*writer) error) error {
	err := s.writer.do(ctx, fn)
	if resultCode(err)&0xff != codeFull {
		return explain(err)
	}
	if info, failed := os.Stat(s.path + "-wal"); failed == nil && info.Size() > 0 && s.truncateLog(context.WithoutCancel(ctx)) == nil {
		err = s.writer.do(ctx, fn)
	}
	return explain(err)
}

// openBank reads the number of the agent's bank and its last document number, or creates the bank.
func (t *tx) openBank() error {
	known := false
	err := queryEach(t.ctx, t.tx, func(row rows.Row) error {
		known = true
		return row.Scan(&t.bank, &t.lastSeq)
	}, `SELECT bank, last_seq FROM banks WHERE agent = ?`, t.agent)
	if err != nil || known {
		return err
	}
	if err := t.tx.QueryRowContext(t.ctx, `SELECT coalesce(max(bank), 0) + 1 FROM banks`).Scan(&t.bank); err != nil {
		return err
	}
	t.lastSeq = t.bank << rows.BankShift
	return t.Exec(`INSERT INTO banks (agent, bank, last_seq, created_at) VALUES (?, ?, ?, ?)`,
		t.agent, t.bank, t.lastSeq, rows.Micros(t.store.clock()))
}

// flush writes what was collected for the end of the transaction: indexes, statistics, and the
// bank's counters. After a failed statement it returns that error, even if fn has ignored it: the
// statement may have left half a record, or SQLite may have ended the transaction.
func (t *tx) flush() error {
	if t.failed != nil {
		return t.failed
	}
	if err := t.writePending(); err != nil {
		return err
	}
	if err := t.writeCounts(); err != nil || !t.dirty {
		return err
	}
	return t.Exec(`UPDATE banks SET last_seq = ?, changes = changes + 1, rewrites = rewrites + ?, erased_at = ? WHERE agent = ?`,
		t.lastSeq, t.erased, t.erasedAt(), t.agent)
}

func (t *tx) nextSeq() int64 {
	t.lastSeq++
	return t.lastSeq
}

// Exec implements [rows.Statements].
func (t *tx) Exec(query string, args ...any) error {
	if t.failed != nil {
		return t.failed
	}
	t.dirty = true
	t.failed = t.tx.exec(t.ctx, query, args...)
	return t.failed
}

// Query implements [rows.Source].
func (t *tx) Query(fn func(rows.Row) error, query string, args ...any) error {
	return queryEach(t.ctx, t.tx, func(row rows.Row) error { return senseless(fn(row)) }, query, args...)
}

// In implements [rows.Statements].
func (t *tx) In(column, placeholder string, names []string) (condition string, arg any) {
	return column + ` IN (SELECT value FROM json_each(` + placeholder + `))`, rows.List(names)
}

// InsertList implements [rows.Statements].
func (t *tx) InsertList(table, id string, list []string) error {
	return t.Exec(`INSERT INTO `+table+` (agent, id, position, covered) SELECT ?, ?, key, value FROM json_each(?)`, t.agent, id,
		rows.List(list))
}
