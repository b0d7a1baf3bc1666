package contextwindow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/text/injected"
)

const (
	// othersShare is how much of the room for memories other conversations may take.
	othersShare = 0.15
	othersAsked = 30  // messages that compete for it
	besideShare = 0.6 // of the best score: a message with less only stands near one that was found
	otherSize   = 300 // characters of a message
	storySize   = 600 // characters of a summary
)

// Conversations implements [Recaller].
func (r recalls) Conversations(ctx context.Context, scope memory.Scope, query string, limit int) ([]memory.Document, error) {
	answer, err := r.service.Recall(ctx, recall.Request{
		Query: query, Scope: scope, Corpora: []memory.Corpus{memory.Conversations}, Limit: limit, MinScore: recall.Floor,
	})
	if err != nil || !answer.Confidence.Sure() {
		return nil, err
	}
	var found []memory.Document
	for _, result := range answer.Results {
		if result.Score >= besideShare*answer.Results[0].Score {
			found = append(found, result.Document)
		}
	}
	return found, nil
}

// othersWithin returns lines, within room tokens, on what conversations other than session say
// about a query: first the summaries of the conversations found, then what was said in them, the
// best first, each with its session and day; nil for nothing.
func (s *Service) othersWithin(ctx context.Context, c memory.TokenCounter, scope memory.Scope, session, query string,
	room int) []blockLine {
	if strings.TrimSpace(query) == "" || room <= 0 {
		return nil
	}
	found, err := s.recall.Conversations(ctx, scope, query, othersAsked)
	if err != nil {
		s.log.WarnContext(ctx, "recall conversations for a prompt", "error", err)
		return nil
	}
	var stories, lines []string
	asked := map[string]bool{session: true}
	for _, d := range found {
		if d.Session == session {
			continue
		}
		if !asked[d.Session] {
			asked[d.Session] = true
			if story := s.story(ctx, scope, d.Session); story != "" {
				stories = append(stories, story)
			}
		}
		if text := shorten(injected.Without(d.Content), otherSize); text != "" && d.Role != memory.RoleSystem && d.Role != memory.RoleTool {
			lines = append(lines, fmt.Sprintf("- %s, conversation %s: %s: %s", s.clock.Day(d.EventTime()), d.Session, d.Speaker, text))
		}
	}
	block := []blockLine{{"Said in other conversations:", true}}
	room -= c.Count(block[0].text) + 1
	for _, line := range slices.Concat(stories, lines) {
		if n := c.Count(line) + 1; n <= room {
			block, room = append(block, blockLine{text: line}), room-n
		}
	}
	if len(block) == 1 {
		return nil
	}
	return block
}

// story is the summary of a conversation that was compacted, empty if there is none
// that the scope may read.
func (s *Service) story(ctx context.Context, scope memory.Scope, session string) string {
	w, err := s.store.Window(ctx, scope.Agent, session)
	if err != nil {
		s.log.WarnContext(ctx, "read a summary for a prompt", "error", err)
	}
	readable := scope.Readable()
	if w == nil || w.Summary == "" || w.Summary == nothingSaid || readable != nil && !slices.Contains(readable, w.Project) {
		return ""
	}
	return fmt.Sprintf("- %s, conversation %s, in short: %s", s.clock.Day(w.LastCompaction), session, shorten(w.Summary, storySize))
}
