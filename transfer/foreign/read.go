package foreign

import (
	"context"
	"strings"

	"mcp-memory/memory"
)

// Target is a path to read, and the source that reads it.
type Target struct {
	Source Source
	Path   string
}

// Read reads targets one after the other, with the options of in. It sets Program of each item, and
// adds the target's path to the place of problems.
func Read(ctx context.Context, targets []Target, in Input, emit Emit) error {
	for _, t := range targets {
		in.Path = t.Path
		err := t.Source.Read(ctx, in, func(item Item) error {
			item.Program = t.Source.Name
			if item.Bad != nil {
				place := t.Path
				if item.Bad.Place != "" && item.Bad.Place != t.Path {
					place += ", " + item.Bad.Place
				}
				item.Bad = &Problem{place, item.Bad.Reason}
			}
			return emit(item)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Targets returns the default paths that exist of the source with that name, or of all sources for
// [Auto]. [memory.CodeNotFound] if there are none.
func Targets(name string, m Machine) (targets []Target, err error) {
	for _, s := range Sources() {
		if s.Find == nil || name != Auto && s.Name != name {
			continue
		}
		for _, path := range s.Find(m) {
			targets = append(targets, Target{s, path})
		}
	}
	if len(targets) > 0 {
		return targets, nil
	}
	if name == Auto {
		return nil, memory.Errorf(memory.CodeNotFound, "nothing was found of any program that is known").
			WithHint("name the file or folder: import --from PROGRAM PATH")
	}
	var about []string
	for _, s := range Named(name) {
		label, what, named := strings.Cut(s.About, ": ")
		if !named {
			what = label
		}
		about = append(about, what)
	}
	return nil, memory.Errorf(memory.CodeNotFound, "nothing of %s was found", name).
		WithHint("name the file or folder: import --from %s PATH; it reads %s", name, strings.Join(about, "; "))
}

// TargetsAt returns which of some sources can read the path of a sample. Of several sources only
// those that recognise a file are taken. [memory.CodeInvalidArgument] if there are none.
func TargetsAt(sources []Source, s Sample) (targets []Target, err error) {
	for _, one := range sources {
		if one.Wants == "file" && s.Folder || one.Wants == "folder" && !s.Folder ||
			len(sources) > 1 && !s.Folder && one.Knows != nil && !one.Knows(s) {
			continue
		}
		targets = append(targets, Target{one, s.Path})
	}
	if len(targets) == 0 {
		if wants := sources[0].Wants; len(sources) == 1 && wants != "" {
			return nil, memory.Errorf(memory.CodeInvalidArgument, "%s is no %s, which is what %s has", s.Path, wants, sources[0].Name)
		}
		return nil, memory.Errorf(memory.CodeInvalidArgument, "%s is nothing that %s writes", s.Path, sources[0].Name)
	}
	return targets, nil
}

// Auto is the name that stands for all sources.
const Auto = "auto"
