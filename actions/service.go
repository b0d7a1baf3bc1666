package actions

import (
	"context"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// Options configure a [Service]. All fields but Commits and Embedder are required.
type Options struct {
	Store  memory.ActionLog
	Recall *recall.Service // it should reinforce nothing
	Clock  memory.Clock
	// Embedder finds commands by meaning, if it is local. May be nil.
	Embedder memory.Embedder
	Keep     int64 // bytes for each project; 0 keeps nothing
	// Commits returns the commits that changed a file, newest first. Nil means that none can be
	// read.
	Commits func(ctx context.Context, path string, lines Lines) []Commit
}

// Service keeps actions and finds them. Safe for concurrent use.
type Service struct{ o Options }

// New returns a service over a store.
func New(o Options) *Service { return &Service{o} }

// Note stores an agent's actions in the scope's project, except those that are there already, and
// returns how many it stored. Then it drops the oldest actions that exceed the project's limit.
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

// List returns the newest actions of the scope's project, newest first, up to a limit (0 is none).
// A session that is not "" returns only its actions.
func (s *Service) List(ctx context.Context, scope memory.Scope, session string, limit int) ([]memory.Action, error) {
	return s.o.Store.Actions(ctx, scope.Agent, memory.ActionFilter{Projects: projects(scope), Session: session, Limit: limit})
}

// projects returns the projects whose actions a scope reads: its own only. Unlike memories, actions
// without a project are not for all projects. Nil is all projects.
func projects(scope memory.Scope) []string {
	if scope.Project == memory.AllProjects && !scope.Closed {
		return nil
	}
	return []string{scope.Project}
}
