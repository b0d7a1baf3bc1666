package remember

import (
	"context"

	"mcp-memory/memory"
	"mcp-memory/text/taxonomy"
)

// Moved says what a move of memories did.
type Moved struct {
	IDs     []string // of what is in another project now
	Missing []string // ids that are not there
	Project string   // that they are in, as it is called there
	UndoID  string   // for [Service.TakeBack]; empty if nothing was changed
}

// Move puts memories into a project, or with an empty one out of all, in one transaction; the
// history of each moves along, and what is there already stays. A superseded id stands for
// what holds in its place. Errors: [memory.CodeInvalidArgument] for a name that is none and
// without ids, [memory.CodeNotFound] if none of the ids is there.
func (s *Service) Move(ctx context.Context, scope memory.Scope, ids []string, to string) (Moved, error) {
	project, err := s.destination(ctx, scope, to)
	if err != nil {
		return Moved{}, err
	}
	if len(ids) == 0 {
		return Moved{}, memory.Errorf(memory.CodeInvalidArgument, "ids are missing").WithHint("`mcp-memory list` shows them")
	}
	var result Moved
	err = s.store.Write(ctx, scope.Agent, func(tx memory.Tx) error {
		result = Moved{IDs: []string{}, Project: project}
		var made edits
		for _, id := range ids {
			r, err := newest(tx, id)
			if memory.CodeOf(err) == memory.CodeNotFound {
				result.Missing = append(result.Missing, id)
				continue
			} else if err != nil {
				return err
			}
			if r.Project == project {
				continue
			}
			if err := made.moveVersions(tx, r.ID, project); err != nil {
				return err
			}
			result.IDs = append(result.IDs, r.ID)
		}
		if len(result.Missing) == len(ids) {
			return memory.Errorf(memory.CodeNotFound, "none of these memories is there: %s", result.Missing[0]).
				WithHint("`mcp-memory list` shows ids")
		}
		if len(made.Changed) > 0 {
			result.UndoID = s.ids.New()
		}
		return made.keepAs(tx, result.UndoID, s.clock())
	})
	return result, err
}

// destination returns the project that somebody means by a name; an error if it is not one to
// write to.
func (s *Service) destination(ctx context.Context, scope memory.Scope, to string) (string, error) {
	project, err := s.meant(ctx, scope, to)
	if err == nil {
		err = memory.Scope{Project: project}.CheckWritable()
	}
	return project, err
}

// meant returns the project that somebody means by a name. For a caller that is limited to some
// projects it follows aliases only, since a name that is merely similar would tell what others
// there are.
func (s *Service) meant(ctx context.Context, scope memory.Scope, name string) (string, error) {
	project, err := memory.NormalProject(name)
	if err != nil {
		return "", err
	}
	if scope.Closed {
		return s.ResolveProject(ctx, scope.Agent, project)
	}
	project, _, err = s.NamedProject(ctx, scope.Agent, project)
	return project, err
}

// newest returns the latest version of a record, by the records that superseded it.
func newest(tx memory.Tx, id string) (memory.Record, error) {
	r, err := tx.Record(id)
	for n := 0; err == nil && r.SupersededBy != "" && n < maxChain; n++ {
		r, err = tx.Record(r.SupersededBy)
	}
	return r, err
}

// moveVersions moves a record and all its earlier versions to a project.
func (e *edits) moveVersions(tx memory.Tx, id, project string) error {
	for n := 0; id != "" && n < maxChain; n++ {
		r, err := tx.Record(id)
		if memory.CodeOf(err) == memory.CodeNotFound {
			return nil // erased, or not for the caller
		} else if err != nil {
			return err
		}
		if r.Project != project {
			r.Project = project
			if err := e.update(tx, r); err != nil {
				return err
			}
		}
		id = r.Supersedes
	}
	return nil
}

// Personal returns the live memories of a project, or with an empty one of all projects, whose
// words are certainly about the person: with [ScopeAuto] a save would make them global.
func (s *Service) Personal(ctx context.Context, scope memory.Scope, project string) ([]memory.Record, error) {
	agent := scope.Agent
	project, err := s.destination(ctx, scope, project)
	if err != nil {
		return nil, err
	}
	projects := []string{project}
	if project == "" {
		uses, err := s.store.Projects(ctx, agent)
		if err != nil {
			return nil, err
		}
		projects = projects[:0]
		for _, use := range uses {
			if use.Name != "" {
				projects = append(projects, use.Name)
			}
		}
	}
	if len(projects) == 0 {
		return nil, nil
	}
	var personal []memory.Record
	for _, kind := range judged {
		f := memory.CatalogFilter{Agent: agent, Projects: projects, Kind: kind, Limit: memory.MaxBatch, Uncounted: true}
		for {
			list, _, err := s.store.List(ctx, f)
			if err != nil {
				return nil, err
			}
			for _, r := range list {
				if global, certain := taxonomy.Global(r.Content, r.Project); global && certain {
					personal = append(personal, r)
				}
			}
			if len(list) < f.Limit {
				break
			}
			f.Behind = list[len(list)-1].ID
		}
	}
	return personal, nil
}
