package memory

import "context"

// SessionReader names conversations.
type SessionReader interface {
	// Sessions returns the names of up to limit sessions that have a turn and
	// whose name starts with prefix, in the order of their bytes.
	Sessions(ctx context.Context, agent, prefix string, limit int) ([]string, error)
}
