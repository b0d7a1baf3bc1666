package access

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// Identity is who makes a request.
type Identity struct {
	Agent    string
	Token    string   // id of the token, or what an issuer calls the client; "" where none was needed
	Projects []string // that it is restricted to; none is no restriction
	ReadOnly bool
	Operator bool   // sees how all banks do, and nothing that is in one
	Session  string // of the protocol, "" without one
}

// Key tells identities apart: two tokens of one agent are two.
func (i Identity) Key() string { return i.Agent + "\x00" + i.Token }

// Restricted reports whether only some projects are open to it, or as for an operator
// none.
func (i Identity) Restricted() bool { return i.Operator || len(i.Projects) > 0 }

// Scope resolves the project argument of a call, nil for none. Without one it
// is the only project of a token, and for a token without restriction the
// global memories. Errors are [memory.CodeForbidden] for a project that the
// token is not for, and [memory.CodeInvalidArgument] where it has to be named.
// The scope of a restricted token is closed: see the package document. An operator has
// none: [memory.CodeForbidden].
func (i Identity) Scope(project *string) (memory.Scope, error) {
	scope := memory.Scope{Agent: i.Agent, Session: i.Session, Closed: i.Restricted()}
	switch {
	case i.Operator:
		return memory.Scope{}, errOperator()
	case project == nil && len(i.Projects) == 1:
		scope.Project = i.Projects[0]
	case project == nil && i.Restricted():
		return scope, memory.Errorf(memory.CodeInvalidArgument, "project is missing").WithHint("this token is for %s", list(i.Projects))
	case project != nil && i.Restricted() && !slices.Contains(i.Projects, *project):
		return scope, memory.Errorf(memory.CodeForbidden, "this token is not for that project").WithHint("it is for %s", list(i.Projects))
	case project != nil:
		scope.Project = *project
	}
	return scope, nil
}

// ScopeFunc returns whose bank a call is about and in which project: the
// argument if it was given (empty is global), else the caller's own.
type ScopeFunc func(ctx context.Context, project *string) (memory.Scope, error)

// open reports whether a record of that project is there for the identity.
func (i Identity) open(project string) bool {
	return !i.Restricted() || slices.Contains(i.Projects, project)
}

// narrow returns which of some projects, nil for all, are open to the identity;
// false if none is.
func (i Identity) narrow(projects []string) ([]string, bool) {
	switch {
	case !i.Restricted():
		return projects, true
	case projects == nil:
		return i.Projects, len(i.Projects) > 0
	}
	closed := func(p string) bool { return !i.open(p) }
	open := slices.DeleteFunc(slices.Clone(projects), closed)
	return open, len(open) > 0
}

type contextKey int

const (
	identityKey contextKey = iota
	callKey
)

// With returns a context whose calls are made by an identity.
func With(ctx context.Context, i Identity) context.Context {
	return context.WithValue(ctx, identityKey, i)
}

// From returns who makes a call. It is false where the process's own agent
// does, over stdin or on the command line.
func From(ctx context.Context) (Identity, bool) {
	i, ok := ctx.Value(identityKey).(Identity)
	return i, ok
}

// Verifier knows tokens that somebody else has issued.
type Verifier interface {
	// Verify returns whom a token is about, until when; [memory.CodeForbidden]
	// if it is not valid, [memory.CodeUnavailable] if that cannot be told.
	Verify(ctx context.Context, token string) (Identity, time.Time, error)
}
