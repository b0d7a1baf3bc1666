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
	return turns, addDetails(ctx, s.read, agent, turns)
}

// turnDocuments runs a query for turns and reads them as documents.
func (s *Store) turnDocuments(ctx context.Context, query string, args ...any) ([]memory.Document, error) {
	var called []int64
	docs, err := queryAll(ctx, s.read, rows.TurnDocument(&called), `SELECT `+rows.TurnColumns+query, args...)
	if err != nil {
		return nil, err
	}
	return docs, s.addCalls(ctx, docs, called)
}

// InsertTurns implements [memory.Tx].
func (t *tx) InsertTurns(turns []memory.Turn, vectors [][]float32) (int, error) {
	for _, turn := range turns {
		if err := t.CheckAgent("turn", turn.Agent); err != nil {
			return 0, err
		}
	}
	stored := 0
	for from := 0; from < len(turns); {
		to := from + 1
		for to < len(turns) && turns[to].Session == turns[from].Session {
			to++
		}
		fresh, err := t.unknown(turns[from:to])
		if err != nil {
			return 0, err
		}
		if err := t.insertTurns(turns[from:to], fresh, vectors[min(from, len(vectors)):]); err != nil {
			return 0, err
		}
		stored += len(fresh)
		from = to
	}
	return stored, nil
}

// unknown returns the indexes of those turns, all of one session, that are new to the session:
// without an external id, or with one that neither the session nor an earlier one of turns has.
func (t *tx) unknown(turns []memory.Turn) (fresh []int, err error) {
	var ids []string
	for _, turn := range turns {
		ids = append(ids, turn.ExternalID)
	}
	there, err := queryAll(t.ctx, t.tx, rows.ScanText, `SELECT d.external_id FROM json_each(?3) j
		CROSS JOIN turns d ON d.agent = ?1 AND d.session = ?2 AND d.external_id = j.value AND d.external_id <> ''`,
		t.agent, turns[0].Session, rows.List(ids))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, id := range there {
		seen[id] = true
	}
	for i, turn := range turns {
		if turn.ExternalID == "" || !seen[turn.ExternalID] {
			fresh = append(fresh, i)
			seen[turn.ExternalID] = true
		}
	}
	return fresh, nil
}

// insertTurns inserts those of one session's turns whose indexes are in fresh.
func (t *tx) insertTurns(turns []memory.Turn, fresh []int, vectors [][]float32) error {
	if len(fresh) == 0 {
		return nil
	}
	first, next := turns[fresh[0]], 0
	err := t.tx.QueryRowContext(t.ctx, `INSERT INTO sessions (agent, session, project, turns, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT DO UPDATE SET turns = turns + ?4 RETURNING turns - ?4`,
		t.agent, first.Session, first.Project, len(fresh), rows.Micros(first.CreatedAt)).Scan(&next)
	if err != nil {
		return err
	}
	for n, i := range fresh {
		turn := turns[i]
		turn.Index = next + n
		var vector []float32
		if i < len(vectors) {
			vector = vectors[i]
		}
		if err := t.insertTurn(turn, vector); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) insertTurn(turn memory.Turn, vector []float32) error {
	seq := t.nextSeq()
	err := t.Exec(`INSERT INTO turns (`+rows.NewTurnColumns+`) VALUES (`+rows.Placeholders(rows.NewTurn)+`)`,
		rows.NewTurnValues(seq, turn)...)
	if err != nil {
		return err
	}
	if err := t.InsertTurnDetails(turn); err != nil {
		return err
	}
	return t.index(memory.Conversations, seq, turn.SearchText(), vector)
}

// pageSize is how many rows are read at a time in a walk over a bank, such as EachRecord. No reading
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

// inBank ends a query for a page of documents (alias d) with low < seq ≤ high.
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

// bankOfDocuments returns a bank's number by the number of one of its documents, for when table
// banks is damaged; nil if it has none.
func (s *Store) bankOfDocuments(ctx context.Context, agent string) (number *int64, err error) {
	for _, c := range memory.Corpora() {
		number, err = queryOne(ctx, s.read, rows.ScanInt64, `SELECT seq >> ? FROM `+rows.Table(c)+` WHERE agent = ? LIMIT 1`,
			rows.BankShift, agent)
		if number != nil {
			break
		}
	}
	return number, explain(err)
}
