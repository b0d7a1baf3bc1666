package transcripts

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// plainMessage is a message as in chat APIs.
type plainMessage struct {
	Type       string          `json:"type"`
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Name       string          `json:"name"`
	ID         jsonl.Name      `json:"id"`
	ExternalID jsonl.Name      `json:"external_id"`
	Session    jsonl.Name      `json:"session_id"`
	TS         jsonl.Moment    `json:"ts"`
	Timestamp  jsonl.Moment    `json:"timestamp"`
	Thinking   string          `json:"thinking"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []plainCall     `json:"tool_calls"`
}

// plainCall is a call, with name and arguments at the top or, as in OpenAI's API, in "function".
type plainCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Result    json.RawMessage `json:"result"`
	Error     json.RawMessage `json:"error"`
	Function  struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

func (c plainCall) call() memory.ToolCall {
	return memory.ToolCall{
		ID: c.ID, Name: cmp.Or(c.Name, c.Function.Name), Arguments: object(c.Arguments, c.Function.Arguments),
		Result: text(c.Result), Error: text(c.Error),
	}
}

func (d *reading) plainLine(line []byte) ([]memory.Turn, error) {
	var m plainMessage
	if err := jsonl.DecodeKnown(line, &m); err != nil {
		return nil, err
	}
	if m.Role == "" || m.Type != "" && m.Type != "message" {
		return nil, nil // a summary, a snapshot, a setting
	}
	d.begin(string(m.Session), "")
	return d.turns(m)
}

// turns returns the turns of a message: first the tool results in it, then the message itself.
func (d *reading) turns(m plainMessage) ([]memory.Turn, error) {
	t := memory.Turn{
		Session: d.state.Session, Role: memory.Role(strings.ToLower(m.Role)), Speaker: m.Name,
		ExternalID: string(cmp.Or(m.ExternalID, m.ID)), SaidAt: m.TS.Time,
		Details: &memory.TurnDetails{Thinking: m.Thinking, ToolCallID: m.ToolCallID},
	}
	if t.SaidAt.IsZero() {
		t.SaidAt = m.Timestamp.Time
	}
	if other, ok := otherRoles[t.Role]; ok {
		t.Role = other
	}
	if !slices.Contains(memory.Roles(), t.Role) {
		return nil, fmt.Errorf("role %q does not exist: system, user, assistant and tool do", m.Role)
	}
	for _, c := range m.ToolCalls {
		t.Details.ToolCalls = append(t.Details.ToolCalls, c.call())
	}
	texts, results, err := d.content(&t, m.Content)
	if err != nil {
		return nil, err
	}
	t.Content = strings.Join(texts, "\n")
	if t.Role == memory.RoleTool {
		d.end(t.Details.ToolCallID, t.SaidAt, t.Content, strings.HasPrefix(t.Content, "Error: "))
		if d.answered(&t) {
			return results, nil
		}
	}
	return append(results, t), nil
}

// otherRoles maps role names of some hosts to the roles.
var otherRoles = map[memory.Role]memory.Role{
	"human": memory.RoleUser, "model": memory.RoleAssistant, "developer": memory.RoleSystem, "function": memory.RoleTool,
}

// begin takes session and folder from a line. A new session resets what is known of the former one.
func (d *reading) begin(session, dir string) {
	if session = cmp.Or(session, d.state.Session); session != d.state.Session {
		d.state.Session, d.state.Dir, d.state.Cwd, d.state.Calls = session, d.Dir, "", nil
	}
	if d.state.Dir == "" {
		d.state.Dir = dir
	}
	if dir != "" {
		d.state.Cwd = dir
	}
}

// call registers a call whose result is to come.
func (d *reading) call(id, tool string) {
	if id == "" {
		return
	}
	if d.state.Calls == nil || len(d.state.Calls) >= maxCalls {
		d.state.Calls = map[string]called{}
	}
	d.state.Calls[id] = called{Tool: tool, Own: d.own(tool)}
}

func (d *reading) own(tool string) bool { return d.Own != nil && d.Own(tool) }

// answered sets the speaker of a tool's turn to the tool's name, if the call is known. own says
// that the tool belongs to this program.
func (d *reading) answered(t *memory.Turn) (own bool) {
	c, known := d.state.Calls[t.Details.ToolCallID]
	if !known {
		return false
	}
	delete(d.state.Calls, t.Details.ToolCallID)
	if t.Speaker == "" {
		t.Speaker = c.Tool
	}
	return c.Own
}
