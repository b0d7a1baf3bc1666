package rows

import (
	"database/sql"
	"encoding/json"

	"mcp-memory/memory"
)

// Values of column turns.details, which saves looking for details that are not there.
const (
	NoDetails   = iota
	WithDetails // the turn has a row in turn_details
	WithCalls   // and that row has tool calls
)

// TurnColumns are what ScanTurn reads, of alias d.
const TurnColumns = `d.seq, d.agent, d.id, d.project, d.session, d.turn_index, d.role, d.speaker, d.content,
	d.external_id, d.metadata, d.said_at, d.created_at, d.archived_at, d.details, d.checksum`

// Turn is a turn as its row has it: its Details come by a second query, and
// only if it has any.
type Turn struct {
	memory.Turn
	Seq  int64
	More int // NoDetails, WithDetails or WithCalls
}

// ScanTurn reads a turn.
func ScanTurn(row Row) (t Turn, err error) {
	var sum sql.NullInt64
	err = row.Scan(&t.Seq, &t.Agent, &t.ID, &t.Project, &t.Session, &t.Index, &t.Role, &t.Speaker, &t.Content,
		&t.ExternalID, FromText(&t.Metadata), FromMicros(&t.SaidAt), FromMicros(&t.CreatedAt), FromMicros(&t.ArchivedAt), &t.More, &sum)
	t.Damaged = Differs(sum, TurnSum(&t.Turn))
	return t, err
}

// Document returns the turn as a search result, without its tool calls; see [LoadCalls].
func (t Turn) Document() memory.Document {
	return memory.Document{
		Seq: t.Seq, Corpus: memory.Conversations, Session: t.Session, Index: t.Index, Speaker: t.Speaker, Role: t.Role,
		Record: memory.Record{
			ID: t.ID, Agent: t.Agent, Project: t.Project, Kind: memory.KindTurn, Content: t.Content, ExternalID: t.ExternalID,
			Metadata: t.Metadata, OccurredAt: t.SaidAt, CreatedAt: t.CreatedAt,
			ArchivedAt: t.ArchivedAt, Confirmations: 1, Damaged: t.Damaged,
		},
	}
}

// Turns takes the turns out of their rows.
func Turns(stored []Turn) []memory.Turn {
	turns := make([]memory.Turn, len(stored))
	for i, t := range stored {
		turns[i] = t.Turn
	}
	return turns
}

// NewTurnColumns are what NewTurnValues gives the values of.
const NewTurnColumns = `seq, agent, id, project, session, turn_index, role, speaker, content, external_id,
	metadata, said_at, created_at, archived_at, details, checksum`

// NewTurn is how many columns a new turn has.
const NewTurn = 16

// NewTurnValues gives the values of NewTurnColumns.
func NewTurnValues(seq int64, t memory.Turn) []any {
	return []any{
		seq, t.Agent, t.ID, t.Project, t.Session, t.Index, string(t.Role), t.Speaker, t.Content, t.ExternalID,
		Text(t.Metadata), Micros(t.SaidAt), Micros(t.CreatedAt), Micros(t.ArchivedAt), more(t), StoredSum(TurnSum(&t), t.Damaged),
	}
}

// more is the value of turns.details.
func more(t memory.Turn) int {
	switch {
	case t.Details == nil:
		return NoDetails
	case len(t.Details.ToolCalls) == 0:
		return WithDetails
	}
	return WithCalls
}

// MirroredTurnColumns are what an index in memory needs of a turn, of alias d.
const MirroredTurnColumns = `d.seq, d.content, d.created_at, d.said_at, d.session, d.turn_index, d.speaker, d.role, d.details`

// ScanMirroredTurn reads them, and whether there is more of the turn.
func ScanMirroredTurn(row Row) (d memory.Document, more int, err error) {
	d.Corpus = memory.Conversations
	err = row.Scan(&d.Seq, &d.Content, FromMicros(&d.CreatedAt), FromMicros(&d.OccurredAt), &d.Session, &d.Index, &d.Speaker,
		&d.Role, &more)
	return d, more, err
}

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

// turnDetailColumns are what turnDetailValues gives the values of and, with the
// alias x and without the agent, what ScanTurnDetails reads.
const turnDetailColumns = `agent, id, input_source, thinking, tool_calls, tool_call_id, classification, tokens`

// turnDetailValues gives the values of turnDetailColumns.
func turnDetailValues(agent, id string, d memory.TurnDetails) ([]any, error) {
	calls := make([]storedCall, len(d.ToolCalls))
	for i, c := range d.ToolCalls {
		calls[i] = storedCall{ID: c.ID, Name: c.Name, Arguments: string(c.Arguments), Result: c.Result, Error: c.Error}
	}
	list, err := json.Marshal(calls)
	return []any{agent, id, d.InputSource, d.Thinking, string(list), d.ToolCallID, string(d.Classification), d.Tokens}, err
}

// fromCalls scans the tool calls of a turn.
func fromCalls(calls *[]memory.ToolCall) ScanFunc {
	return func(column any) error {
		var stored []storedCall
		if err := FromList(&stored).Scan(column); err != nil {
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

// TurnDetails are the details of one turn, by its id.
type TurnDetails struct {
	memory.TurnDetails
	ID string
}

// ScanTurnDetails reads id, input_source, thinking, tool_calls, tool_call_id, classification and tokens.
func ScanTurnDetails(row Row) (d TurnDetails, err error) {
	err = row.Scan(&d.ID, &d.InputSource, &d.Thinking, fromCalls(&d.ToolCalls), &d.ToolCallID, &d.Classification, &d.Tokens)
	return d, of(err, "details of turn", d.ID)
}

// LoadTurnDetails sets the details of turns. It calls load with the ids of those turns that have
// details, and not at all if none has.
func LoadTurnDetails(turns []Turn, load func(ids []string) ([]TurnDetails, error)) error {
	places := map[string]int{}
	var ids []string
	for i, t := range turns {
		if t.More != NoDetails {
			places[t.ID] = i
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	details, err := load(ids)
	for _, d := range details {
		turns[places[d.ID]].Details = &d.TurnDetails
	}
	return err
}

// Calls is the searched text of a turn's tool calls.
type Calls struct {
	Seq  int64
	Text string
}

// ScanCalls reads the turn's number and its tool_calls.
func ScanCalls(row Row) (c Calls, err error) {
	var d memory.TurnDetails
	err = row.Scan(&c.Seq, fromCalls(&d.ToolCalls))
	c.Text = d.Text()
	return c, of(err, "tool calls of turn", c.Seq)
}

// TurnDocument returns a function that reads TurnColumns as a document, and appends to called the
// numbers of turns that have tool calls; see [LoadCalls].
func TurnDocument(called *[]int64) func(Row) (memory.Document, error) {
	return func(row Row) (memory.Document, error) {
		t, err := ScanTurn(row)
		if t.More == WithCalls {
			*called = append(*called, t.Seq)
		}
		return t.Document(), err
	}
}

// LoadCalls sets the searched text of the tool calls of documents. It calls load with called, the
// numbers of those that have tool calls, and not at all if none has.
func LoadCalls(docs []memory.Document, called []int64, load func(seqs []int64) ([]Calls, error)) error {
	if len(called) == 0 {
		return nil
	}
	all, err := load(called)
	texts := make(map[int64]string, len(all))
	for _, c := range all {
		texts[c.Seq] = c.Text
	}
	for i := range docs {
		docs[i].Calls = texts[docs[i].Seq]
	}
	return err
}
