package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/salience"
)

const (
	// briefPool is how many records compete for the briefing.
	briefPool = 50
	// briefFloor is the importance from which a record that was never
	// recalled is worth the room; the default importance is not.
	briefFloor = 0.7
	// briefLine is the length of one line, in characters.
	briefLine = 160
)

// BriefStore is what a briefing needs of a database.
type BriefStore interface {
	memory.Reader
	memory.Catalog
}

// Brief returns what a new session should know before it asks, one record a
// line, in at most limit bytes; empty if nothing stands out. First comes
// the soul, in at most half of the room, then learnings, in at most a quarter,
// then the most salient records of the other kinds, the best of each kind
// before the second of any. Looking does not reinforce.
func Brief(ctx context.Context, store BriefStore, scope memory.Scope, p salience.Parameters, now time.Time, limit int) (string, error) {
	soul, _, err := store.List(ctx, memory.CatalogFilter{Agent: scope.Agent, Projects: scope.Readable(), Kind: memory.KindSoul, Now: now})
	if err != nil {
		return "", err
	}
	slices.Reverse(soul) // as it grew
	learnings, _, err := store.List(ctx, memory.CatalogFilter{
		Agent: scope.Agent, Projects: scope.Readable(), Kind: memory.KindLearning, Now: now, Limit: briefPool,
	})
	if err != nil {
		return "", err
	}
	others, err := store.Salient(ctx, scope, briefPool+len(soul))
	if err != nil {
		return "", err
	}
	others = slices.DeleteFunc(others, func(r memory.Record) bool {
		return r.Kind == memory.KindSoul || r.Kind == memory.KindLearning || !r.Pinned && r.Importance < briefFloor && r.AccessCount == 0
	})
	for _, list := range [][]memory.Record{learnings, others} {
		slices.SortStableFunc(list, func(a, b memory.Record) int { return cmp.Compare(p.Of(b, now), p.Of(a, now)) })
	}
	b := briefing{room: limit}
	moreSoul := b.add(soul, limit/2)
	moreLearnings := b.add(learnings, limit/4)
	b.add(eachKindFirst(others), limit)
	b.add(moreSoul, limit)
	b.add(moreLearnings, limit)
	return b.text.String(), nil
}

// briefing is a text that grows line by line within its room.
type briefing struct {
	text strings.Builder
	room int // bytes left
}

// add writes records in order while they fit into share bytes and the
// room, and returns those from the first that does not.
func (b *briefing) add(records []memory.Record, share int) (left []memory.Record) {
	share = min(share, b.room)
	for i, r := range records {
		line := fmt.Sprintf("- %s\n", shorten(r.Content, briefLine))
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

// eachKindFirst moves the first record of each kind before the others.
func eachKindFirst(records []memory.Record) []memory.Record {
	var first, rest []memory.Record
	seen := map[memory.Kind]bool{}
	for _, r := range records {
		if seen[r.Kind] {
			rest = append(rest, r)
			continue
		}
		seen[r.Kind] = true
		first = append(first, r)
	}
	return append(first, rest...)
}

func shorten(content string, limit int) string {
	line := []rune(strings.Join(strings.Fields(content), " "))
	if len(line) > limit {
		line = append(line[:limit-1], '…')
	}
	return string(line)
}
