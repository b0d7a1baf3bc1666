package transcripts

import (
	"encoding/json"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/transfer/jsonl"
)

// cursorLine is a line of a transcript of Cursor: a message, or a call alone.
type cursorLine struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Message   json.RawMessage `json:"message"`
	Name      string          `json:"name"`
	Args      json.RawMessage `json:"args"`
	Timestamp jsonl.Moment    `json:"timestamp"`
}

func (d *reading) cursorLine(line []byte) ([]memory.Turn, error) {
	var l cursorLine
	if err := jsonl.DecodeKnown(line, &l); err != nil {
		return nil, err
	}
	d.begin("", "")
	if l.Type == "tool_call" {
		return []memory.Turn{{
			Session: d.state.Session, Role: memory.RoleAssistant, SaidAt: d.state.Said,
			Details: &memory.TurnDetails{ToolCalls: []memory.ToolCall{{Name: l.Name, Arguments: object(l.Args)}}},
		}}, nil
	}
	if l.Role == "" {
		l.Role = l.Type
	}
	if l.Role != "user" && l.Role != "assistant" || len(l.Message) == 0 || l.Message[0] != '{' {
		return nil, nil
	}
	var m plainMessage
	if err := jsonl.DecodeKnown(l.Message, &m); err != nil {
		return nil, err
	}
	m.Role, m.Type = l.Role, ""
	turns, err := d.turns(m)
	for i := range turns {
		if at := cursorTime(turns[i].Content); turns[i].Role == memory.RoleUser && !at.IsZero() {
			d.state.Said = at
		}
		if turns[i].SaidAt = l.Timestamp.Time; turns[i].SaidAt.IsZero() {
			turns[i].SaidAt = d.state.Said
		}
	}
	return turns, err
}

// cursorStamp matches the time in a user's message.
var cursorStamp = lazyregexp.New(`<timestamp>\s*(?:[A-Za-z]+, )?([A-Za-z]{3}[a-z]* [0-9]{1,2}, [0-9]{4}, [0-9]{1,2}:[0-9]{2} [AP]M)(?: \(UTC([+-][0-9:]+)?\))?\s*</timestamp>`)

// cursorTime returns the time near the beginning of a text, zero if there is none.
func cursorTime(text string) time.Time {
	m := cursorStamp().FindStringSubmatch(text[:min(len(text), 200)])
	if m == nil {
		return time.Time{}
	}
	zone := "+00:00"
	if hours, minutes, _ := strings.Cut(strings.TrimLeft(m[2], "+-"), ":"); hours != "" {
		zone = m[2][:1] + leftPad(hours) + ":" + leftPad(minutes)
	}
	for _, layout := range []string{"Jan 2, 2006, 3:04 PM Z07:00", "January 2, 2006, 3:04 PM Z07:00"} {
		if t, err := time.Parse(layout, m[1]+" "+zone); err == nil {
			return memory.StoredTime(t)
		}
	}
	return time.Time{}
}

func leftPad(digits string) string {
	if len(digits) >= 2 {
		return digits[:2]
	}
	return strings.Repeat("0", 2-len(digits)) + digits
}
