package resources

import (
	"context"
	"strings"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// briefLine is the longest line of a briefing, in characters.
const briefLine = 160

// Briefing is a short form of the page of a new session, for the instructions of the server. It has
// one record a line and at most limit bytes, and is empty if nothing stands out. It fills up in
// this order: what a person wrote in the agent's files (at most a third), the soul (at most half),
// learnings (at most a quarter), then the records that the page would choose. Of these the best of
// each kind come before the second of any. Soul entries and learnings that found no room come last.
// Reading the briefing does not count as a recall.
func (s *Service) Briefing(ctx context.Context, scope memory.Scope, limit int) (string, error) {
	soul, err := s.soulEntries(ctx, scope.Agent, scope.Readable())
	if err != nil {
		return "", err
	}
	learnings, _, err := s.learnings(ctx, scope)
	if err != nil {
		return "", err
	}
	pool, err := s.pool(ctx, scope, briefPools)
	if err != nil {
		return "", err
	}
	var others []memory.Record
	for _, one := range s.choose(pool, scope, false) {
		others = append(others, one.Record)
	}
	b := briefing{room: limit}
	if access.Refusal(ctx, "the workspace", false, access.WholeBank) == nil {
		b.quote(s.files(scope.Agent).Loaded(ctx, limit/3, func(line string) int { return len(line) + 2 }, true))
	}
	moreSoul := b.add(soul, limit/2)
	moreLearnings := b.add(learnings, limit/4)
	b.add(others, limit)
	b.add(moreSoul, limit)
	b.add(moreLearnings, limit)
	return b.text.String(), nil
}

// briefing is a text that grows line by line until its room is used up.
type briefing struct {
	text strings.Builder
	room int // bytes left
}

// quote writes what a person wrote in files, leaving out files that do not fit.
func (b *briefing) quote(files [][]string) {
	for _, one := range files {
		text := "- " + one[0] + ":\n  " + strings.Join(one[1:], "\n  ") + "\n"
		if len(text) <= b.room {
			b.text.WriteString(text)
			b.room -= len(text)
		}
	}
}

// add writes records in order until one does not fit into share bytes or the room left. It returns
// that record and those after it.
func (b *briefing) add(records []memory.Record, share int) (left []memory.Record) {
	share = min(share, b.room)
	for i, r := range records {
		line := "- " + oneLine(shown(r), briefLine) + "\n"
		size := len(line)
		if size > share {
			return records[i:]
		}
		b.text.WriteString(line)
		share -= size
		b.room -= size
	}
	return nil
}
