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

// Root is the path under which all pages are.
const Root = "/ui"

// Options are the dependencies and settings of a [Site]. Access, SignIn, Audit, Hosts, Idle, Work,
// Limits, Banks and Machine are optional. The rest is required.
type Options struct {
	// Scope returns whose bank a visit is about, as for every other way in.
	Scope access.ScopeFunc
	// Access verifies tokens. Nil means that there are none: only the process's own agent gets in,
	// by a link (see [Site.Link]).
	Access Access
	// SignIn is the sign-in at an OpenID issuer whose tokens Access accepts, nil for none.
	SignIn access.SignIn
	// Audit logs who changed what through the page, nil where Access is nil.
	Audit access.Auditor
	Agent string   // whose bank is shown if no token is required
	Hosts []string // accepted Host headers, beside those of the loopback interface
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
	Work          Worker                   // nil if actions of agents are not recorded
	Limits        contextwindow.Thresholds // of context windows; zero means the defaults
	Banks         Overseer                 // nil to hide the list of all banks
	Machine       Machine                  // nil to hide what is about this machine
}

// DefaultIdle is how long an unused session lives.
const DefaultIdle = 30 * time.Minute

// fill sets the defaults.
func (o *Options) fill() {
	o.Idle = cmp.Or(max(o.Idle, 0), DefaultIdle)
	o.Limits = cmp.Or(o.Limits, contextwindow.DefaultSettings().Thresholds)
}

// Access verifies tokens; package access's service implements it.
type Access interface {
	// Required reports whether a visitor has to give a token.
	Required(ctx context.Context) (bool, error)
	// Identify returns whose token it is. The error has [memory.CodeForbidden] if the token is not
	// valid, and another code if that cannot be decided now.
	Identify(ctx context.Context, token string) (access.Identity, error)
}

// Memories reads and changes the memories of a bank; package remember's service implements it.
type Memories interface {
	// Get is documented at [remember.Service.Get].
	Get(ctx context.Context, scope memory.Scope, ids []string) ([]remember.Found, []string, error)
	// Save is documented at [remember.Service.Save].
	Save(ctx context.Context, scope memory.Scope, r remember.SaveRequest) (remember.SaveResult, error)
	// UpdateIf is documented at [remember.Service.UpdateIf].
	UpdateIf(ctx context.Context, scope memory.Scope, u remember.UpdateRequest, by memory.Source,
		allowed func(memory.Record) error) (remember.UpdateResult, error)
	// Forget is documented at [remember.Service.Forget].
	Forget(ctx context.Context, scope memory.Scope, f remember.ForgetRequest) (remember.ForgetResult, error)
	// Projects is documented at [remember.Service.Projects].
	Projects(ctx context.Context, agent string) ([]remember.Project, error)
}

// Recaller searches and lists memories; package recall's service implements it.
type Recaller interface {
	// Recall is documented at [recall.Service.Recall].
	Recall(ctx context.Context, r recall.Request) (recall.Answer, error)
	// List is documented at [recall.Service.List].
	List(ctx context.Context, l recall.Listing) (found []memory.Document, more bool, err error)
	// Salience returns the current salience of a record, 0 to 1.
	Salience(r memory.Record) float64
}

// Starter composes the page that a new session is given; package resources' service implements it.
type Starter interface {
	// Compose is documented at [resources.Service.Compose].
	Compose(ctx context.Context, scope memory.Scope) (resources.Composed, error)
	// Version returns a text that changes whenever a page that is read from the bank may change.
	Version(ctx context.Context, scope memory.Scope) (string, error)
}

// Teller lists what agents were given; package told's service implements it.
type Teller interface {
	// List is documented at [told.Service.List].
	List(ctx context.Context, agent, before string, limit int) ([]memory.Told, error)
}
