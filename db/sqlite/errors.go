package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"mcp-memory/memory"
)

// Primary result codes of SQLite that callers can do something about.
const (
	codeError      = 1
	codeBusy       = 5
	codeLocked     = 6
	codeReadOnly   = 8
	codeStopped    = 9
	codeIOErr      = 10
	codeCorrupt    = 11
	codeFull       = 13
	codeCantOpen   = 14
	codeProtocol   = 15 // another process holds a lock that is normally held for moments only
	codeConstraint = 19
	codeNotADB     = 26
)

const damageHint = "`mcp-memory doctor` says where, `doctor --repair` mends it, or restore a backup"

// explain turns an error of the driver into a [memory.Error] that tells a caller what to do, mostly
// of code [memory.CodeUnavailable]. A [memory.Error] passes unchanged, and so does any other error,
// as a mistake of the program.
func explain(err error) error {
	var known *memory.Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), resultCode(err) == codeStopped:
		return memory.Errorf(memory.CodeUnavailable, "the call was cancelled or took too long").WithCause(err).
			WithHint("nothing was written; try again")
	case errors.Is(err, memory.ErrDamaged) && resultCode(err) == 0:
		return memory.Errorf(memory.CodeUnavailable, "the database is damaged: a row makes no sense").WithCause(err).WithHint(damageHint)
	case errors.Is(err, sql.ErrConnDone):
		return memory.Errorf(memory.CodeUnavailable, "the server is shutting down").WithCause(err)
	}
	unavailable := func(message, hint string) error {
		return memory.Errorf(memory.CodeUnavailable, "%s", message).WithHint("%s", hint).WithCause(err)
	}
	switch reasonOf(err) {
	case codeBusy, codeLocked, codeProtocol:
		return unavailable("the database is locked by another process",
			"nothing was written; try again, or find the process that keeps it open")
	case codeFull:
		return unavailable("the disk is full", "nothing was written; free some space and try again")
	case codeReadOnly:
		return unavailable("the database cannot be written", "check the permissions of the data directory and its files")
	case codeIOErr:
		return unavailable("the disk reported an error", "nothing was written; check free space and the disk")
	case codeCorrupt, codeNotADB:
		err = fmt.Errorf("%w: %w", memory.ErrDamaged, err)
		return unavailable("the database is damaged", damageHint)
	case codeError:
		if vectorsBroken(err) {
			err = fmt.Errorf("%w: %w", memory.ErrDamaged, err)
			return unavailable("the vectors of the database cannot be read",
				"try again; `mcp-memory doctor` says whether they are damaged, `doctor --repair` makes them anew")
		}
	case codeCantOpen:
		return unavailable("the database cannot be opened", "check the data directory, its permissions and free space")
	}
	return err
}

// passedOn maps messages of SQLite to result codes: sqlite-vec includes the message in its own but
// replaces the code by a general one.
var passedOn = map[string]int{
	"database or disk is full": codeFull, "disk I/O error": codeIOErr,
	"unable to open database file": codeCantOpen, "database is locked": codeBusy,
}

// reasonOf returns the primary result code of an error, also if sqlite-vec has hidden it.
func reasonOf(err error) int {
	code := resultCode(err) & 0xff
	if code == codeError {
		for words, passed := range passedOn {
			if strings.Contains(err.Error(), words) {
				return passed
			}
		}
	}
	return code
}

// vectorsBroken reports whether an error is one of sqlite-vec about shadow tables that do not fit
// together; it tells by the message, as there is no result code for that.
func vectorsBroken(err error) bool {
	text := err.Error()
	for _, part := range []string{"Could not fetch vector data", "Internal sqlite-vec error", "chunks iter error", "shadow table",
		"blob for "} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
