package postgres

import (
	"context"
	"errors"
	"net"
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
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), state == codeCancelled:
		return unavailable("the call was cancelled or took too long", "nothing was written; try again")
	case state == codeDiskFull:
		return unavailable("the database's disk is full", "nothing was written; free some space and try again")
	case strings.HasPrefix(state, classResources):
		return unavailable("the database has no more connections or memory to give", "raise max_connections, put a pool in front, or lower pool_max_conns in the URL")
	case strings.HasPrefix(state, classAuth):
		return unavailable("the database does not let this user in", "check the user, and its password in PGPASSWORD or ~/.pgpass")
	case state == codeNoDatabase:
		return unavailable("the database does not exist", "create it with: createdb --encoding UTF8 NAME")
	case state == codeNoRight:
		return unavailable("the database's user lacks a right", "a role that owns the tables has to start this version once; the others need no more than to read and write rows")
	case state == codeReadOnly:
		return unavailable("the database is read-only", "it may be a standby: name all hosts in the URL, with target_session_attrs=read-write")
	case state == codeSerialization, state == codeDeadlock:
		return unavailable("others change the same rows", "nothing was written; try again")
	case state == codeNoText:
		return memory.Errorf(memory.CodeInvalidArgument, "a text contains a NUL character or is not UTF-8").WithHint("remove it").WithCause(err)
	case state == codeNoTable:
		return unavailable("a table is missing in the database", "somebody has removed it; restore a backup")
	case away(err):
		return unavailable("the database cannot be reached", "nothing is lost that was acknowledged; try again when it is back")
	}
	return err
}

// away reports whether the database, or the way to it, is gone: nobody knows of a
// statement that was under way.
func away(err error) bool {
	state := sqlState(err)
	if strings.HasPrefix(state, classConnection) || strings.HasPrefix(state, classIntervention) && state != codeCancelled || state == codeIdleInTx {
		return true
	}
	var network net.Error
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &connect), errors.As(err, &network):
		return true
	case state != "":
		return false
	}
	text := err.Error()
	for _, sign := range []string{"conn closed", "closed pool", "unexpected EOF", "conn busy", "failed to write", "failed to receive"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
