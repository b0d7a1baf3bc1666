package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/transfer/transcripts"
)

const (
	// chunk is how many bytes of a transcript are read before the mark is
	// moved.
	chunk = 8 << 20
	// lagPoll is the interval at which a transcript is read that does not yet
	// have what the host said.
	lagPoll = 100 * time.Millisecond
	// working is how long one hook may work. The next hook goes on.
	working = 2 * time.Minute
)

// Capture stores what was said since the last call. At the end of a session,
// before the host compacts its context and, for a host that does not tell when a
// session ends, after each answer, it also extracts the facts. For [ToolFailed]
// it stores only why the tool failed. It may be called again with the same call,
// and may be killed at any point.
func (s *Service) Capture(ctx context.Context, scope memory.Scope, c Call) error {
	s.name(&c)
	if err := scope.CheckWritable(); err != nil {
		return err
	}
	if c.Event == ToolFailed {
		if err := s.failed(ctx, scope, c); err != nil {
			return err
		}
		return s.keep(ctx, scope, c, true, func(*session) {})
	}
	// First, so that nothing is lost if this process is killed.
	err := s.keep(ctx, scope, c, true, func(one *session) {
		if c.Last != "" {
			one.say(c, memory.RoleAssistant, c.Last, s.clock.Now())
		}
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, working)
	defer cancel()
	unlock, ok := s.Lock(ctx, c.Session)
	if !ok {
		return nil
	}
	defer unlock()
	return s.report(ctx, scope, c, c.flushes())
}

// flushes reports whether facts are extracted after a call.
func (c Call) flushes() bool {
	h, _ := hostNamed(c.Host)
	return c.Event == SessionEnd || c.Event == PreCompact || h.endless
}

// sends reports whether the host of a call sends all messages again when an
// answer is done.
func (c Call) sends() bool {
	h, _ := hostNamed(c.Host)
	return h.sends
}

// report stores what is new in a session: messages that the host sent, actions,
// the transcript from the mark on, and what the host said itself. With flush it
// also extracts facts. After [SessionEnd] the session is closed if nothing is
// left to store.
func (s *Service) report(ctx context.Context, scope memory.Scope, c Call, flush bool) error {
	one, err := s.session(ctx, scope, c.Session)
	if err != nil {
		return err
	}
	if c.Transcript == "" {
		c.Transcript = one.Path
	}
	if err := s.append(ctx, scope, c, messagesOf(c.Messages)); err != nil {
		return err
	}
	if err := s.act(ctx, scope, c); err != nil {
		return err
	}
	if err := s.read(ctx, scope, c, &one); err != nil {
		return err
	}
	if err := s.sayRest(ctx, scope, c, &one); err != nil {
		return err
	}
	if flush {
		if err := s.flush(ctx, scope, c); err != nil {
			return err
		}
	}
	if c.Event == SessionEnd && s.ByModel {
		if err := s.Window.TellEnd(ctx, scope, c.Session); err != nil {
			return err
		}
	}
	if c.Event != SessionEnd || len(one.Said) > 0 {
		return nil
	}
	return s.keep(ctx, scope, c, false, func(*session) {})
}

// fewTurns is how many turns may wait for the extraction of facts in a session
// without an end, if a model extracts them. One request to the model after each
// answer would be too many.
const fewTurns = 20

// flush extracts facts from all stored turns. If a model is at work on earlier
// turns, it waits for it and then goes on with the rest.
func (s *Service) flush(ctx context.Context, scope memory.Scope, c Call) error {
	if s.ByModel && c.Event == Stop {
		w, err := s.store.Window(ctx, scope.Agent, c.Session)
		if err != nil || w == nil || w.Turns-w.Flushed < fewTurns {
			return err
		}
	}
	for range 4 {
		result, err := s.Window.Compact(ctx, contextwindow.CompactRequest{Scope: scope, Session: c.Session, Mode: contextwindow.ModeFlush})
		switch {
		case memory.CodeOf(err) == memory.CodeNotFound:
			return nil
		case err != nil || result.Action == contextwindow.ActionNone:
			return err
		}
		if err := s.Window.WaitUpTo(ctx, working); err != nil {
			return err
		}
	}
	return nil
}

// say keeps a text in the session's state until it is stored as a turn.
func (one *session) say(c Call, role memory.Role, text string, now time.Time) {
	if n := len(one.Said); n > 0 && one.Said[n-1].Role == role && one.Said[n-1].Text == text || strings.TrimSpace(text) == "" {
		return // the hook was called again
	}
	if !c.At.IsZero() {
		now = c.At
	}
	one.Count++
	one.Said = append(one.Said, Message{ID: fmt.Sprintf("hook/%d", one.Count), Role: role, Text: text, At: now})
	one.Said = one.Said[max(0, len(one.Said)-maxMessages):]
}

// read reads the transcript from the mark on. If it does not yet have what the
// host said, read waits for it, up to s.lag.
func (s *Service) read(ctx context.Context, scope memory.Scope, c Call, one *session) error {
	for waited := time.Duration(0); c.Transcript != "" && regular(c.Transcript); waited += lagPoll {
		if err := s.readOn(ctx, scope, c, one); err != nil {
			return err
		}
		if err := s.dropRead(ctx, scope, c, one); err != nil || len(one.Said) == 0 || waited >= s.lag {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lagPoll):
		}
	}
	return nil
}

// readOn reads what the transcript has now.
func (s *Service) readOn(ctx context.Context, scope memory.Scope, c Call, one *session) error {
	f, err := plainfile.Open(c.Transcript)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil // one.Said keeps what the host said
	}
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	for room := int64(chunk); ctx.Err() == nil; {
		end := min(size, one.Mark.Offset+room)
		var turns []memory.Turn
		var done []memory.Action
		reading := s.reading(c)
		reading.Act = func(a memory.Action) {
			a.Session = c.Session
			done = append(done, a)
		}
		report, err := transcripts.Resume(io.NewSectionReader(f, 0, end), one.Mark, reading, func(t transcripts.Turn) error {
			turns = append(turns, t.Turn)
			return nil
		})
		if err != nil {
			return err
		}
		moved := report.Mark.Offset != one.Mark.Offset
		if moved || len(turns) > 0 {
			if err := s.append(ctx, scope, c, turns); err != nil {
				return err
			}
			if _, err := s.Actions.Note(ctx, scope, done); err != nil {
				return err
			}
			one.Mark = report.Mark
			if err := s.keep(ctx, scope, c, true, func(kept *session) { kept.Mark = report.Mark }); err != nil {
				return err
			}
		}
		switch {
		case end == size:
			return nil
		case !moved:
			room *= 4 // a single line or value is longer than room
		}
	}
	return ctx.Err()
}

// dropRead removes those messages from one.Said that the transcript has brought
// as turns.
func (s *Service) dropRead(ctx context.Context, scope memory.Scope, c Call, one *session) error {
	if len(one.Said) == 0 {
		return nil
	}
	w, err := s.store.Window(ctx, scope.Agent, c.Session)
	if err != nil || w == nil {
		return err
	}
	turns, err := s.store.Turns(ctx, scope.Agent, c.Session, max(0, w.Turns-lastTurns), 0)
	if err != nil {
		return err
	}
	read := func(m Message) bool {
		return slices.ContainsFunc(turns, func(t memory.Turn) bool { return t.Role == m.Role && sameWords(t.Content, m.Text) })
	}
	return s.forget(ctx, scope, c, one, read)
}

// forget removes the messages from one.Said that are stored as turns, as
// reported says.
func (s *Service) forget(ctx context.Context, scope memory.Scope, c Call, one *session, reported func(Message) bool) error {
	var gone []string
	one.Said = slices.DeleteFunc(one.Said, func(m Message) bool {
		if !reported(m) {
			return false
		}
		gone = append(gone, m.ID)
		return true
	})
	if len(gone) == 0 {
		return nil
	}
	return s.keep(ctx, scope, c, true, func(kept *session) {
		kept.Said = slices.DeleteFunc(kept.Said, func(m Message) bool { return slices.Contains(gone, m.ID) })
	})
}

// lastTurns is how many of the last turns of a session are compared with what
// the host said.
const lastTurns = 60

// sameWords reports whether a turn of a transcript has the words that the host
// said. Blanks may differ. The turn may be a part of it if it is long enough,
// or may only begin with the same 200 bytes.
func sameWords(turn, said string) bool {
	const sure = 40
	a, b := strings.Join(strings.Fields(turn), " "), strings.Join(strings.Fields(said), " ")
	return a == b || len(a) >= sure && strings.Contains(b, a) || len(b) >= 200 && strings.HasPrefix(a, b[:200])
}

// reading returns the options for reading transcripts.
func (s *Service) reading(c Call) transcripts.Options {
	return transcripts.Options{
		Session: c.Session, SkipBad: true, MaxResult: transcripts.KeptResult,
		Check: s.Window.Replay(contextwindow.ReplayRequest{}).Check, Own: transcripts.OwnTool,
	}
}

// append adds turns to the session's context window.
func (s *Service) append(ctx context.Context, scope memory.Scope, c Call, turns []memory.Turn) error {
	if len(turns) == 0 {
		return nil
	}
	replay := s.Window.Replay(contextwindow.ReplayRequest{Scope: scope, Session: c.Session})
	for _, t := range turns {
		if err := replay.Add(ctx, t); err != nil {
			return err
		}
	}
	_, err := replay.Finish(ctx, working)
	return err
}

// late is how old a message of the host must be before its transcript, if there
// is one, is taken not to have it.
const late = time.Minute

// sayRest stores what the host said as turns if there is no transcript, or if
// the transcript still does not have it.
func (s *Service) sayRest(ctx context.Context, scope memory.Scope, c Call, one *session) error {
	rest := slices.Clone(one.Said)
	if regular(c.Transcript) {
		rest = slices.DeleteFunc(rest, func(m Message) bool { return s.clock.Now().Sub(m.At) < late })
	}
	if len(rest) == 0 {
		return nil
	}
	if err := s.append(ctx, scope, c, messagesOf(rest)); err != nil {
		return err
	}
	last := rest[len(rest)-1].At
	return s.forget(ctx, scope, c, one, func(m Message) bool { return !m.At.After(last) })
}

// act stores the tool calls in the messages that a host's plug-in sends as
// actions.
func (s *Service) act(ctx context.Context, scope memory.Scope, c Call) error {
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	for _, m := range c.Messages {
		at := m.At
		if at.IsZero() {
			at = s.clock.Now()
		}
		line := struct {
			Role  memory.Role     `json:"role"`
			TS    time.Time       `json:"ts"`
			Text  string          `json:"content"`
			Calls json.RawMessage `json:"tool_calls,omitempty"`
		}{m.Role, at, m.Text, m.Calls}
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	var done []memory.Action
	o := transcripts.Options{Format: transcripts.Plain, Session: c.Session, Dir: c.Dir, SkipBad: true, Own: transcripts.OwnTool,
		Act: func(a memory.Action) {
			a.Host = c.Host
			done = append(done, a)
		}}
	if _, err := transcripts.Read(&lines, o, func(transcripts.Turn) error { return nil }); err != nil {
		return err
	}
	_, err := s.Actions.Note(ctx, scope, done)
	return err
}

// messagesOf returns messages as turns, without those that are blank.
func messagesOf(list []Message) (turns []memory.Turn) {
	for _, m := range list {
		text := strings.TrimSpace(transcripts.Clean(m.Text, m.Role))
		if text != "" {
			turns = append(turns, memory.Turn{Role: m.Role, Content: text, ExternalID: m.ID, SaidAt: m.At})
		}
	}
	return turns
}

// CatchUp finishes open sessions other than that of the call, as after a host
// was killed: it stores what was said and extracts the facts, the oldest
// session first. What ctx leaves no time for is left to the next call.
func (s *Service) CatchUp(ctx context.Context, scope memory.Scope, c Call) error {
	s.name(&c)
	left, err := s.Left(ctx, scope, c)
	if err != nil {
		return err
	}
	for _, name := range left {
		var all map[string]opened
		if err := s.state(ctx, scope.Agent, stateOpen, &all); err != nil {
			return err
		}
		o, still := all[name]
		if !still {
			continue
		}
		one := Call{Host: o.Host, Event: SessionEnd, Name: "catch-up", Session: name, Transcript: o.Path}
		s.name(&one)
		if err := s.finish(ctx, memory.Scope{Agent: scope.Agent, Project: o.Project}, one); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) finish(ctx context.Context, scope memory.Scope, c Call) error {
	unlock, ok := s.Lock(ctx, c.Session)
	if !ok {
		return nil
	}
	defer unlock()
	return s.report(ctx, scope, c, true)
}

// Left returns the names of the sessions that CatchUp would finish, the oldest
// first.
func (s *Service) Left(ctx context.Context, scope memory.Scope, c Call) ([]string, error) {
	s.name(&c)
	var all map[string]opened
	if err := s.state(ctx, scope.Agent, stateOpen, &all); err != nil {
		return nil, err
	}
	delete(all, c.Session)
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int { return all[a].At.Compare(all[b].At) }), nil
}
