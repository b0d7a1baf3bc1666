package postgres

import (
	"context"
	"math"
	"slices"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// turns returns the turns of an agent that a query selects; the query is what comes after FROM
// turns d.
func turns(src rows.Source, agent, query string, args ...any) ([]rows.Turn, error) {
	list, err := rows.All(src, rows.ScanTurn, `SELECT `+rows.TurnColumns+` FROM turns d `+query, args...)
	if err != nil {
		return nil, err
	}
	return list, rows.LoadTurnDetails(list, func(ids []string) ([]rows.TurnDetails, error) {
		return rows.All(src, rows.ScanTurnDetails, detailsOfTurns, agent, ids)
	})
}

const detailsOfTurns = `SELECT x.id, x.input_source, x.thinking, x.tool_calls, x.tool_call_id, x.classification, x.tokens
	FROM turn_details x WHERE x.agent = ? AND x.id = ANY (?::text[])`

// addCalls fills in what is searched of tool calls, for those of the documents whose numbers are in
// called.
func addCalls(src rows.Source, agent string, docs []memory.Document, called []int64) error {
	return rows.LoadCalls(docs, called, func(seqs []int64) ([]rows.Calls, error) {
		return rows.All(src, rows.ScanCalls,
			`SELECT d.seq, x.tool_calls FROM turns d JOIN turn_details x ON x.agent = d.agent AND x.id = d.id
			WHERE d.agent = ? AND d.seq = ANY (?::bigint[])`, agent, seqs)
	})
}

// InsertTurns implements [memory.Tx].
func (t *tx) InsertTurns(turns []memory.Turn, vectors [][]float32) (int, error) {
	stored := 0
	for i, turn := range turns {
		if err := t.CheckAgent("turn", turn.Agent); err != nil {
			return 0, err
		}
		known, err := t.known(turn.Session, turn.ExternalID)
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

// known reports whether a session has a turn with an external id.
func (t *tx) known(session, externalID string) (bool, error) {
	if externalID == "" {
		return false, nil
	}
	index, err := t.TurnPosition(session, externalID)
	return index >= 0, err
}

func (t *tx) insertTurn(turn memory.Turn, vector []float32) error {
	t.dirty = true
	err := rows.Into(t, []any{&turn.Index}, `INSERT INTO sessions AS s (agent, session, project, turns, created_at) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT (agent, session) DO UPDATE SET turns = s.turns + 1 RETURNING turns - 1`,
		t.agent, turn.Session, turn.Project, rows.Micros(turn.CreatedAt))
	if err != nil {
		return err
	}
	seq := t.nextSeq()
	err = t.Exec(`INSERT INTO turns (`+rows.NewTurnColumns+`) VALUES (`+rows.Placeholders(rows.NewTurn)+`)`,
		rows.NewTurnValues(seq, turn)...)
	if err != nil {
		return err
	}
	if err := t.InsertTurnDetails(turn); err != nil {
		return err
	}
	return t.index(memory.Conversations, seq, turn.SearchText(), vector)
}

// EachTurn implements [memory.Reader].
func (s *Store) EachTurn(ctx context.Context, agent string, fn func(memory.Turn) error) error {
	src := s.as(ctx, agent)
	return eachPage(int64(0), func(after int64) ([]rows.Turn, error) {
		return turns(src, agent, inBank, agent, after, pageSize)
	}, func(t rows.Turn) (int64, error) { return t.Seq, fn(t.Turn) })
}

// Turns implements [memory.WorkingReader].
func (s *Store) Turns(ctx context.Context, agent, session string, from, to int) ([]memory.Turn, error) {
	if to == 0 {
		to = math.MaxInt
	}
	stored, err := turns(s.as(ctx, agent), agent,
		`WHERE d.agent = ? AND d.session = ? AND d.turn_index >= ? AND d.turn_index < ? ORDER BY d.turn_index`,
		agent, session, from, to)
	return rows.Turns(stored), err
}

// UnarchivedTurns implements [memory.WorkingReader].
func (s *Store) UnarchivedTurns(ctx context.Context, agent string, limit int) ([]memory.Turn, int, error) {
	src := s.as(ctx, agent)
	var total int
	if err := rows.Into(src, []any{&total}, `SELECT count(*) FROM turns WHERE agent = ? AND archived_at IS NULL`, agent); err != nil {
		return nil, 0, err
	}
	stored, err := turns(src, agent, `WHERE d.agent = ? AND d.archived_at IS NULL ORDER BY d.said_at, d.seq LIMIT ?`, agent, limit)
	return rows.Turns(stored), total, err
}

// ArchiveTurns implements [memory.Working].
func (t *tx) ArchiveTurns(ids []string, at time.Time) (int, error) {
	err := t.Exec(`UPDATE turns SET archived_at = ? WHERE agent = ? AND id = ANY (?::text[])`, rows.Micros(at), t.agent, ids)
	if err != nil {
		return 0, err
	}
	n, err := rows.One(t, rows.ScanInt64, `SELECT count(*) FROM turns WHERE agent = ? AND id = ANY (?::text[])`, t.agent, ids)
	if err != nil {
		return 0, err
	}
	return int(*n), nil
}

// Sessions implements [memory.SessionReader], in the order of the bytes of the names, which is not
// that of the table's key.
func (s *Store) Sessions(ctx context.Context, agent, prefix string, limit int) ([]string, error) {
	names, err := rows.All(s.as(ctx, agent), rows.ScanText, `SELECT session FROM sessions
		WHERE agent = ?1 AND turns > 0 AND starts_with(session, ?2) ORDER BY session COLLATE "C" LIMIT ?3`, agent, prefix, limit)
	return slices.Clip(names), err
}
