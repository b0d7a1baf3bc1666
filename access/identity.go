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
	Token    string   // id of the token, or "sub:" and the issuer's subject; "" if no token was needed
	Projects []string // the only projects that it may use; none is no restriction
	ReadOnly bool
	Operator bool   // it sees the state of all banks, but not their contents
	Session  string // of the protocol, "" without one
}

// Key distinguishes identities, also two tokens of one agent.
func (i Identity) Key() string { return i.Agent + "\x00" + i.Token }

// Restricted reports whether the identity may use only some projects, or as an operator none.
func (i Identity) Restricted() bool { return i.Operator || len(i.Projects) > 0 }

// Scope returns the scope of a call with a project argument, nil for none. Without one the project
// is the only project of a token, and for an unrestricted token the global memories. Errors are
// [memory.CodeForbidden] for an operator and for a project that the token is not for, and
// [memory.CodeInvalidArgument] if a project has to be named. The scope of a restricted token is
// closed: it has no global memories (see the package document).
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

// ScopeFunc returns the scope of a call: whose bank it is about, and which project. project is the
// argument if it was given ("" is global). For nil it is the caller's own project.
type ScopeFunc func(ctx context.Context, project *string) (memory.Scope, error)

// open reports whether the identity may see records of a project.
func (i Identity) open(project string) bool {
	return !i.Restricted() || slices.Contains(i.Projects, project)
}

// narrow returns those of projects (nil is all) that are open to the identity. It returns false if
// none is left.
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

// With returns a context whose calls an identity makes.
func With(ctx context.Context, i Identity) context.Context {
	return context.WithValue(ctx, identityKey, i)
}

// From returns the identity that makes a call. It is false if the process's own agent makes it,
// over stdin or on the command line.
func From(ctx context.Context) (Identity, bool) {
	i, ok := ctx.Value(identityKey).(Identity)
	return i, ok
}

// Verifier verifies tokens that another issuer has issued.
type Verifier interface {
	// Verify returns the identity of a token, and when it expires. The error is
	// [memory.CodeForbidden] if the token is not valid, [memory.CodeUnavailable] if that cannot be
	// decided.
	Verify(ctx context.Context, token string) (Identity, time.Time, error)
}
