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

// Brief returns what a new session should know before it asks: the most
// salient records of the scope, one a line, in at most limit characters; empty
// if nothing stands out. Looking does not reinforce.
func Brief(ctx context.Context, store memory.Reader, scope memory.Scope, p salience.Parameters, now time.Time, limit int) (string, error) {
	records, err := store.Salient(ctx, scope, briefPool)
	if err != nil {
		return "", err
	}
	records = slices.DeleteFunc(records, func(r memory.Record) bool {
		return !r.Pinned && r.Importance < briefFloor && r.AccessCount == 0
	})
	slices.SortStableFunc(records, func(a, b memory.Record) int {
		return cmp.Compare(p.Of(b, now), p.Of(a, now))
	})
	var b strings.Builder
	for _, r := range records {
		line := fmt.Sprintf("- %s\n", shorten(r.Content, briefLine))
		if b.Len()+len(line) > limit {
			break
		}
		b.WriteString(line)
	}
	return b.String(), nil
}

func shorten(content string, limit int) string {
	line := []rune(strings.Join(strings.Fields(content), " "))
	if len(line) > limit {
		line = append(line[:limit-1], '…')
	}
	return string(line)
}
