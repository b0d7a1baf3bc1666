package resources

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mcp-memory/actions"
	"mcp-memory/memory"
	"mcp-memory/salience"
)

// DefaultBudget is how many tokens the page of a new session takes at most, and
// MinBudget the least that leaves room for more than its heading.
const (
	DefaultBudget = 500
	MinBudget     = 100
)

// Store is what this package reads of a database.
type Store interface {
	memory.Reader
	memory.Catalog
	memory.WorkingReader
	memory.SessionReader
	memory.PlanReader
	memory.Mirror
}

// Files are those of an agent's workspace.
type Files interface {
	// List returns the names of all files, with forward slashes, in order.
	List(ctx context.Context) ([]string, error)
	// Read returns a file by its name; an error with a code for any name that
	// is not that of a text file inside of the workspace.
	Read(ctx context.Context, name string) (string, error)
	// Loaded returns what a person wrote in the files that sessions are given: for
	// each a title, and behind it the lines that fit into its share of room, as count
	// measures it; with brief only what is worth a place where there is little.
	Loaded(ctx context.Context, room int, count func(string) int, brief bool) [][]string
	// News tells what somebody has to know of the files, a line each.
	News(ctx context.Context, now time.Time) ([]string, error)
}

// Links knows which requests for an agent's memory wait; package link's service does.
type Links interface {
	// Waiting returns the requests that agent has to answer, newest first.
	Waiting(ctx context.Context, agent string) ([]memory.Link, error)
}

// Conversations knows how the latest conversation went; package contextwindow's
// service does.
type Conversations interface {
	// LastSession tells it in a few sentences, one a line, with the session as the
	// ID; the zero value if there is nothing to tell. byModel tells that a model wrote
	// them, of what was asked, done, decided and left open.
	LastSession(ctx context.Context, scope memory.Scope) (last memory.DatedText, byModel bool, err error)
}

// Work knows what agents did; package actions' service does.
type Work interface {
	// Last is documented at [actions.Service.Last].
	Last(ctx context.Context, scope memory.Scope) (actions.Last, error)
	// Mended is documented at [actions.Service.Mended].
	Mended(ctx context.Context, scope memory.Scope, failures []actions.Failure) ([]bool, error)
	// Blame is documented at [actions.Service.Blame].
	Blame(ctx context.Context, scope memory.Scope, r actions.BlameRequest) (actions.Blame, error)
}

// Options are what a [Service] is made of. All fields but Conversations, Work, Told
// and Budget are needed.
type Options struct {
	Store    Store
	Links    Links
	Salience salience.Parameters
	Tokens   memory.TokenCounter
	Clock    memory.Clock
	Files    func(agent string) Files
	// Conversations may be nil: then the page does not tell of the last one.
	Conversations Conversations
	Work          Work // may be nil, too: then nothing is told of that
	// Told is told which memories the page of a new session gave to whom, and how many tokens
	// it took; nil does not. It must not block.
	Told   func(scope memory.Scope, via, query string, ids []string, tokens int)
	Budget int // of the page of a new session, in tokens, from MinBudget; 0 is DefaultBudget
}

// Service makes pages. Safe for concurrent use.
type Service struct {
	store    Store
	links    Links
	salience salience.Parameters
	tokens   memory.TokenCounter
	clock    memory.Clock
	files    func(agent string) Files
	budget   int

	conversations Conversations
	work          Work
	told          func(scope memory.Scope, via, query string, ids []string, tokens int)
}

// New returns a service over a store.
func New(o Options) *Service {
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	if o.Told == nil {
		o.Told = func(memory.Scope, string, string, []string, int) {}
	}
	return &Service{o.Store, o.Links, o.Salience, o.Tokens, o.Clock, o.Files, o.Budget, o.Conversations, o.Work, o.Told}
}

// Version returns a text that differs whenever a page but a file's may differ,
// whichever process made the change. It is two small queries.
func (s *Service) Version(ctx context.Context, scope memory.Scope) (string, error) {
	changes, err := s.store.Changes(ctx, scope.Agent)
	if err != nil {
		return "", err
	}
	waiting, err := s.links.Waiting(ctx, scope.Agent) // these are written to another bank
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d.%d", changes.Writes, changes.Rewrites)
	for _, l := range waiting {
		b.WriteString(" " + l.ID)
	}
	return b.String(), nil
}
