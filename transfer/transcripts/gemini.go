package transcripts

import (
	"encoding/json"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// geminiLine is the head of a session, a message, or a change ("$set") to one of them.
type geminiLine struct {
	SessionID   jsonl.Name      `json:"sessionId"`
	Kind        string          `json:"kind"`
	Directories []string        `json:"directories"`
	Messages    []geminiMessage `json:"messages"` // of a change, or of a whole session
	Set         *geminiLine     `json:"$set"`
	geminiMessage
}

// geminiMessage is a message. It is written again, with the same id, when its calls have ended.
type geminiMessage struct {
	ID        jsonl.Name      `json:"id"`
	Timestamp jsonl.Moment    `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	Thoughts  []geminiThought `json:"thoughts"`
	ToolCalls []geminiCall    `json:"toolCalls"`
}

type geminiThought struct {
	Subject     string `json:"subject"`
	Description string `json:"description"`
}

type geminiCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Args      json.RawMessage `json:"args"`
	Result    json.RawMessage `json:"result"`
	Status    string          `json:"status"`
	Timestamp jsonl.Moment    `json:"timestamp"`
}

func (d *reading) geminiLine(line []byte) ([]memory.Turn, error) {
	var l geminiLine
	if err := jsonl.Decode(line, &l); err != nil {
		return nil, err
	}
	if l.Set != nil {
		d.geminiHead(*l.Set)
		return d.geminiTurns(l.Set.Messages...), nil
	}
	if l.Type == "" {
		d.geminiHead(l)
		return d.geminiTurns(l.Messages...), nil
	}
	return d.geminiTurns(l.geminiMessage), nil
}

// geminiHead takes session, folder and kind from a line.
func (d *reading) geminiHead(l geminiLine) {
	dir := ""
	if len(l.Directories) > 0 {
		dir = l.Directories[0]
	}
	d.begin(string(l.SessionID), dir)
	d.state.Sub = d.state.Sub || l.Kind == "subagent"
}

// geminiTurns returns a turn for each message, followed by those of its calls that have ended.
// Calls have turns of their own, because they end after the message was first written.
func (d *reading) geminiTurns(messages ...geminiMessage) (list []memory.Turn) {
	for _, m := range messages {
		t := memory.Turn{
			Session: d.state.Session, Role: memory.RoleUser, SaidAt: m.Timestamp.Time, ExternalID: string(m.ID),
			Content: geminiText(m.Content), Details: &memory.TurnDetails{},
		}
		switch m.Type {
		case "user":
		case "gemini", "model":
			t.Role = memory.RoleAssistant
		default: // notes and errors of the host
			continue
		}
		var thoughts []string
		for _, h := range m.Thoughts {
			thoughts = append(thoughts, strings.TrimSpace(h.Subject+": "+h.Description))
		}
		t.Details.Thinking = strings.Join(thoughts, "\n")
		list = append(list, t)
		for _, c := range m.ToolCalls {
			list = append(list, d.geminiCall(t, c)...)
		}
	}
	return list
}

// geminiCall returns the turns of a call and its result, nil if it has not ended.
func (d *reading) geminiCall(t memory.Turn, c geminiCall) []memory.Turn {
	if c.Status != "success" && c.Status != "error" && c.Status != "cancelled" {
		return nil
	}
	call := memory.Turn{
		Session: t.Session, Role: memory.RoleAssistant, SaidAt: t.SaidAt, ExternalID: callID(c.ID),
		Details: &memory.TurnDetails{ToolCalls: []memory.ToolCall{{ID: c.ID, Name: c.Name, Arguments: object(c.Args)}}},
	}
	if !c.Timestamp.IsZero() {
		call.SaidAt = c.Timestamp.Time
	}
	d.call(c.ID, c.Name)
	if one := d.state.Calls[c.ID]; d.Act != nil && c.ID != "" && !one.Own {
		one.Acts = d.begun(call, call.Details.ToolCalls[0])
		d.state.Calls[c.ID] = one
	}
	result, failed := geminiResult(c.Result)
	r, own := d.result(call, outputID(c.ID), c.ID, result, failed || c.Status != "success")
	if own {
		return nil
	}
	return []memory.Turn{call, r}
}

// geminiPart is an element of a content or of a tool's result.
type geminiPart struct {
	Text     string `json:"text"`
	Response struct {
		Response struct {
			Output json.RawMessage `json:"output"`
			Error  json.RawMessage `json:"error"`
		} `json:"response"`
	} `json:"functionResponse"`
}

func geminiResult(value json.RawMessage) (result string, failed bool) {
	var parts []geminiPart
	if json.Unmarshal(value, &parts) != nil {
		return text(value), false
	}
	var texts []string
	for _, p := range parts {
		if e := text(p.Response.Response.Error); e != "" {
			texts, failed = append(texts, e), true
		}
		for _, t := range []string{p.Text, text(p.Response.Response.Output)} {
			if t != "" {
				texts = append(texts, t)
			}
		}
	}
	return strings.Join(texts, "\n"), failed
}

// geminiText returns the text of a content: a string, a part, or a list of these.
func geminiText(content json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(content, &list) != nil {
		list = []json.RawMessage{content}
	}
	var texts []string
	for _, v := range list {
		var p geminiPart
		if len(v) > 0 && v[0] == '{' {
			_ = json.Unmarshal(v, &p) // other objects have no text
		} else {
			p.Text = text(v)
		}
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}
