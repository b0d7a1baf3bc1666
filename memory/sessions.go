package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

const (
	// JobCompaction is the kind of the jobs that compact a conversation; their
	// subject is the session.
	JobCompaction = "compaction"
	// The keys below are for [Working.State].

	// StateNotice + session is the key of news that the session is still to be told.
	StateNotice = "context.news/"
	// StateHook + session is the key of what the hooks of hosts remember of a session.
	StateHook = "hook.session/"
	// StateTimesRead is the key of how far [Record.Mentions] of older records have been read.
	StateTimesRead = "times read"
	// StateErased + [SessionTag] is the key of when a conversation was erased, see [ErasedAt].
	StateErased = "erased session/"
	// StateErasing is the key of what is left to do of erasures.
	StateErasing = "erasing"
)

// ReadBefore reduces a value kept under [StateHook] to what has to stay when its session is erased:
// which transcript the session has and how far that was read, so that its text is not read and saved
// again. It returns nil if nothing was read or raw is not such a value.
func ReadBefore(raw json.RawMessage) json.RawMessage {
	var was struct {
		Host    string `json:"host"`
		Project string `json:"project,omitempty"`
		Path    string `json:"path,omitempty"`
		Mark    struct {
			Offset int64  `json:"offset"`
			Head   string `json:"head,omitempty"`
			Tail   string `json:"tail,omitempty"`
			State  struct {
				Format  string `json:"format,omitempty"`
				Session string `json:"session,omitempty"`
				Dir     string `json:"dir,omitempty"`
				Place   uint32 `json:"place,omitempty"`
				Headed  bool   `json:"headed,omitempty"`
				Sub     bool   `json:"sub,omitempty"`
			} `json:"state"`
		} `json:"mark"`
	}
	if json.Unmarshal(raw, &was) != nil || was.Mark.Offset == 0 {
		return nil
	}
	left, err := json.Marshal(was)
	if err != nil {
		return nil
	}
	return left
}

// SessionTag returns a short hash of a session's name, 16 hexadecimal digits, for places where the
// name itself must not appear.
func SessionTag(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:8])
}

// ErasedAt parses a value kept under [StateErased]: the time up to which a conversation was erased,
// zero if raw is empty, for one that was not.
func ErasedAt(raw json.RawMessage) (at time.Time, err error) {
	if len(raw) == 0 {
		return at, nil
	}
	return at, json.Unmarshal(raw, &at)
}

// SessionReader names conversations.
type SessionReader interface {
	// Sessions returns the names of up to limit sessions that have a turn and
	// whose name starts with prefix, in the order of their bytes.
	Sessions(ctx context.Context, agent, prefix string, limit int) ([]string, error)
}
