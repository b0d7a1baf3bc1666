package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"mcp-memory/memory"
)

// What turns.details says: whether there is more to read of a turn.
const (
	noDetails   = iota
	withDetails // in turn_details
	withCalls   // and tool calls in it
)

// turnColumns are what scanTurn reads, of alias d.
const turnColumns = `d.seq, d.agent, d.id, d.project, d.session, d.turn_index, d.role, d.speaker, d.content,
	d.external_id, d.metadata, d.said_at, d.created_at, d.archived_at, d.details, d.checksum`

// storedTurn is a turn as its row has it: Details come by a second query, and
// only for those that have any.
type storedTurn struct {
	memory.Turn
	seq     int64
	details int
}

func scanTurn(rows *sql.Rows) (t storedTurn, err error) {
	var sum sql.NullInt64
	err = rows.Scan(&t.seq, &t.Agent, &t.ID, &t.Project, &t.Session, &t.Index, &t.Role, &t.Speaker, &t.Content,
		&t.ExternalID, fromText(&t.Metadata), fromMicros(&t.SaidAt), fromMicros(&t.CreatedAt), fromMicros(&t.ArchivedAt), &t.details, &sum)
	t.Damaged = differs(sum, turnSum(&t.Turn))
	return t, err
}

func (t storedTurn) document() memory.Document {
	return memory.Document{
		Seq: t.seq, Corpus: memory.Conversations, Session: t.Session, Index: t.Index, Speaker: t.Speaker, Role: t.Role,
		Record: memory.Record{
			ID: t.ID, Agent: t.Agent, Project: t.Project, Kind: memory.KindTurn, Content: t.Content, ExternalID: t.ExternalID,
			Metadata: t.Metadata, OccurredAt: t.SaidAt, CreatedAt: t.CreatedAt, ArchivedAt: t.ArchivedAt, Confirmations: 1, Damaged: t.Damaged,
		},
	}
}

// turns runs a query for turns of one agent and reads all of them.
func (s *Store) turns(ctx context.Context, agent, query string, args ...any) ([]storedTurn, error) {
	turns, err := queryAll(ctx, s.read, scanTurn, `SELECT `+turnColumns+` FROM turns d `+query, args...)
	if err != nil {
		return nil, err
	}
	return turns, s.addDetails(ctx, agent, turns)
}

// turnDocuments runs a query for turns and reads them as documents.
func (s *Store) turnDocuments(ctx context.Context, query string, args ...any) ([]memory.Document, error) {
	var called []int64
	docs, err := queryAll(ctx, s.read, func(rows *sql.Rows) (memory.Document, error) {
		t, err := scanTurn(rows)
		if t.details == withCalls {
			called = append(called, t.seq)
		}
		return t.document(), err
	}, `SELECT `+turnColumns+query, args...)
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
		t.agent, turn.Session, turn.Project, micros(turn.CreatedAt)).Scan(&turn.Index)
	if err != nil {
		return err
	}
	seq := t.nextSeq()
	err = t.exec(`INSERT INTO turns (seq, agent, id, project, session, turn_index, role, speaker, content, external_id,
		metadata, said_at, created_at, archived_at, details, checksum) VALUES (`+placeholders(16)+`)`,
		seq, turn.Agent, turn.ID, turn.Project, turn.Session, turn.Index, turn.Role, turn.Speaker, turn.Content, turn.ExternalID,
		text(turn.Metadata), micros(turn.SaidAt), micros(turn.CreatedAt), micros(turn.ArchivedAt), detailsOf(turn), storedSum(turnSum(&turn), turn.Damaged))
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
		return queryRecords(ctx, s.read, `SELECT `+recordColumns+` FROM records d`+inBank, after, high, limit)
	}, func(d memory.Document) (int64, error) { return d.Seq, fn(d.Record) })
}

// EachTurn implements [memory.Reader].
func (s *Store) EachTurn(ctx context.Context, agent string, fn func(memory.Turn) error) error {
	low, high, err := s.bankRange(ctx, agent)
	if err != nil {
		return err
	}
	return eachReadable(ctx, s, memory.Conversations, agent, low, func(after int64, limit int) ([]storedTurn, error) {
		return s.turns(ctx, agent, inBank, after, high, limit)
	}, func(t storedTurn) (int64, error) { return t.seq, fn(t.Turn) })
}

// inBank is a page of a bank's documents.
const inBank = ` WHERE d.seq > ? AND d.seq <= ? ORDER BY d.seq LIMIT ?`

// bankRange returns the bounds of an agent's seqs, exclusive and inclusive;
// both are 0 for an agent that has no bank. A bank keeps its number for good,
// so it is looked up once.
func (s *Store) bankRange(ctx context.Context, agent string) (low, high int64, err error) {
	bank, known := s.banks.Load(agent)
	if !known {
		number, err := queryOne(ctx, s.read, scanInt64, `SELECT bank FROM banks WHERE agent = ?`, agent)
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
	return number << bankShift, (number+1)<<bankShift - 1, nil
}

// bankOfDocuments tells a bank's number by what is in it, where the list of banks is damaged.
func (s *Store) bankOfDocuments(ctx context.Context, agent string) (number *int64, err error) {
	for _, c := range memory.Corpora() {
		number, err = queryOne(ctx, s.read, scanInt64, `SELECT seq >> ? FROM `+baseTable(c)+` WHERE agent = ? LIMIT 1`, bankShift, agent)
		if number != nil {
			break
		}
	}
	return number, explain(err)
}
