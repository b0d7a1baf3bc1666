package memory

import (
	"errors"
	"fmt"
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

// Errorf makes an [Error]. The format may wrap a cause with %w, which is kept
// for logs and also shown, so wrap only causes that are fit for people.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// WithHint returns a copy of e that tells the caller what to do.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint = fmt.Sprintf(format, args...)
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
	return CodeInternal
}

// Public returns the error that may be shown to a caller: err itself where it
// is an [Error], otherwise an internal one that hides what err says.
func Public(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{
		Code:    CodeInternal,
		Message: "something went wrong inside the server",
		Hint:    "its log on stderr tells what",
		Err:     err,
	}
}
