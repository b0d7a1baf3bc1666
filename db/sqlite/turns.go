package sqlite

import (
	"context"
	"errors"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// turns runs a query for turns of one agent and reads all of them.
func (s *Store) turns(ctx context.Context, agent, query string, args ...any) ([]rows.Turn, error) {
	turns, err := queryAll(ctx, s.read, rows.ScanTurn, `SELECT `+rows.TurnColumns+` FROM turns d `+query, args...)
	if err != nil {
		return nil, err
	}
	return turns, s.addDetails(ctx, agent, turns)
}

// turnDocuments runs a query for turns and reads them as documents.
func (s *Store) turnDocuments(ctx context.Context, query string, args ...any) ([]memory.Document, error) {
	var called []int64
	docs, err := queryAll(ctx, s.read, func(row rows.Row) (memory.Document, error) {
		t, err := rows.ScanTurn(row)
		if t.More == rows.WithCalls {
			called = append(called, t.Seq)
		}
		return t.Document(), err
	}, `SELECT `+rows.TurnColumns+query, args...)
	if err != nil {
		return nil, err
	}
	return docs, s.addCalls(ctx, docs, called)
}

// InsertTurns implements [memory.Tx].
func (t *tx) InsertTurns(turns []memory.Turn, vectors [][]float32) (int, error) {
	stored := 0
	for i, turn := range turns {
		if err := t.checkAgent("turn", turn.Agent); err != nil {
			return 0, err
		}
		known, err := t.known(countTurns, turn.Session, turn.ExternalID)
		if err != nil {
			return 0, err
		}
		if known {
			continue
		}
		var vector []float32
		if vectors != nil {
			vector = vectors[i]
		}
		if err := t.insertTurn(turn, vector); err != nil {
			return 0, err
		}
		stored++
	}
	return stored, nil
}

// known reports whether a session has something with an external id, which a
// query counts.
func (t *tx) known(count, session, externalID string) (bool, error) {
	if externalID == "" {
		return false, nil
	}
	var n int
	err := t.tx.QueryRowContext(t.ctx, count, t.agent, session, externalID).Scan(&n)
	return n > 0, err
}

const countTurns = `SELECT count(*) FROM turns WHERE agent = ? AND session = ? AND external_id = ? AND external_id <> ''`

func (t *tx) insertTurn(turn memory.Turn, vector []float32) error {
	err := t.tx.QueryRowContext(t.ctx, `INSERT INTO sessions (agent, session, project, turns, created_at) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT DO UPDATE SET turns = turns + 1 RETURNING turns - 1`,
		t.agent, turn.Session, turn.Project, rows.Micros(turn.CreatedAt)).Scan(&turn.Index)
	if err != nil {
		return err
	}
	seq := t.nextSeq()
	err = t.exec(`INSERT INTO turns (`+rows.NewTurnColumns+`) VALUES (`+rows.Placeholders(rows.NewTurn)+`)`, rows.NewTurnValues(seq, turn)...)
	if err != nil {
		return err
	}
	if turn.Details != nil {
		if err := t.insertTurnDetails(turn.ID, *turn.Details); err != nil {
			return err
		}
	}
	return t.index(memory.Conversations, seq, turn.SearchText(), vector)
}

// pageSize is how many rows EachRecord and EachTurn hold at a time: no reading
// transaction stays open while fn works, so that the WAL can be checkpointed.
const pageSize = 500

// EachRecord implements [memory.Reader].
func (s *Store) EachRecord(ctx context.Context, agent string, fn func(memory.Record) error) error {
	low, high, err := s.bankRange(ctx, agent)
	if err != nil {
		return err
	}
	return eachReadable(ctx, s, memory.Memories, agent, low, func(after int64, limit int) ([]memory.Document, error) {
		return queryRecords(ctx, s.read, `SELECT `+rows.RecordColumns+` FROM records d`+inBank, after, high, limit)
	}, func(d memory.Document) (int64, error) { return d.Seq, fn(d.Record) })
}

// EachTurn implements [memory.Reader].
func (s *Store) EachTurn(ctx context.Context, agent string, fn func(memory.Turn) error) error {
	low, high, err := s.bankRange(ctx, agent)
	if err != nil {
		return err
	}
	return eachReadable(ctx, s, memory.Conversations, agent, low, func(after int64, limit int) ([]rows.Turn, error) {
		return s.turns(ctx, agent, inBank, after, high, limit)
	}, func(t rows.Turn) (int64, error) { return t.Seq, fn(t.Turn) })
}

// inBank is a page of a bank's documents.
const inBank = ` WHERE d.seq > ? AND d.seq <= ? ORDER BY d.seq LIMIT ?`

// bankRange returns the bounds of an agent's seqs, exclusive and inclusive;
// both are 0 for an agent that has no bank. A bank keeps its number for good,
// so it is looked up once.
func (s *Store) bankRange(ctx context.Context, agent string) (low, high int64, err error) {
	bank, known := s.banks.Load(agent)
	if !known {
		number, err := queryOne(ctx, s.read, rows.ScanInt64, `SELECT bank FROM banks WHERE agent = ?`, agent)
		if err = explain(err); errors.Is(err, memory.ErrDamaged) {
			number, err = s.bankOfDocuments(ctx, agent)
		}
		if err != nil || number == nil {
			return 0, 0, err
		}
		bank = *number
		s.banks.Store(agent, *number)
	}
	number := bank.(int64)
	return number << rows.BankShift, (number+1)<<rows.BankShift - 1, nil
}

// bankOfDocuments tells a bank's number by what is in it, where the list of banks is damaged.
func (s *Store) bankOfDocuments(ctx context.Context, agent string) (number *int64, err error) {
	for _, c := range memory.Corpora() {
		number, err = queryOne(ctx, s.read, rows.ScanInt64, `SELECT seq >> ? FROM `+rows.Table(c)+` WHERE agent = ? LIMIT 1`, rows.BankShift, agent)
		if number != nil {
			break
		}
	}
	return number, explain(err)
}
