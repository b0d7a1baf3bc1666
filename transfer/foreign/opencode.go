package foreign

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"mcp-memory/transfer/transcripts"
)

const openCodeName = "opencode"

// mostOutput is how many bytes of a tool call's output are kept until its session is read.
const mostOutput = 8 << 10

// openCode is OpenCode, which keeps conversations in a database with a row for each session,
// message and part of a message.
func openCode() Source {
	return Source{
		Name: openCodeName, Wants: "file",
		About: "OpenCode: conversations of the last 30 days, in ~/.local/share/opencode/opencode.db",
		Find: func(m Machine) []string {
			share := m.Env("XDG_DATA_HOME")
			if share == "" {
				share = m.under(".local", "share")
			}
			return existing(share + "/opencode/opencode.db")
		},
		Knows: func(s Sample) bool {
			return s.has("session", "directory") && s.has("message", "session_id", "data") && s.has("part", "message_id", "data")
		},
		Read: readOpenCode,
	}
}

var (
	openCodeSessions = table{"session", []string{"id", "directory", "time_updated"}, []string{"parent_id"}}
	openCodeMessages = table{"message", []string{"id", "session_id", "data", "time_created"}, nil}
	openCodeParts    = table{"part", []string{"id", "message_id", "data"}, nil}
)

// openCodeSession is a conversation with its messages.
type openCodeSession struct {
	id, dir  string
	at       time.Time
	messages []*openCodeMessage
}

// openCodeMessage is a message in the form of [transcripts.Plain].
type openCodeMessage struct {
	ID    string            `json:"id"`
	Role  string            `json:"role"`
	TS    time.Time         `json:"ts"`
	Text  string            `json:"content"`
	Calls []openCodeCall    `json:"tool_calls,omitempty"`
	parts map[string]func() // what adds the part to the message, by part id; ids are in order of time
}

type openCodeCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Result    string          `json:"result,omitempty"`
	Error     string          `json:"error,omitempty"`
}

// openCodePart is a part of a message: a text, or a tool call with its result.
type openCodePart struct {
	Type, Text, Tool, CallID string
	Synthetic                bool
	State                    struct {
		Status, Output, Error string
		Input                 json.RawMessage
		Metadata              struct{ Exit int }
	}
}

// readOpenCode reads the recent sessions, oldest first. Sessions of sub-agents are left out.
func readOpenCode(ctx context.Context, in Input, emit Emit) error {
	db, err := in.Open(ctx, in.Path)
	if err != nil {
		return err
	}
	defer db.Close()
	since := in.Since
	if since.IsZero() && !in.All {
		since = in.Now.AddDate(0, 0, -recentDays)
	}
	sessions, messages, older := map[string]*openCodeSession{}, map[string]*openCodeMessage{}, []string{}
	err = openCodeSessions.must(ctx, db, func(_ int64, r row) error {
		one := &openCodeSession{id: r.text("id"), dir: r.text("directory"), at: r.time("time_updated")}
		switch {
		case r.text("parent_id") != "":
		case one.at.Before(since):
			older = append(older, one.id)
		default:
			sessions[one.id] = one
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range older {
		if err := emit(Item{Key: Key(openCodeName, id), Skip: "conversations that are older (--since reads them)"}); err != nil {
			return err
		}
	}
	err = openCodeMessages.must(ctx, db, func(_ int64, r row) error {
		if s := sessions[r.text("session_id")]; s != nil {
			m := &openCodeMessage{ID: r.text("id"), TS: r.time("time_created"), parts: map[string]func(){}}
			var data struct{ Role string }
			if json.Unmarshal([]byte(r.text("data")), &data) != nil {
				return nil
			}
			m.Role = data.Role
			messages[m.ID], s.messages = m, append(s.messages, m)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = openCodeParts.must(ctx, db, func(_ int64, r row) error {
		if m := messages[r.text("message_id")]; m != nil {
			m.take(r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	list := slices.SortedFunc(maps.Values(sessions), func(a, b *openCodeSession) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id))
	})
	for _, s := range list {
		if err := s.read(in, emit); err != nil {
			return err
		}
	}
	return nil
}

// take decodes a part. It is added to the message later, because parts may arrive out of order.
func (m *openCodeMessage) take(r row) {
	var p openCodePart
	if json.Unmarshal([]byte(r.text("data")), &p) != nil {
		return
	}
	switch {
	case p.Type == "text" && !p.Synthetic && p.Text != "":
		m.parts[r.text("id")] = func() {
			if m.Text != "" {
				m.Text += "\n"
			}
			m.Text += p.Text
		}
	case p.Type == "tool" && (p.State.Status == "completed" || p.State.Status == "error"):
		call := openCodeCall{ID: p.CallID, Name: p.Tool, Arguments: p.State.Input, Result: transcripts.Shorter(p.State.Output, mostOutput),
			Error: p.State.Error}
		if exit := p.State.Metadata.Exit; exit != 0 {
			call.Result, call.Error = "", fmt.Sprintf("Exit code %d\n%s", exit, call.Result)
		}
		m.parts[r.text("id")] = func() { m.Calls = append(m.Calls, call) }
	}
}

// read emits a session in pieces, by writing it in the form of [transcripts.Plain] first.
func (s *openCodeSession) read(in Input, emit Emit) error {
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	slices.SortFunc(s.messages, func(a, b *openCodeMessage) int { return cmp.Or(a.TS.Compare(b.TS), cmp.Compare(a.ID, b.ID)) })
	for _, m := range s.messages {
		for _, id := range slices.Sorted(maps.Keys(m.parts)) {
			m.parts[id]()
		}
		if m.Text == "" && len(m.Calls) == 0 {
			continue
		}
		if err := out.Encode(m); err != nil {
			return err
		}
	}
	p := pieces{program: openCodeName, file: transcript{path: in.Path, written: s.at}, emit: emit}
	return p.read(&lines, transcripts.Options{Format: transcripts.Plain, Session: s.id, Dir: s.dir})
}
