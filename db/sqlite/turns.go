package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"mcp-memory/memory"
)

const turnColumns = `d.seq, d.agent, d.id, d.project, d.session, d.turn_index, d.role, d.speaker, d.content,
	d.external_id, d.metadata, d.said_at, d.created_at, d.archived_at`

// scanTurn reads a turn as a document; turnOf gives the turn back.
func scanTurn(rows *sql.Rows) (memory.Document, error) {
	d := memory.Document{Corpus: memory.Conversations, Record: memory.Record{Kind: memory.KindTurn, Confirmations: 1}}
	var metadata sql.NullString
	var said, created, archived sql.NullInt64
	err := rows.Scan(&d.Seq, &d.Agent, &d.ID, &d.Project, &d.Session, &d.Index, &d.Role, &d.Speaker, &d.Content,
		&d.ExternalID, &metadata, &said, &created, &archived)
	d.Metadata, d.OccurredAt, d.CreatedAt, d.ArchivedAt = rawJSON(metadata), timeOf(said), timeOf(created), timeOf(archived)
	return d, err
}

func turnOf(d memory.Document) memory.Turn {
	return memory.Turn{
		ID: d.ID, Agent: d.Agent, Project: d.Project, Session: d.Session, Index: d.Index, Role: d.Role, Speaker: d.Speaker,
		Content: d.Content, ExternalID: d.ExternalID, Metadata: d.Metadata,
		SaidAt: d.OccurredAt, CreatedAt: d.CreatedAt, ArchivedAt: d.ArchivedAt,
	}
}

// InsertTurns implements [memory.Tx].
func (t *tx) InsertTurns(turns []memory.Turn, vectors [][]float32) (int, error) {
	stored := 0
	for i, turn := range turns {
		if turn.Agent != t.agent {
			return 0, fmt.Errorf("turn of agent %q in a transaction of %q", turn.Agent, t.agent)
		}
		known, err := t.hasTurn(turn)
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

func (t *tx) hasTurn(turn memory.Turn) (bool, error) {
	if turn.ExternalID == "" {
		return false, nil
	}
	var n int
	err := t.tx.QueryRowContext(t.ctx, `SELECT count(*) FROM turns WHERE agent = ? AND session = ? AND external_id = ? AND external_id <> ''`,
		t.agent, turn.Session, turn.ExternalID).Scan(&n)
	return n > 0, err
}

func (t *tx) insertTurn(turn memory.Turn, vector []float32) error {
	err := t.tx.QueryRowContext(t.ctx, `INSERT INTO sessions (agent, session, project, turns, created_at) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT DO UPDATE SET turns = turns + 1 RETURNING turns - 1`,
		t.agent, turn.Session, turn.Project, micros(turn.CreatedAt)).Scan(&turn.Index)
	if err != nil {
		return err
	}
	seq := t.nextSeq()
	err = t.exec(`INSERT INTO turns (seq, agent, id, project, session, turn_index, role, speaker, content, external_id,
		metadata, said_at, created_at, archived_at) VALUES (`+marks(14)+`)`,
		seq, turn.Agent, turn.ID, turn.Project, turn.Session, turn.Index, turn.Role, turn.Speaker, turn.Content, turn.ExternalID,
		text(turn.Metadata), micros(turn.SaidAt), micros(turn.CreatedAt), micros(turn.ArchivedAt))
	if err != nil {
		return err
	}
	return t.index(memory.Conversations, seq, turn.SearchText(), vector)
}

// pageSize is how many rows EachRecord and EachTurn hold at a time: no reading
// transaction stays open while fn works, so that the WAL can be checkpointed.
const pageSize = 500

// EachRecord implements [memory.Reader].
func (s *Store) EachRecord(ctx context.Context, agent string, fn func(memory.Record) error) error {
	return s.each(ctx, agent, `SELECT `+recordColumns+` FROM `+recordTables, scanRecord,
		func(d memory.Document) error { return fn(d.Record) })
}

// EachTurn implements [memory.Reader].
func (s *Store) EachTurn(ctx context.Context, agent string, fn func(memory.Turn) error) error {
	return s.each(ctx, agent, `SELECT `+turnColumns+` FROM turns d`, scanTurn,
		func(d memory.Document) error { return fn(turnOf(d)) })
}

func (s *Store) each(ctx context.Context, agent, query string, scan func(*sql.Rows) (memory.Document, error), fn func(memory.Document) error) error {
	low, high, err := s.bankRange(ctx, agent)
	if err != nil {
		return err
	}
	for after := low; ; {
		page, err := queryAll(ctx, s.read, scan, query+` WHERE d.seq > ? AND d.seq <= ? ORDER BY d.seq LIMIT ?`, after, high, pageSize)
		if err != nil {
			return explain(err)
		}
		for _, d := range page {
			if err := fn(d); err != nil {
				return err
			}
			after = d.Seq
		}
		if len(page) < pageSize {
			return nil
		}
	}
}

// bankRange returns the bounds of an agent's seqs, exclusive and inclusive;
// both are 0 for an agent that has no bank. A bank keeps its number for good,
// so it is looked up once.
func (s *Store) bankRange(ctx context.Context, agent string) (low, high int64, err error) {
	bank, known := s.banks.Load(agent)
	if !known {
		var number int64
		err = s.read.QueryRowContext(ctx, `SELECT bank FROM banks WHERE agent = ?`, agent).Scan(&number)
		if errors.Is(err, sql.ErrNoRows) {
			return 0, 0, nil
		}
		if err != nil {
			return 0, 0, explain(err)
		}
		bank = number
		s.banks.Store(agent, number)
	}
	number := bank.(int64)
	return number << bankShift, (number+1)<<bankShift - 1, nil
}
