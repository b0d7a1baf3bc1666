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
	// StateNotice begins the key of what a session is to be told, see [Working].
	StateNotice = "context.news/"
	// StateHook begins the key of what hooks of hosts keep of a session, see [Working].
	StateHook = "hook.session/"
	// StateTimesRead is the key of how far the times that memories speak of have been read, see [Working].
	StateTimesRead = "times read"
	// StateErased begins the key of when a conversation was erased, behind which its [SessionTag]
	// stands, see [Working].
	StateErased = "erased session/"
	// StateErasing is the key of what is left to do of erasures, see [Working].
	StateErasing = "erasing"
)

// ReadBefore is what is left of a value below [StateHook] when its session is erased: which
// transcript it has, and how far that was read, so that nothing of it is read again while the host
// goes on or when the next session starts. It is nil where nothing was read.
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

// SessionTag tells sessions apart where their names cannot stand: 16 digits of
// base 16.
func SessionTag(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:8])
}

// ErasedAt reads what [StateErased] keeps: the time up to which a conversation was erased, zero
// where it was not.
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
