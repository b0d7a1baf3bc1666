package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

const turnDetailsQuery = `SELECT x.id, x.input_source, x.thinking, x.tool_calls, x.tool_call_id, x.classification, x.tokens
	FROM json_each(?2) j CROSS JOIN turn_details x ON x.agent = ?1 AND x.id = j.value`

// addDetails reads the details of those turns that have some.
func addDetails(ctx context.Context, q queryer, agent string, turns []rows.Turn) error {
	return rows.LoadTurnDetails(turns, func(ids []string) ([]rows.TurnDetails, error) {
		return queryAll(ctx, q, rows.ScanTurnDetails, turnDetailsQuery, agent, rows.List(ids))
	})
}

const callsQuery = `SELECT d.seq, x.tool_calls FROM json_each(?) j CROSS JOIN turns d ON d.seq = j.value
	CROSS JOIN turn_details x ON x.agent = d.agent AND x.id = d.id`

// addCalls fills in what is searched of the tool calls of those documents that
// have some: called are their numbers.
func (s *Store) addCalls(ctx context.Context, docs []memory.Document, called []int64) error {
	return rows.LoadCalls(docs, called, func(seqs []int64) ([]rows.Calls, error) {
		return queryAll(ctx, s.read, rows.ScanCalls, callsQuery, rows.List(seqs))
	})
}
