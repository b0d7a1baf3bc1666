package contextwindow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Message is one message of a conversation as a host sends and gets it.
type Message struct {
	Role    memory.Role
	Content string    // up to memory.MaxTurnBytes; may be empty beside calls
	Name    string    // of the speaker; empty is the role
	TS      time.Time // when it was said; zero is not known
	// Thinking is stored, and never comes back to the model.
	Thinking   string
	ToolCalls  []memory.ToolCall
	ToolCallID string // of a tool's message: the call that it answers
	ExternalID string // the caller's own name for it, unique in its session
}

// maxCalls bounds the tool calls of one message.
const maxCalls = 128

// draft is a message that is ready to be stored.
type draft struct {
	memory.Turn
	timed bool // the caller said when it was said
}

// drafts checks messages and returns them as turns that are ready to be stored. An error names
// the first message that is wrong.
func (s *Service) drafts(scope memory.Scope, session, source string, messages []Message) ([]draft, error) {
	now := s.now()
	list := make([]draft, len(messages))
	for i, m := range messages {
		t, err := m.turn()
		if err != nil {
			return nil, at(fmt.Sprintf("messages[%d]", i), err)
		}
		t.ID, t.Agent, t.Project, t.Session, t.CreatedAt = s.ids.New(), scope.Agent, scope.Project, session, now
		t.Details.InputSource = source
		timed := !t.SaidAt.IsZero()
		if !timed {
			t.SaidAt = now
		}
		list[i] = draft{t, timed}
	}
	return list, nil
}

// Check returns [memory.CodeInvalidArgument] or [memory.CodeTooLarge] for a
// message that [Service.Append] would refuse.
func (m Message) Check() error {
	_, err := m.turn()
	return err
}

// turn checks a message and returns it as a turn.
func (m Message) turn() (memory.Turn, error) {
	t := memory.Turn{
		Role: m.Role, Speaker: strings.TrimSpace(m.Name), Content: m.Content, ExternalID: m.ExternalID,
		SaidAt:  memory.StoredTime(m.TS),
		Details: &memory.TurnDetails{Thinking: m.Thinking, ToolCallID: m.ToolCallID},
	}
	if t = t.Tidied(); t.Speaker == "" {
		t.Speaker = string(m.Role)
	}
	if !slices.Contains(memory.Roles(), m.Role) {
		return t, memory.Errorf(memory.CodeInvalidArgument, "role %q does not exist", m.Role).WithHint("one of %v", memory.Roles())
	}
	if strings.TrimSpace(m.Content) == "" && len(m.ToolCalls) == 0 {
		return t, memory.Errorf(memory.CodeInvalidArgument, "content is empty").WithHint("a message has content or tool_calls")
	}
	for _, f := range []struct {
		name, value string
		limit       int
	}{
		{"content", m.Content, memory.MaxTurnBytes}, {"thinking", m.Thinking, memory.MaxTurnBytes}, {"name", m.Name, memory.MaxNameBytes},
		{"external_id", m.ExternalID, memory.MaxNameBytes}, {"tool_call_id", m.ToolCallID, memory.MaxNameBytes},
	} {
		if err := memory.CheckText(f.name, f.value, f.limit); err != nil {
			return t, err
		}
	}
	if y := m.TS.Year(); !m.TS.IsZero() && (y < 1 || y > 9999) {
		return t, memory.Errorf(memory.CodeInvalidArgument, "ts is in the year %d", y).WithHint("a time in RFC 3339")
	}
	var err error
	t.Details.ToolCalls, err = checkCalls(m.ToolCalls)
	return t, err
}

func checkCalls(calls []memory.ToolCall) ([]memory.ToolCall, error) {
	if len(calls) > maxCalls {
		return nil, memory.Errorf(memory.CodeTooLarge, "tool_calls has %d elements, at most %d are allowed", len(calls), maxCalls).
			WithHint("split the message")
	}
	var list []memory.ToolCall
	for i, c := range calls {
		checked, err := checkCall(c)
		if err != nil {
			return nil, at(fmt.Sprintf("tool_calls[%d]", i), err)
		}
		list = append(list, checked)
	}
	return list, nil
}

func checkCall(c memory.ToolCall) (memory.ToolCall, error) {
	if strings.TrimSpace(c.Name) == "" {
		return c, memory.Errorf(memory.CodeInvalidArgument, "name is missing").WithHint("the name of the tool that was called")
	}
	for _, f := range []struct {
		name, value string
		limit       int
	}{
		{"name", c.Name, memory.MaxNameBytes}, {"id", c.ID, memory.MaxNameBytes}, {"arguments", string(c.Arguments), memory.MaxTurnBytes},
		{"result", c.Result, memory.MaxTurnBytes}, {"error", c.Error, memory.MaxTurnBytes},
	} {
		if err := memory.CheckText(f.name, f.value, f.limit); err != nil {
			return c, err
		}
	}
	if len(c.Arguments) == 0 {
		return c, nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, c.Arguments); err != nil {
		return c, memory.Errorf(memory.CodeInvalidArgument, "arguments is not JSON").WithHint(`such as {"path": "main.go"}`)
	}
	c.Arguments = compact.Bytes()
	return c, nil
}

// at puts the place of an argument before what is wrong with it: "messages[3].content is empty".
func at(place string, err error) error {
	e := *memory.Public(err)
	e.Message = place + "." + e.Message
	return &e
}

// messageOf returns a turn as the message that goes back to the model, without its thinking.
func messageOf(t memory.Turn) Message {
	m := Message{Role: t.Role, Content: t.Content, TS: t.SaidAt, ExternalID: t.ExternalID}
	if m.Role == "" { // said by a person in a conversation between people
		m.Role = memory.RoleUser
	}
	if !strings.EqualFold(t.Speaker, string(m.Role)) {
		m.Name = t.Speaker
	}
	if t.Details != nil {
		m.ToolCalls, m.ToolCallID = t.Details.ToolCalls, t.Details.ToolCallID
	}
	return m
}

// What a message and a call take beside their texts, in tokens: the marks
// between them in the form in which models are given a conversation.
const (
	messageOverhead = 4
	callOverhead    = 4
)

// messageTokens counts everything of a message that goes to the model.
func messageTokens(c memory.TokenCounter, m Message) int {
	n := messageOverhead + c.Count(m.Content) + c.Count(m.Name) + c.Count(m.ToolCallID)
	for _, call := range m.ToolCalls {
		n += callOverhead + c.Count(call.ID) + c.Count(call.Name) + c.Count(string(call.Arguments)) + c.Count(call.Result) +
			c.Count(call.Error)
	}
	return n
}

// turnTokens returns the tokens of a turn: as they were counted when Append stored it, else
// counted here.
func turnTokens(c memory.TokenCounter, t memory.Turn) int {
	if t.Details != nil && t.Details.Tokens > 0 {
		return t.Details.Tokens
	}
	return messageTokens(c, messageOf(t))
}
