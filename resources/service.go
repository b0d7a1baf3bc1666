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

// DefaultBudget is the most tokens that the start page has. MinBudget is the smallest budget that
// leaves room for more than the heading.
const (
	DefaultBudget = 500
	MinBudget     = 100
)

// Store is the part of a database that this package needs.
type Store interface {
	memory.Reader
	memory.Catalog
	memory.WorkingReader
	memory.SessionReader
	memory.PlanReader
	memory.Mirror
}

// Files are the files of an agent's workspace.
type Files interface {
	// List returns the names of all files, with forward slashes, in order.
	List(ctx context.Context) ([]string, error)
	// Read returns the content of a file. It fails, with an error that has a code, for any name
	// that is not that of a text file inside the workspace.
	Read(ctx context.Context, name string) (string, error)
	// Loaded returns what a person wrote in the files that sessions are given. Each element has a
	// title and then the lines that fit into the file's share of room, as count measures lines.
	// With brief, it has only the files that matter most.
	Loaded(ctx context.Context, room int, count func(string) int, brief bool) [][]string
	// News returns messages about the files that somebody should know, one line each.
	News(ctx context.Context, now time.Time) ([]string, error)
}

// Links lists the requests for an agent's memory; package link's service implements it.
type Links interface {
	// Waiting returns the requests that the agent has to answer, newest first.
	Waiting(ctx context.Context, agent string) ([]memory.Link, error)
}

// Conversations sums up the latest conversation; package contextwindow's service implements it.
type Conversations interface {
	// LastSession returns a few sentences, one a line, with the session as ID, or the zero value if
	// there is nothing to tell. byModel says that a model wrote them, about what was asked, done,
	// decided and left open. Otherwise they are sentences of the conversation.
	LastSession(ctx context.Context, scope memory.Scope) (last memory.DatedText, byModel bool, err error)
}

// Work reports what agents did; package actions' service implements it.
type Work interface {
	// Last is documented at [actions.Service.Last].
	Last(ctx context.Context, scope memory.Scope) (actions.Last, error)
	// Mended is documented at [actions.Service.Mended].
	Mended(ctx context.Context, scope memory.Scope, failures []actions.Failure) ([]bool, error)
	// Blame is documented at [actions.Service.Blame].
	Blame(ctx context.Context, scope memory.Scope, r actions.BlameRequest) (actions.Blame, error)
}

// Options are the dependencies and settings of a [Service]. Conversations, Work, Told and Budget
// are optional.
type Options struct {
	Store    Store
	Links    Links
	Salience salience.Parameters
	Tokens   memory.TokenCounter
	Clock    memory.Clock
	Files    func(agent string) Files
	// Conversations may be nil: then the page has no text of the latest conversation.
	Conversations Conversations
	Work          Work // may be nil: then nothing is known of what agents did
	// Told is called with the memories that a start page gave, and with its tokens. It must not
	// block. Nil means that nobody is told.
	Told   func(scope memory.Scope, via, query string, ids []string, tokens int)
	Budget int // tokens of the start page, at least MinBudget; 0 means DefaultBudget
}

// Service makes the pages. It is safe for concurrent use.
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

// Version returns a text that changes whenever a page other than that of a file may change,
// whichever process made the change. It takes two small queries.
func (s *Service) Version(ctx context.Context, scope memory.Scope) (string, error) {
	changes, err := s.store.Changes(ctx, scope.Agent)
	if err != nil {
		return "", err
	}
	waiting, err := s.links.Waiting(ctx, scope.Agent) // requests are written to the other agent's bank
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
