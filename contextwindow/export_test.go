package contextwindow

import (
	"context"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/injected"
)

// Relevant is relevant.
func Relevant(query, content string, score float64) bool { return relevant(query, content, score) }

// ShareName is shareName.
func ShareName(query, record string) bool { return shareName(query, record) }

// Beat sets the time between renewals of a lease.
func (s *Service) Beat(every time.Duration) { s.beat = every }

// Truncate exports truncate.
func Truncate(c memory.TokenCounter, text string, limit int) string { return truncate(c, text, limit) }

// IsTruncationOf exports isTruncationOf.
func IsTruncationOf(short, whole string) bool { return isTruncationOf(short, whole) }

// MessageTokens exports messageTokens.
func MessageTokens(c memory.TokenCounter, m Message) int { return messageTokens(c, m) }

// Delimited exports delimited.
func Delimited(kind, text string) string { return injected.Block(kind, text) }

// NameWords exports nameWords.
func NameWords(name string) []string { return nameWords(name) }

// Bounds exports boundary over turns that are "u" (a user's), "c" (with a
// call) or "t" (its result), all of the same size.
func Bounds(kinds string, keep, size, room int) int {
	var turns []turnSize
	for _, k := range kinds {
		t := turnSize{tokens: size, role: memory.RoleUser}
		switch k {
		case 'c':
			t.role, t.calls = memory.RoleAssistant, true
		case 't':
			t.role = memory.RoleTool
		}
		turns = append(turns, t)
	}
	return boundary(turns, keep, room)
}

// Runs returns how often a queue works on a session that is added twice while
// it is worked on, and once before; -1 if it does not come to an end before ctx.
func Runs(ctx context.Context) (n int) {
	begun, goOn := make(chan struct{}, 3), make(chan struct{})
	q := newQueue(1, 1, func(context.Context, key) {
		n++
		begun <- struct{}{}
		<-goOn
	})
	q.add(key{"a", "s"})
	<-begun
	q.add(key{"a", "s"})
	q.add(key{"a", "s"})
	close(goOn)
	if q.idle(ctx) != nil {
		return -1
	}
	q.close(ctx)
	return n
}

// Shares exports shares.
func Shares(sizes []int, room int) []int { return shares(sizes, room) }
