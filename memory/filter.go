package memory

import (
	"strings"
	"time"
)

// Scope says whose memory is meant and where inside it.
type Scope struct {
	Agent   string // the bank; never chosen by a tool argument
	Project string // empty means global
	// Chosen says that the caller named the project: what is saved stays in it, whatever it is
	// about.
	Chosen  bool
	Session string // groups accesses: a record is reinforced once a session
	// Closed scopes read their own project alone, without global memories. They are those of
	// tokens that are restricted to projects.
	Closed bool
}

// AllProjects, as the project of a reading scope, reads every project of the
// bank. It is not a project to save to.
const AllProjects = "*"

// NormalProject returns the name of a project as it is stored: without the blanks around it,
// which a person does not see and another call would not have. Empty is no project.
// Errors: [CodeTooLarge] over [MaxNameBytes]; [CodeInvalidArgument] for what is no text, or
// has a control character in it, such as the end of a line.
func NormalProject(name string) (string, error) {
	name = strings.TrimSpace(name)
	if err := CheckLine("project", name, MaxNameBytes); err != nil {
		return "", err
	}
	return name, nil
}

// CheckWritable returns [CodeInvalidArgument] for a scope that can only be read.
func (s Scope) CheckWritable() error {
	if s.Project == AllProjects {
		return Errorf(CodeInvalidArgument, "project %q is every project, which can only be read", s.Project).
			WithHint("name one project, or none for global memories")
	}
	return nil
}

// Readable returns the projects that the scope reads: its own and, unless it is
// closed, the global one, or nil for all.
func (s Scope) Readable() []string {
	switch {
	case s.Closed:
		return []string{s.Project}
	case s.Project == AllProjects:
		return nil
	case s.Project == "":
		return []string{""}
	}
	return []string{"", s.Project}
}

// Filter narrows a search to some documents of one agent. Conditions are
// joined by AND; an empty one allows everything. Adapters apply it before
// they cut to a limit, so that a narrow filter loses no result.
type Filter struct {
	Agent      string
	Projects   []string // nil is all of them
	Kinds      []Kind   // of records
	Categories []string // of records
	Tags       []string // of records; a record must have all of them
	Link       string   // id of the link by which a record was copied; no turn has one
	Session    string   // of turns
	Speaker    string   // of turns, without regard to case
	Since      time.Time
	Until      time.Time // of the event time: Since ≤ t < Until
	AsOf       time.Time // records that were true then; zero is now, see Now
	KnownAt    time.Time // documents recorded by then, in the state they had then
	Now        time.Time // the moment of the question
	// IncludeArchived also returns what was archived.
	IncludeArchived bool
	// IncludeSuperseded also returns what was corrected meanwhile.
	IncludeSuperseded bool
}

// Narrow reports whether the filter lets pass less than everything live in its projects. Candidates
// then have to be searched for under the filter, as filtering them afterwards could leave too few.
func (f Filter) Narrow() bool {
	return len(f.Kinds) > 0 || len(f.Categories) > 0 || len(f.Tags) > 0 ||
		f.Link != "" || f.Session != "" || f.Speaker != "" ||
		!f.Since.IsZero() || !f.Until.IsZero() || !f.AsOf.IsZero() || !f.KnownAt.IsZero()
}

// OfFiles reports whether a passage of a file can pass the filter: it asks for nothing that only
// records or turns have. Since, Until and AsOf do not matter.
func (f Filter) OfFiles() bool {
	f.Since, f.Until, f.AsOf = time.Time{}, time.Time{}, time.Time{}
	return !f.Narrow()
}
