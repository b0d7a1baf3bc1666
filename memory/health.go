package memory

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrDamaged is in the chain of an error that comes of damaged files, as far as
// the store can tell.
var ErrDamaged = errors.New("damaged")

// Unreadable is the error of a walk over documents, such as an export, that came to the end but had
// to leave out documents that cannot be read any more. Its code is [CodeUnavailable], and
// [ErrDamaged] is in its chain.
type Unreadable struct {
	IDs []string // as far as they are known
}

// Error implements error.
func (u *Unreadable) Error() string { return u.public().Error() }

// Unwrap returns the error in the form that callers can act on.
func (u *Unreadable) Unwrap() error { return u.public() }

func (u *Unreadable) public() *Error {
	return Errorf(CodeUnavailable, "the database is damaged: %s cannot be read", u.what()).WithCause(ErrDamaged).
		WithHint("everything else can; `mcp-memory doctor` says more")
}

func (u *Unreadable) what() string {
	if len(u.IDs) == 0 {
		return "some documents"
	}
	return fmt.Sprintf("%d documents", len(u.IDs))
}

// Condition is the result of a check.
type Condition string

// The conditions, from the best.
const (
	ConditionOK      Condition = "ok"
	ConditionWarning Condition = "warning" // works, but somebody should look at it
	ConditionBroken  Condition = "broken"  // something is lost or does not work
)

// CheckNodes is the check that looks whether all nodes of a database's cluster answer.
const CheckNodes = "nodes"

// Finding is what one check found.
type Finding struct {
	Check     string    `json:"check"` // what was looked at, such as "indexes"
	Condition Condition `json:"condition"`
	Detail    string    `json:"detail"`           // what was found, for people; contains no memory
	Advice    string    `json:"advice,omitempty"` // what to do about it; empty if nothing is to be done
}

// Health is what a store knows of its own files.
type Health struct {
	Problems  []Finding // what is not as it should be; empty if all is well
	CheckedAt time.Time // when the files were last looked through to the end; zero if not yet
}

// Broken reports whether something is lost or does not work.
func (h Health) Broken() bool {
	for _, f := range h.Problems {
		if f.Condition == ConditionBroken {
			return true
		}
	}
	return false
}

// Caretaker looks after the files behind a store.
type Caretaker interface {
	// Health tells what is known of the files, from what Tend has found and from what can
	// be seen at once. It takes microseconds and never waits for a query.
	Health() Health
	// Tend works in the background until ctx ends: it looks through the files little by little,
	// notes damage in Health, and rebuilds what is damaged but derived, such as indexes.
	Tend(ctx context.Context)
	// CopyTo writes a consistent copy of the database as a new file, which only its owner
	// may read, while others read and write. progress is called now and then with the bytes
	// that are done and about how many there will be; it may be nil. [CodeConflict] if there is
	// such a file, [CodeUnavailable] if the database cannot be read or the file not be written.
	CopyTo(ctx context.Context, path string, progress func(done, total int64)) error
}
