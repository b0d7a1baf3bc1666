package web

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"mcp-memory/access"
	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/resources"
	"mcp-memory/workspace"
)

// Root is where the pages begin.
const Root = "/ui"

// Options are what a [Site] is made of. Access, Audit, Banks, Hosts, Idle, Machine and SignIn may be left out; Log, Clock
// and the use cases are needed.
type Options struct {
	// Scope says whose bank a visit is about, as for every other door.
	Scope access.ScopeFunc
	// Access knows tokens; nil where the process's own agent is the only one, who
	// comes in by a link (see [Site.Link]).
	Access Access
	// SignIn is the dialogue of an issuer whose tokens Access knows; nil where there is none.
	SignIn access.SignIn
	// Audit keeps who changed what through the page; nil where Access is.
	Audit access.Auditor
	Agent string   // of visits that need no token
	Hosts []string // names by which the page may be asked for, beside those of the loopback
	Idle  time.Duration
	Clock memory.Clock
	Log   *slog.Logger

	Memories      Memories
	Recall        Recaller
	Start         Starter
	Told          Teller
	Changes       Changer
	Review        Reviewer
	Counter       Counter
	Files         func(agent string) workspace.Dir
	Cognition     Cognition
	Planning      Planner
	Links         Linker
	Conversations Conversations
	Work          Worker                   // nil where nothing is known of what agents did
	Limits        contextwindow.Thresholds // of context windows; zero is the usual ones
	Banks         Overseer                 // nil where nothing is told of all banks
	Machine       Machine                  // nil where nobody may see the machine itself
}

// DefaultIdle is how long a session lives that nobody uses.
const DefaultIdle = 30 * time.Minute

// fill puts in the defaults.
func (o *Options) fill() {
	o.Idle = cmp.Or(max(o.Idle, 0), DefaultIdle)
	o.Limits = cmp.Or(o.Limits, contextwindow.DefaultSettings().Thresholds)
}

// Access knows who has a token; package access's service does.
type Access interface {
	// Required reports whether visits need a token.
	Required(ctx context.Context) (bool, error)
	// Identify returns whose token it is: [memory.CodeForbidden] if it is not
	// valid, any other error if that cannot be told.
	Identify(ctx context.Context, token string) (access.Identity, error)
}

// Memories reads and changes a bank; package remember's service does.
type Memories interface {
	// Get is as that of [remember.Service].
	Get(ctx context.Context, scope memory.Scope, ids []string) ([]remember.Found, []string, error)
	// Save is as that of [remember.Service].
	Save(ctx context.Context, scope memory.Scope, r remember.SaveRequest) (remember.SaveResult, error)
	// UpdateIf is as that of [remember.Service].
	UpdateIf(ctx context.Context, scope memory.Scope, u remember.UpdateRequest, by memory.Source,
		allowed func(memory.Record) error) (remember.UpdateResult, error)
	// Forget is as that of [remember.Service].
	Forget(ctx context.Context, scope memory.Scope, f remember.ForgetRequest) (remember.ForgetResult, error)
	// Projects is as that of [remember.Service].
	Projects(ctx context.Context, agent string) ([]remember.Project, error)
}

// Recaller answers questions; package recall's service does.
type Recaller interface {
	// Recall is as that of [recall.Service].
	Recall(ctx context.Context, r recall.Request) (recall.Answer, error)
	// List is as that of [recall.Service].
	List(ctx context.Context, l recall.Listing) (found []memory.Document, more bool, err error)
	// Salience returns how present a record is, 0 to 1.
	Salience(r memory.Record) float64
}

// Starter makes the page of a new session; package resources' service does.
type Starter interface {
	// Compose is as that of [resources.Service].
	Compose(ctx context.Context, scope memory.Scope) (resources.Composed, error)
	// Version returns a text that differs whenever a page may differ.
	Version(ctx context.Context, scope memory.Scope) (string, error)
}

// Teller knows what agents were told; package told's service does.
type Teller interface {
	// List is as that of [told.Service].
	List(ctx context.Context, agent, before string, limit int) ([]memory.Told, error)
}
