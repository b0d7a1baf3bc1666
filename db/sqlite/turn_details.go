package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

func (t *tx) insertTurnDetails(id string, d memory.TurnDetails) error {
	values, err := rows.TurnDetailValues(t.agent, id, d)
	if err != nil {
		return err
	}
	return t.Exec(`INSERT INTO turn_details (`+rows.TurnDetailColumns+`) VALUES (`+rows.Placeholders(len(values))+`)`, values...)
}

const turnDetailsQuery = `SELECT x.id, x.input_source, x.thinking, x.tool_calls, x.tool_call_id, x.classification, x.tokens
	FROM json_each(?2) j CROSS JOIN turn_details x ON x.agent = ?1 AND x.id = j.value`

// addDetails reads the details of those turns that have some.
func (s *Store) addDetails(ctx context.Context, agent string, turns []rows.Turn) error {
	places := map[string]int{}
	var ids []string
	for i, t := range turns {
		if t.More != rows.NoDetails {
			places[t.ID] = i
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	all, err := queryAll(ctx, s.read, rows.ScanTurnDetails, turnDetailsQuery, agent, rows.List(ids))
	for _, d := range all {
		turns[places[d.ID]].Details = &d.TurnDetails
	}
	return err
}

const callsQuery = `SELECT d.seq, x.tool_calls FROM json_each(?) j CROSS JOIN turns d ON d.seq = j.value
	CROSS JOIN turn_details x ON x.agent = d.agent AND x.id = d.id`

// addCalls fills in what is searched of the tool calls of those documents that
// have some: called are their numbers.
func (s *Store) addCalls(ctx context.Context, docs []memory.Document, called []int64) error {
	if len(called) == 0 {
		return nil
	}
	all, err := queryAll(ctx, s.read, rows.ScanCalls, callsQuery, rows.List(called))
	texts := make(map[int64]string, len(all))
	for _, c := range all {
		texts[c.Seq] = c.Text
	}
	for i := range docs {
		docs[i].Calls = texts[docs[i].Seq]
	}
	return err
}
