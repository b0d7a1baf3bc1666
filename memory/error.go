package memory

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"syscall"
	"unicode/utf8"
)

// Code classifies an [Error] for programs. Every adapter that shows errors to
// somebody (MCP, command line) maps each code, and a test keeps that complete.
type Code string

// The codes that callers may see.
const (
	CodeInvalidArgument Code = "invalid_argument" // an argument is missing, of the wrong type or out of range
	CodeNotFound        Code = "not_found"        // no such thing in this agent's bank
	CodeConflict        Code = "conflict"         // it is already done, or somebody else did it first
	CodeForbidden       Code = "forbidden"        // this agent may not do that
	CodeTooLarge        Code = "too_large"        // over a documented limit
	CodeExpired         Code = "expired"          // it could have been done earlier, now it is too late
	CodeUnavailable     Code = "unavailable"      // something that is needed does not answer; trying again may help
	CodeInternal        Code = "internal"         // our fault; the message tells nothing about paths or SQL
)

// Codes lists every [Code], for tables that must be complete.
func Codes() []Code {
	return []Code{
		CodeInvalidArgument, CodeNotFound, CodeConflict, CodeForbidden,
		CodeTooLarge, CodeExpired, CodeUnavailable, CodeInternal,
	}
}

// Error is a failure that a caller can act on. Message says what is wrong and
// Hint what to do about it; both are shown to people and contain no secrets.
// Err is the cause, for logs only.
type Error struct {
	Code    Code
	Message string
	Hint    string
	Err     error

	typed string // Hint for a person who types commands, where Hint names tools; see [Error.WithAdvice]
}

// Error returns "code: message (hint)".
func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Message
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// maxShown is how many characters of a text argument an error repeats, maxMessage how many its
// message has in all: a caller who sends a megabyte need not get it back.
const (
	maxShown   = 200
	maxMessage = 1000
)

// Errorf makes an [Error]. The format may wrap a cause with %w, which is kept
// for logs and also shown, so wrap only causes that are fit for people. Of a
// text among the arguments it shows at most 200 characters.
func Errorf(code Code, format string, args ...any) *Error {
	if slices.ContainsFunc(args, isLong) {
		return Errorf(code, format, shownOf(args)...)
	}
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: Shorten(err.Error(), maxMessage), Err: errors.Unwrap(err)}
}

func isLong(arg any) bool {
	v := reflect.ValueOf(arg)
	return v.Kind() == reflect.String && utf8.RuneCountInString(v.String()) > maxShown+1
}

// shownOf returns what an error shows of its arguments.
func shownOf(args []any) []any {
	shown := slices.Clone(args)
	for i, a := range args {
		if isLong(a) {
			shown[i] = Shorten(reflect.ValueOf(a).String(), maxShown)
		}
	}
	return shown
}

// WithHint returns a copy of e that tells the caller what to do.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint, c.typed = fmt.Sprintf(format, args...), ""
	return &c
}

// WithCause returns a copy of e that carries err for logs without showing it.
func (e *Error) WithCause(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// CodeOf returns the code of the first [Error] in err's chain,
// [CodeInternal] for any other error and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	if errors.Is(err, syscall.ENOSPC) {
		return CodeUnavailable
	}
	return CodeInternal
}

// Public returns the error that may be shown to a caller: err itself where it
// is an [Error], otherwise an internal one that hides what err says. That a disk is full
// is said, wherever it comes from.
func Public(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if errors.Is(err, syscall.ENOSPC) {
		return Errorf(CodeUnavailable, "the disk is full").WithCause(err).WithHint("nothing was written; free some space and try again")
	}
	return &Error{
		Code:    CodeInternal,
		Message: "something went wrong inside the server",
		Hint:    "its log on stderr tells what",
		Err:     err,
	}
}
