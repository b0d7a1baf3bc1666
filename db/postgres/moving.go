package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

var _ memory.Mover = (*Store)(nil)

// Place implements [memory.Mover].
func (s *Store) Place(ctx context.Context) (place string, err error) {
	err = rows.Into(s.as(ctx, everyone), []any{&place}, `SELECT 'postgres:' || c.system_identifier || '/' || d.oid || '/' || current_schema
		FROM pg_control_system() c, pg_database d WHERE d.datname = current_database()`)
	return place, err
}

// Carried implements [memory.Mover].
func (s *Store) Carried() []memory.CarriedTable { return rows.Carried() }

// Depart implements [memory.Mover].
func (s *Store) Depart(ctx context.Context, fn func(memory.Departure) error) error {
	return explain(pgx.BeginTxFunc(ctx, s.read, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly},
		func(t pgx.Tx) error {
			return fn(departure{ctx, t})
		}))
}

// departure is a [memory.Departure].
type departure struct {
	ctx context.Context
	tx  pgx.Tx
}

// each runs a query with the rights of an agent and calls fn for each row.
func (d departure) each(fn func(pgx.Rows) error, agent, sql string, args ...any) error {
	if _, err := d.tx.Exec(d.ctx, nameAgent, agent); err != nil {
		return explain(err)
	}
	found, err := d.tx.Query(d.ctx, bind(sql), args...)
	if err != nil {
		return explain(err)
	}
	defer found.Close()
	for found.Next() {
		if err := fn(found); err != nil {
			return err
		}
	}
	return explain(found.Err())
}

// Agents implements [memory.Departure].
func (d departure) Agents() (agents []string, err error) {
	err = d.each(func(row pgx.Rows) error {
		agent, err := rows.ScanText(row)
		agents = append(agents, agent)
		return err
	}, everyone, rows.AllAgents)
	return agents, err
}

// EachRow implements [memory.Departure].
func (d departure) EachRow(agent, table string, fn func(memory.CarriedRow) error) error {
	from, err := rows.Depart(agent, table)
	if err != nil {
		return err
	}
	return d.each(func(row pgx.Rows) error {
		values, err := row.Values()
		if err != nil {
			return err
		}
		return fn(from.Row(values))
	}, agent, from.Query, agent)
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
	mark, err := rows.One(s.as(ctx, agent), rows.ScanJSON, rows.StateQuery, agent, memory.StateMoved)
	return rows.OrNil(mark), err
}

// receiver is a [rows.Receiver].
type receiver struct{ *tx }

// Bank implements [rows.Receiver].
func (r receiver) Bank() (string, int64) { return r.agent, r.bank }

// Called implements [rows.Receiver].
func (r receiver) Called(ids []string) (map[string]*memory.TurnDetails, error) {
	list, err := rows.All(r, rows.ScanTurnDetails, detailsOfTurns, r.agent, ids)
	details := make(map[string]*memory.TurnDetails, len(list))
	for _, d := range list {
		details[d.ID] = &d.TurnDetails
	}
	return details, err
}

// Filed implements [rows.Receiver].
func (r receiver) Filed(seq int64, content string) error {
	return r.file(seq, rows.SlotsOf(content))
}

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
