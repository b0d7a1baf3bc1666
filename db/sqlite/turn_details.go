package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"mcp-memory/memory"
)

// storedCall is a [memory.ToolCall] in a turn's row. The arguments are a
// string: as JSON inside JSON they would be rewritten, and the text that is
// searched would not be the text that was indexed.
type storedCall struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	Arguments string `json:"arguments,omitempty"`
	Result    string `json:"result,omitempty"`
	Error     string `json:"error,omitempty"`
}

// detailsOf is the value of turns.details.
func detailsOf(t memory.Turn) int {
	switch {
	case t.Details == nil:
		return noDetails
	case len(t.Details.ToolCalls) == 0:
		return withDetails
	}
	return withCalls
}

func (t *tx) insertTurnDetails(id string, d memory.TurnDetails) error {
	calls := make([]storedCall, len(d.ToolCalls))
	for i, c := range d.ToolCalls {
		calls[i] = storedCall{ID: c.ID, Name: c.Name, Arguments: string(c.Arguments), Result: c.Result, Error: c.Error}
	}
	list, err := json.Marshal(calls)
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO turn_details (agent, id, input_source, thinking, tool_calls, tool_call_id, classification, tokens)
		VALUES (`+placeholders(8)+`)`, t.agent, id, d.InputSource, d.Thinking, string(list), d.ToolCallID, d.Classification, d.Tokens)
}

// fromCalls scans the tool calls of a turn.
func fromCalls(calls *[]memory.ToolCall) scanFunc {
	return func(column any) error {
		var stored []storedCall
		if err := fromJSON(&stored).Scan(column); err != nil {
			return err
		}
		for _, c := range stored {
			call := memory.ToolCall{ID: c.ID, Name: c.Name, Result: c.Result, Error: c.Error}
			if c.Arguments != "" {
				call.Arguments = json.RawMessage(c.Arguments)
			}
			*calls = append(*calls, call)
		}
		return nil
	}
}

// turnDetails are the details of one turn, by its id.
type turnDetails struct {
	memory.TurnDetails
	id string
}

func scanTurnDetails(rows *sql.Rows) (d turnDetails, err error) {
	err = rows.Scan(&d.id, &d.InputSource, &d.Thinking, fromCalls(&d.ToolCalls), &d.ToolCallID, &d.Classification, &d.Tokens)
	return d, ofRow(err, "details of turn", d.id)
}

const turnDetailsQuery = `SELECT x.id, x.input_source, x.thinking, x.tool_calls, x.tool_call_id, x.classification, x.tokens
	FROM json_each(?2) j CROSS JOIN turn_details x ON x.agent = ?1 AND x.id = j.value`

// addDetails reads the details of those turns that have some.
func (s *Store) addDetails(ctx context.Context, agent string, turns []storedTurn) error {
	places := map[string]int{}
	var ids []string
	for i, t := range turns {
		if t.details != noDetails {
			places[t.ID] = i
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	all, err := queryAll(ctx, s.read, scanTurnDetails, turnDetailsQuery, agent, jsonList(ids))
	for _, d := range all {
		turns[places[d.id]].Details = &d.TurnDetails
	}
	return err
}

// calls is what is searched of a turn's tool calls.
type calls struct {
	seq  int64
	text string
}

func scanCalls(rows *sql.Rows) (c calls, err error) {
	var d memory.TurnDetails
	err = rows.Scan(&c.seq, fromCalls(&d.ToolCalls))
	c.text = d.Text()
	return c, ofRow(err, "tool calls of turn", c.seq)
}

const callsQuery = `SELECT d.seq, x.tool_calls FROM json_each(?) j CROSS JOIN turns d ON d.seq = j.value
	CROSS JOIN turn_details x ON x.agent = d.agent AND x.id = d.id`

// addCalls fills in what is searched of the tool calls of those documents that
// have some: called are their numbers.
func (s *Store) addCalls(ctx context.Context, docs []memory.Document, called []int64) error {
	if len(called) == 0 {
		return nil
	}
	all, err := queryAll(ctx, s.read, scanCalls, callsQuery, jsonList(called))
	texts := make(map[int64]string, len(all))
	for _, c := range all {
		texts[c.seq] = c.text
	}
	for i := range docs {
		docs[i].Calls = texts[docs[i].Seq]
	}
	return err
}
