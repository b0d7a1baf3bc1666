package memory

import (
	"context"
	"time"
)

// ProjectUse says what a project of a bank holds and when it was used last.
type ProjectUse struct {
	Name    string    // empty for what is global
	Records int       // live
	Turns   int       // of conversations
	LastUse time.Time // when something was last saved, said or recalled there
}

// ProjectReader looks at the projects of a bank.
type ProjectReader interface {
	// Projects returns the projects that a record, live or not, a turn or a to-do
	// belongs to, by name; what is global is one of them.
	Projects(ctx context.Context, agent string) ([]ProjectUse, error)
}

// ProjectContents names what belongs to a project: records, those that were
// archived or superseded too, turns, sessions with their context windows, and to-dos.
type ProjectContents struct {
	Records  []string `json:"records,omitempty"`  // ids
	Turns    []string `json:"turns,omitempty"`    // ids
	Sessions []string `json:"sessions,omitempty"` // names
	Todos    []string `json:"todos,omitempty"`    // ids
}

// Empty reports whether nothing is named.
func (c ProjectContents) Empty() bool {
	return len(c.Records)+len(c.Turns)+len(c.Sessions)+len(c.Todos) == 0
}

// ProjectMover moves what belongs to a project.
type ProjectMover interface {
	// MoveProject moves what belongs to project from into project into: only what only names,
	// or everything if only is nil. It returns what was moved, in order of arrival.
	MoveProject(from, into string, only *ProjectContents) (ProjectContents, error)
}
