package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

const turnDetailsQuery = `SELECT x.id, x.input_source, x.thinking, x.tool_calls, x.tool_call_id, x.classification, x.tokens
	FROM json_each(?2) j CROSS JOIN turn_details x ON x.agent = ?1 AND x.id = j.value`

// addDetails sets the details of those turns that have some; all turns are of one agent.
func addDetails(ctx context.Context, q queryer, agent string, turns []rows.Turn) error {
	return rows.LoadTurnDetails(turns, func(ids []string) ([]rows.TurnDetails, error) {
		return queryAll(ctx, q, rows.ScanTurnDetails, turnDetailsQuery, agent, rows.List(ids))
	})
}

const callsQuery = `SELECT d.seq, x.tool_calls FROM json_each(?) j CROSS JOIN turns d ON d.seq = j.value
	CROSS JOIN turn_details x ON x.agent = d.agent AND x.id = d.id`

// addCalls sets the searched text of tool calls in documents; called are the numbers of those that
// have tool calls.
func (s *Store) addCalls(ctx context.Context, docs []memory.Document, called []int64) error {
	return rows.LoadCalls(docs, called, func(seqs []int64) ([]rows.Calls, error) {
		return queryAll(ctx, s.read, rows.ScanCalls, callsQuery, rows.List(seqs))
	})
}
