package remember

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"mcp-memory/memory"
)

// projectAliases is the key under which a bank keeps other names of projects, and
// actMerge the action of a merge.
const (
	projectAliases = "project aliases"
	actMerge       = "project merge"
)

// Project is a project of a bank.
type Project struct {
	memory.ProjectUse
	AliasOf string   // the project that its name stands for, empty if it stands for itself
	Like    []string // other projects that are likely the same: their names differ by how they are written
}

// Projects returns the projects of a bank by name, what is global among them.
func (s *Service) Projects(ctx context.Context, agent string) ([]Project, error) {
	uses, err := s.store.Projects(ctx, agent)
	if err != nil {
		return nil, err
	}
	aliases, err := s.ProjectAliases(ctx, agent)
	if err != nil {
		return nil, err
	}
	list := make([]Project, len(uses))
	for i, use := range uses {
		list[i] = Project{ProjectUse: use}
		if _, ok := aliases[use.Name]; ok {
			list[i].AliasOf = resolved(aliases, use.Name)
		}
		for _, other := range uses {
			if other.Name != use.Name && Alike(use.Name, other.Name) {
				list[i].Like = append(list[i].Like, other.Name)
			}
		}
	}
	return list, nil
}

// Alike reports whether two names are likely those of one project: they have the same letters and
// digits, whatever is between them and in whatever case ("My-App" and "my app"); or one has an
// owner, the other none, and they are the same otherwise ("acme/shop" and "shop").
func Alike(a, b string) bool {
	x, y := bare(a), bare(b)
	if x == "" || y == "" {
		return false
	}
	if x == y {
		return true
	}
	ownerA, nameA := owned(a)
	ownerB, nameB := owned(b)
	return ownerA != ownerB && bare(nameA) == bare(nameB) && bare(nameA) != ""
}

// owned splits owner/name and reports whether there is an owner.
func owned(project string) (owner bool, name string) {
	i := strings.LastIndexByte(project, '/')
	return i > 0, project[i+1:]
}

// bare returns the letters and digits of a name in lower case.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// ProjectAliases returns the names of the bank that stand for other projects, and
// for which.
func (s *Service) ProjectAliases(ctx context.Context, agent string) (map[string]string, error) {
	kept, err := s.store.State(ctx, agent, projectAliases)
	if err != nil {
		return nil, err
	}
	return readAliases(kept)
}

func readAliases(kept json.RawMessage) (map[string]string, error) {
	aliases := map[string]string{}
	if len(kept) == 0 {
		return aliases, nil
	}
	if err := json.Unmarshal(kept, &aliases); err != nil {
		return nil, fmt.Errorf("read aliases of projects: %w", err)
	}
	return aliases, nil
}

// resolved follows aliases, which form no ring.
func resolved(aliases map[string]string, project string) string {
	for range aliases {
		next, ok := aliases[project]
		if !ok {
			break
		}
		project = next
	}
	return project
}

// ResolveProject returns the project that a name stands for: itself unless it is
// an alias. What is global and [memory.AllProjects] have no alias.
func (s *Service) ResolveProject(ctx context.Context, agent, project string) (string, error) {
	if project == "" || project == memory.AllProjects {
		return project, nil
	}
	aliases, err := s.ProjectAliases(ctx, agent)
	if err != nil {
		return "", err
	}
	return resolved(aliases, project), nil
}

// NamedProject returns the project that somebody means by a name: what the name is an alias of,
// or the project with just that name, else the only one that has it in another case or behind an
// owner ("shop" is "acme/shop"). If there is none, the name is that of a new project, and known
// is false. [memory.CodeInvalidArgument] if several are meant.
func (s *Service) NamedProject(ctx context.Context, agent, name string) (project string, known bool, err error) {
	if name == "" || name == memory.AllProjects {
		return name, true, nil
	}
	aliases, err := s.ProjectAliases(ctx, agent)
	if err != nil {
		return "", false, err
	}
	if to := resolved(aliases, name); to != name {
		return to, true, nil
	}
	there, err := s.store.Newest(ctx, memory.Memories, memory.Filter{Agent: agent, Projects: []string{name}}, 0, 1)
	if err != nil || len(there) > 0 {
		return name, true, err
	}
	uses, err := s.store.Projects(ctx, agent)
	if err != nil {
		return "", false, err
	}
	var like []string
	for _, other := range uses {
		if other.Name == name { // with to-dos alone
			return name, true, nil
		}
		if owner, last := owned(other.Name); strings.EqualFold(other.Name, name) || owner && strings.EqualFold(last, name) {
			like = append(like, other.Name)
		}
	}
	switch len(like) {
	case 0:
		return name, false, nil
	case 1:
		return like[0], true, nil
	}
	return "", false, memory.Errorf(memory.CodeInvalidArgument, "project %q may be %s", name, strings.Join(like, " or ")).
		WithHint("say which one, whole")
}

// AliasProject lets old stand for the project name in all that is saved and read
// from now on; what old has stays there. An alias that is there is replaced.
// Errors: [memory.CodeInvalidArgument] for a name that is none, and for one that
// would stand for itself; [memory.CodeConflict] if name itself stands for old.
func (s *Service) AliasProject(ctx context.Context, agent, old, name string) error {
	for _, one := range []string{old, name} {
		if err := checkProject(one); err != nil {
			return err
		}
	}
	if old == name {
		return memory.Errorf(memory.CodeInvalidArgument, "project %q would be its own alias", old).WithHint("give two names")
	}
	return s.changeAliases(ctx, agent, func(aliases map[string]string) error {
		if resolved(aliases, name) == old {
			return memory.Errorf(memory.CodeConflict, "project %q stands for %q already", name, old).WithHint("remove that alias first")
		}
		aliases[old] = name
		return nil
	})
}

// RemoveAlias lets a name stand for itself again; [memory.CodeNotFound] if it does.
func (s *Service) RemoveAlias(ctx context.Context, agent, old string) error {
	return s.changeAliases(ctx, agent, func(aliases map[string]string) error {
		if _, ok := aliases[old]; !ok {
			return memory.Errorf(memory.CodeNotFound, "project %q is no alias", old)
		}
		delete(aliases, old)
		return nil
	})
}

func (s *Service) changeAliases(ctx context.Context, agent string, change func(map[string]string) error) error {
	return s.store.Write(ctx, agent, func(tx memory.Tx) error {
		aliases, err := aliasesIn(tx)
		if err != nil {
			return err
		}
		if err := change(aliases); err != nil {
			return err
		}
		return keepAliases(tx, aliases)
	})
}

func aliasesIn(tx memory.Tx) (map[string]string, error) {
	kept, err := tx.State(projectAliases)
	if err != nil {
		return nil, err
	}
	return readAliases(kept)
}

func keepAliases(tx memory.Tx, aliases map[string]string) error {
	data, err := json.Marshal(aliases)
	if err != nil || len(aliases) == 0 {
		data = nil
	}
	return tx.SetState(projectAliases, data)
}

// checkProject refuses what is not the name of one project.
func checkProject(name string) error {
	if strings.TrimSpace(name) == "" || name == memory.AllProjects {
		return memory.Errorf(memory.CodeInvalidArgument, "project %q is not the name of one", name)
	}
	return memory.CheckText("project", name, memory.MaxNameBytes) // no more: of what older versions took, too, a person can say it
}

// Merged says what a merge of two projects moved.
type Merged struct {
	From, Into string
	memory.ProjectContents
	UndoID string // for [Service.Forget]; empty if nothing was changed
}

// merge is what the undo of a merge needs.
type merge struct {
	From  string                 `json:"from"`
	Into  string                 `json:"into"`
	Moved memory.ProjectContents `json:"moved"`
	Alias bool                   `json:"alias,omitempty"` // From stands for Into since
	Stood string                 `json:"stood,omitempty"` // the project that From stood for before, "" for none
}

// MergeOptions say how two projects are merged.
type MergeOptions struct {
	DryRun bool // only say what would be moved
	Alias  bool // let the name of the one stand for the other from now on, until the undo
}

// MergeProjects moves all that belongs to one project into another, which may be
// new: records with their history, the messages of conversations and their
// context windows, and to-dos, in one transaction. Events of the calendar belong
// to no project. Errors:
// [memory.CodeInvalidArgument] for a name that is none, and for the same name
// twice; [memory.CodeNotFound] if nothing belongs to from.
func (s *Service) MergeProjects(ctx context.Context, agent, from, into string, o MergeOptions) (Merged, error) {
	result := Merged{From: from, Into: into}
	for _, one := range []string{from, into} {
		if err := checkProject(one); err != nil {
			return result, err
		}
	}
	err := s.store.Write(ctx, agent, func(tx memory.Tx) error {
		aliases, err := aliasesIn(tx)
		if err != nil {
			return err
		}
		if result.Into = resolved(aliases, into); result.Into == from { // what an alias has is never read
			return memory.Errorf(memory.CodeInvalidArgument, "project %q would be merged into itself", from).
				WithHint("give two projects; `mcp-memory project alias` lists other names")
		}
		if result.ProjectContents, err = tx.MoveProject(from, result.Into, nil); err != nil {
			return err
		}
		if result.Empty() {
			return memory.Errorf(memory.CodeNotFound, "nothing belongs to project %q", from).
				WithHint("`mcp-memory project list` shows what there is")
		}
		if o.DryRun {
			return errDryRun
		}
		did := merge{From: from, Into: result.Into, Moved: result.ProjectContents, Alias: o.Alias, Stood: aliases[from]}
		if o.Alias {
			aliases[from] = result.Into
			if err := keepAliases(tx, aliases); err != nil {
				return err
			}
		}
		data, err := json.Marshal(did)
		if err != nil {
			return fmt.Errorf("keep what was merged: %w", err)
		}
		result.UndoID = s.ids.New()
		return tx.KeepUndo(memory.Undo{ID: result.UndoID, Action: actMerge, Data: data, At: s.clock()})
	})
	if errors.Is(err, errDryRun) {
		err = nil
	}
	return result, err
}

// errDryRun ends a transaction that only looked.
var errDryRun = errors.New("nothing is to be changed")

// unmerge moves back what a merge has moved and what is still there.
func unmerge(tx memory.Tx, u memory.Undo, result *ForgetResult) error {
	var m merge
	if err := json.Unmarshal(u.Data, &m); err != nil {
		return fmt.Errorf("read undo %s: %w", u.ID, err)
	}
	moved, err := tx.MoveProject(m.Into, m.From, &m.Moved)
	result.IDs = slices.Concat(result.IDs, moved.Records)
	if err != nil || !m.Alias {
		return err
	}
	aliases, err := aliasesIn(tx)
	if err != nil || aliases[m.From] != m.Into { // somebody has changed it since
		return err
	}
	if delete(aliases, m.From); m.Stood != "" && resolved(aliases, m.Stood) != m.From {
		aliases[m.From] = m.Stood
	}
	return keepAliases(tx, aliases)
}
