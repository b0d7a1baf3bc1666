package postgres

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"mcp-memory/memory"
)

// SQLSTATE codes of PostgreSQL, and classes of them (the first two characters), that this package
// handles.
const (
	classConnection   = "08"
	classResources    = "53"
	classIntervention = "57" // the server stops, or somebody ended the session
	classAuth         = "28"

	codeDiskFull      = "53100"
	codeCancelled     = "57014"
	codeSerialization = "40001"
	codeDeadlock      = "40P01"
	codeIdleInTx      = "25P03"
	codeReadOnly      = "25006"
	codeNoRight       = "42501"
	codeNoDatabase    = "3D000"
	codeNoTable       = "42P01"
	codeNoText        = "22021" // not UTF-8, or NUL
)

// sqlState returns the SQLSTATE code of an error of PostgreSQL, "" for other errors.
func sqlState(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// states are the messages and hints that users get for SQLSTATE codes and classes. The first entry
// that is a prefix of the code counts, so a code comes before its class.
var states = []struct{ state, message, hint string }{
	{codeCancelled, "the database ended what took too long",
		"nothing was written; try again, and if that happens often raise the role's statement_timeout"},
	{codeIdleInTx, "the database ended a transaction that stood still",
		"nothing was written; try again, and if that happens often raise the role's idle_in_transaction_session_timeout"},
	{codeDiskFull, "the database's disk is full", "nothing was written; free some space and try again"},
	{classResources, "the database has no more connections or memory to give",
		"raise max_connections, put a pool in front, or lower pool_max_conns in the URL"},
	{classAuth, "the database does not let this user in", "check the user, and its password in PGPASSWORD or ~/.pgpass"},
	{codeNoDatabase, "the database does not exist", "create it with: createdb --encoding UTF8 NAME"},
	{codeNoRight, "the database's user lacks a right",
		"a role that owns the tables has to start this version once; the others need no more than to read and write rows"},
	{codeReadOnly, "the database is read-only", "it may be a standby: name all hosts in the URL, with target_session_attrs=read-write"},
	{codeSerialization, "others change the same rows", "nothing was written; try again"},
	{codeDeadlock, "others change the same rows", "nothing was written; try again"},
	{codeNoTable, "a table is missing in the database", "somebody has removed it; restore a backup"},
}

// explain turns an error of the driver into a [memory.Error] with a message and a hint for the
// user. It returns errors unchanged that are one already, and those that a user can do nothing
// about.
func explain(err error) error {
	var known *memory.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	unavailable := func(message, hint string) error {
		return memory.Errorf(memory.CodeUnavailable, "%s", message).WithHint("%s", hint).WithCause(err)
	}
	state := sqlState(err)
	switch {
	case state == "" && unconnected(err):
		return unreachable(err)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return unavailable("the call was cancelled or took too long", "nothing was written; try again")
	case state == codeNoText:
		return memory.Errorf(memory.CodeInvalidArgument, "a text contains a NUL character or is not UTF-8").WithHint("remove it").
			WithCause(err)
	}
	for _, one := range states {
		if strings.HasPrefix(state, one.state) {
			return unavailable(one.message, one.hint)
		}
	}
	if away(err) {
		return unreachable(err)
	}
	return err
}

func unreachable(err error) error {
	refused := func(message, hint string) error {
		return memory.Errorf(memory.CodeUnavailable, "%s", message).WithHint("%s", hint).WithCause(err)
	}
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		return refused("the database's certificate is not accepted",
			"sslrootcert=FILE in the URL names who signed it, and the URL's host has to be in it; sslmode=verify-ca leaves the host out")
	case strings.HasSuffix(err.Error(), "server refused TLS connection"): // as the last thing that was tried
		return refused("the database does not speak TLS", "switch it on there, or change sslmode in the URL")
	}
	return memory.Errorf(memory.CodeUnavailable, "the database cannot be reached").
		WithHint("nothing is lost that was acknowledged; try again when it is back").WithCause(err)
}

// unreadable returns the error for a URL that cannot be parsed. It says what is wrong, but does not
// repeat the URL, which may have a password in it.
func unreadable(err error) error {
	why := ""
	var whole *pgconn.ParseConfigError
	var text *url.Error
	switch inner := errors.Unwrap(err); {
	case errors.As(err, &text):
		why = ": it is no URL"
	case errors.As(err, &whole) && inner != nil:
		why = ": " + inner.Error()
	}
	return memory.Errorf(memory.CodeInvalidArgument, "the database's URL cannot be read%s", why).
		WithHint("postgres://USER@HOST:5432/DATABASE, the password in PGPASSWORD or ~/.pgpass").WithCause(err)
}

// unconnected reports whether err is of an attempt to connect.
func unconnected(err error) bool {
	var connect *pgconn.ConnectError
	return errors.As(err, &connect)
}

// away reports whether the database, or the way to it, is gone. Whether a statement that was under
// way has had an effect is then unknown.
func away(err error) bool {
	state := sqlState(err)
	if strings.HasPrefix(state, classConnection) || strings.HasPrefix(state, classIntervention) && state != codeCancelled ||
		state == codeIdleInTx {
		return true
	}
	var network net.Error
	switch {
	case strings.HasPrefix(state, classAuth), state == codeNoDatabase, state == codeNoRight:
		return false // waiting does not help
	case unconnected(err):
		return true
	case state != "", errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return false // the database answered, or the caller's time is over
	case errors.As(err, &network):
		return true
	}
	text := err.Error()
	for _, sign := range []string{"conn closed", "closed pool", "unexpected EOF", "conn busy", "failed to write", "failed to receive",
		"too many failed attempts acquiring"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
