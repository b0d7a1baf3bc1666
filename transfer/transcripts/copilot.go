package transcripts

import (
	"cmp"
	"encoding/json"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// copilotLine is an event of a session of Copilot CLI.
type copilotLine struct {
	Type      string       `json:"type"`
	ID        jsonl.Name   `json:"id"`
	Timestamp jsonl.Moment `json:"timestamp"`
	AgentID   string       `json:"agentId"`
	Data      struct {
		SessionID jsonl.Name `json:"sessionId"`
		Context   struct {
			Cwd string `json:"cwd"`
		} `json:"context"`
		Content   json.RawMessage `json:"content"`
		Source    string          `json:"source"`
		Parent    string          `json:"parentToolCallId"`
		Reasoning string          `json:"reasoningText"`
		Requests  []struct {
			ID        string          `json:"toolCallId"`
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"toolRequests"`
		CallID   string          `json:"toolCallId"`
		ToolName string          `json:"toolName"`
		Success  *bool           `json:"success"`
		Result   json.RawMessage `json:"result"`
		Error    json.RawMessage `json:"error"`
	} `json:"data"`
}

func (d *reading) copilotLine(line []byte) ([]memory.Turn, error) {
	var l copilotLine
	if err := jsonl.DecodeKnown(line, &l); err != nil {
		return nil, err
	}
	if l.Data.Parent != "" || l.AgentID != "" {
		return nil, nil // of a sub-agent
	}
	d.begin("", "")
	t := memory.Turn{
		Session: d.state.Session, SaidAt: l.Timestamp.Time, ExternalID: string(l.ID), Content: text(l.Data.Content),
		Details: &memory.TurnDetails{},
	}
	switch l.Type {
	case "session.start", "session.resume":
		d.begin(string(l.Data.SessionID), l.Data.Context.Cwd)
		return nil, nil
	case "user.message":
		if l.Data.Source != "" && l.Data.Source != "user" {
			return nil, nil // written by a skill or the host
		}
		t.Role = memory.RoleUser
	case "assistant.message":
		t.Role, t.Details.Thinking = memory.RoleAssistant, l.Data.Reasoning
		for _, r := range l.Data.Requests {
			t.Details.ToolCalls = append(t.Details.ToolCalls, memory.ToolCall{ID: r.ID, Name: r.Name, Arguments: object(r.Arguments)})
		}
	case "tool.execution_start":
		if _, known := d.state.Calls[l.Data.CallID]; !known {
			d.call(l.Data.CallID, l.Data.ToolName)
		}
		return nil, nil
	case "tool.execution_complete":
		r, own := d.copilotResult(t, l)
		if own {
			return nil, nil
		}
		t = r
	default:
		return nil, nil
	}
	return []memory.Turn{t}, nil
}

// copilotResult returns the turn of a call that has ended, and whether the tool belongs to this
// program.
func (d *reading) copilotResult(t memory.Turn, l copilotLine) (memory.Turn, bool) {
	var result struct {
		Content json.RawMessage `json:"content"`
	}
	content := l.Data.Result
	if len(content) > 0 && content[0] == '{' && json.Unmarshal(content, &result) == nil && result.Content != nil {
		content = result.Content
	}
	var failure struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(l.Data.Error, &failure) // the error may be a string
	failed := l.Data.Success != nil && !*l.Data.Success
	said := text(content)
	if failed {
		said = cmp.Or(failure.Message, text(l.Data.Error), said)
	}
	r, own := d.result(t, t.ExternalID, l.Data.CallID, said, failed)
	if r.Speaker == "" {
		r.Speaker = l.Data.ToolName
	}
	return r, own || d.own(l.Data.ToolName)
}
