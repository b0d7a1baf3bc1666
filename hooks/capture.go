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
	// chunk is how much of a transcript is read before the mark moves, in bytes.
	chunk = 8 << 20
	// lagPoll is how often a transcript is looked at that is behind what the host says.
	lagPoll = 100 * time.Millisecond
	// working is how long one hook reads; the next goes on.
	working = 2 * time.Minute
)

// Capture keeps what was said since the last time, and at the end of a session and
// before the host forgets, the facts of it. It may be called again with the
// same, and be killed anywhere.
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

// flushes reports whether facts are looked for after a call.
func (c Call) flushes() bool {
	h, _ := hostNamed(c.Host)
	return c.Event == SessionEnd || c.Event == PreCompact || h.endless
}

// sends reports whether what is said in a call comes again with all others.
func (c Call) sends() bool {
	h, _ := hostNamed(c.Host)
	return h.sends
}

// report reports what is new of a session. At its end the session is done.
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

// fewTurns is how many turns of a session that may never end are left for the next time
// where a model reads them: one request for each answer would be too many.
const fewTurns = 20

// flush has facts looked for in all that was reported. A model may be at work on what was
// said before: then the rest follows it.
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

// say keeps what was said until it is reported.
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

// read reads the transcript on from where it was left, and waits a little for one
// that is behind what the host says.
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
		return nil // what was said is kept
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
			room *= 4 // one line, or one value, is longer
		}
	}
	return ctx.Err()
}

// dropRead forgets of what the host said itself what the transcript brought.
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

// forget forgets of what the host said what is reported by now.
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

// lastTurns is how many turns of a session are looked through for what the host said.
const lastTurns = 60

// sameWords reports whether a turn of a transcript is what the host said, whatever
// it did to blanks and to the end, or a part of it.
func sameWords(turn, said string) bool {
	const sure = 40
	a, b := strings.Join(strings.Fields(turn), " "), strings.Join(strings.Fields(said), " ")
	return a == b || len(a) >= sure && strings.Contains(b, a) || len(b) >= 200 && strings.HasPrefix(a, b[:200])
}

// reading says how transcripts are read.
func (s *Service) reading(c Call) transcripts.Options {
	return transcripts.Options{
		Session: c.Session, SkipBad: true, MaxResult: transcripts.KeptResult,
		Check: s.Window.Replay(contextwindow.ReplayRequest{}).Check, Own: transcripts.OwnTool,
	}
}

// append reports turns to the session's window.
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

// late is how old what the host said must be before it is certain that its
// transcript, if there is one, will not have it any more.
const late = time.Minute

// sayRest reports what the host said itself where there is no transcript, or where
// that does not have it.
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

// act keeps what was done by the calls that a host's plug-in sends.
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

// messagesOf are messages as turns.
func messagesOf(list []Message) (turns []memory.Turn) {
	for _, m := range list {
		text := strings.TrimSpace(transcripts.Clean(m.Text, m.Role))
		if text != "" {
			turns = append(turns, memory.Turn{Role: m.Role, Content: text, ExternalID: m.ID, SaidAt: m.At})
		}
	}
	return turns
}

// CatchUp finishes sessions other than that of the call which were left open, as
// when a host was killed: what was said is reported and searched for facts. The
// oldest come first; what does not fit into ctx is left to the next call.
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

// Left names the sessions that CatchUp would finish, the oldest first.
func (s *Service) Left(ctx context.Context, scope memory.Scope, c Call) ([]string, error) {
	s.name(&c)
	var all map[string]opened
	if err := s.state(ctx, scope.Agent, stateOpen, &all); err != nil {
		return nil, err
	}
	delete(all, c.Session)
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int { return all[a].At.Compare(all[b].At) }), nil
}
