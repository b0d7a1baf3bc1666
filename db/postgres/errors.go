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

// Classes and codes of PostgreSQL that callers can do something about.
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

// sqlState returns PostgreSQL's code of an error, "" for other errors.
func sqlState(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// states are what people are told of PostgreSQL's codes, and of classes of them. The first that fits counts.
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

// explain turns an error of the driver into one for people. Errors of the domain
// pass through, and so does anything that only we can mend.
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

// unreadable is the error of a URL. What is wrong with it is said, and nothing of it repeated
// where a password may be.
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

// unconnected reports whether there was no connection in the first place.
func unconnected(err error) bool {
	var connect *pgconn.ConnectError
	return errors.As(err, &connect)
}

// away reports whether the database, or the way to it, is gone: nobody knows of a
// statement that was under way.
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
		return false // the caller's time is over, which says nothing of the database
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
