package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/transfer/transcripts"
)

// rehearsed is how many facts, and how many messages, a rehearsal shows.
const rehearsed = 20

// Rehearse returns, as text for a person, what [Service.Show] would show or
// [Service.Capture] would store. It writes nothing.
func (s *Service) Rehearse(ctx context.Context, scope memory.Scope, c Call) (string, error) {
	s.name(&c)
	head := fmt.Sprintf("%s, %s (%s), session %s, project %q\n", c.Host, c.Name, c.Event, c.Session, scope.Project)
	if !c.Background() {
		answer, err := s.Show(ctx, scope, c)
		if err != nil {
			return "", err
		}
		if answer.Text == "" {
			return head + "Nothing would be shown.", nil
		}
		return head + "Would be shown:\n" + string(Envelope(c, answer.Text)) + answer.Text, nil
	}
	if c.Event == ToolFailed {
		return head + "Would be kept as a learning: " + c.Tool.Name + " failed: " + oneLine(c.Tool.Error, resultRunes), nil
	}
	turns, err := s.unread(ctx, scope, c)
	if err != nil {
		return "", err
	}
	found, err := s.Extract.Extract(ctx, memory.ExtractRequest{Turns: turns, Now: s.clock.Here()})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%sWould be reported: %d messages.\n", head, len(turns))
	for _, t := range turns[max(0, len(turns)-rehearsed):] {
		fmt.Fprintf(&b, "  %s: %s\n", t.Role, oneLine(t.Content, 100))
	}
	if !c.flushes() {
		b.WriteString("Facts are looked for later, when the session ends or its window fills; of these messages:\n")
	}
	fmt.Fprintf(&b, "Facts: %d\n", len(found))
	for _, f := range found[:min(rehearsed, len(found))] {
		fmt.Fprintf(&b, "  - %s\n", oneLine(f.Content, resultRunes))
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// unread returns the turns of a session that are not stored yet.
func (s *Service) unread(ctx context.Context, scope memory.Scope, c Call) (turns []memory.Turn, err error) {
	one, err := s.session(ctx, scope, c.Session)
	if err != nil {
		return nil, err
	}
	said := messagesOf(slices.Concat(c.Messages, one.Said))
	if c.Transcript == "" || !regular(c.Transcript) {
		one.say(c, memory.RoleAssistant, c.Last, s.clock.Now())
		return messagesOf(slices.Concat(c.Messages, one.Said)), nil
	}
	f, err := plainfile.Open(c.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		return said, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	_, err = transcripts.Resume(io.ReadSeeker(f), one.Mark, s.reading(c), func(t transcripts.Turn) error {
		turns = append(turns, t.Turn)
		return nil
	})
	return turns, err
}
