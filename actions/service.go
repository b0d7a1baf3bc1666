package actions

import (
	"context"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// Options are what a [Service] is made of. All fields but Commits and Embedder are needed.
type Options struct {
	Store  memory.ActionLog
	Recall *recall.Service // should reinforce nothing
	Clock  memory.Clock
	// Embedder finds commands that say it in other words; one that is not local is not asked. May be nil.
	Embedder memory.Embedder
	Keep     int64 // bytes a project; 0 keeps nothing
	// Commits reads the commits that changed a file, newest first; nil where there is none to read.
	Commits func(ctx context.Context, path string, lines Lines) []Commit
}

// Service keeps actions and finds them. Safe for concurrent use.
type Service struct{ o Options }

// New returns a service over a store.
func New(o Options) *Service { return &Service{o} }

// Note keeps actions of an agent in the scope's project, as far as they are not there
// yet, and returns how many those are. What is too old for the room that the project has goes.
func (s *Service) Note(ctx context.Context, scope memory.Scope, list []memory.Action) (int, error) {
	if s == nil || s.o.Keep == 0 || len(list) == 0 {
		return 0, nil
	}
	if err := scope.CheckWritable(); err != nil {
		return 0, err
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Project = scope.Project
	}
	fresh, err := s.o.Store.NoteActions(ctx, scope.Agent, list)
	if err != nil || fresh == 0 {
		return fresh, err
	}
	_, err = s.o.Store.PruneActions(ctx, scope.Agent, scope.Project, s.o.Keep)
	return fresh, err
}

// List returns the newest actions of the scope's project, up to a limit, newest first; 0 is all.
func (s *Service) List(ctx context.Context, scope memory.Scope, session string, limit int) ([]memory.Action, error) {
	return s.o.Store.Actions(ctx, scope.Agent, memory.ActionFilter{Projects: projects(scope), Session: session, Limit: limit})
}

// projects are those whose actions a scope reads: its own alone. What was done without a
// project is not everybody's, as a memory without one is.
func projects(scope memory.Scope) []string {
	if scope.Project == memory.AllProjects && !scope.Closed {
		return nil
	}
	return []string{scope.Project}
}
