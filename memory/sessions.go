package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
)

const (
	// JobCompaction is the kind of the jobs that compact a conversation; their
	// subject is the session.
	JobCompaction = "compaction"
	// StateNotice begins the key of what a session is to be told, see [Working].
	StateNotice = "context.news/"
	// StateHook begins the key of what hooks of hosts keep of a session, see [Working].
	StateHook = "hook.session/"
	// StateTimesRead is the key of how far the times that memories speak of have been read, see [Working].
	StateTimesRead = "times read"
	// StateErasing is the key of what is left to do of erasures, see [Working].
	StateErasing = "erasing"
)

// SessionTag tells sessions apart where their names cannot stand: 16 digits of
// base 16.
func SessionTag(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:8])
}

// SessionReader names conversations.
type SessionReader interface {
	// Sessions returns the names of up to limit sessions that have a turn and
	// whose name starts with prefix, in the order of their bytes.
	Sessions(ctx context.Context, agent, prefix string, limit int) ([]string, error)
}
