package remember

import (
	"context"
	"encoding/json"
	"fmt"

	"mcp-memory/memory"
)

// localProjects is the key of a bank's state that has, for each project that bears the name of
// its repository's directory, where that repository lies.
const localProjects = "local projects"

// severalRoots stands for the place if several repositories have that name: what was saved from
// one cannot be told from what was saved from another.
const severalRoots = "*"

// KnowLocal notes that the repository without a remote whose project is called name lies at root.
// It has that name until it has a remote.
func (s *Service) KnowLocal(ctx context.Context, agent, name, root string) error {
	known, err := s.locals(ctx, agent)
	if err != nil || known[name] == root || known[name] == severalRoots {
		return err
	}
	return s.changeLocals(ctx, agent, func(known map[string]string) {
		if known[name] == "" {
			known[name] = root
		} else {
			known[name] = severalRoots
		}
	})
}

// AdoptLocal moves to a project what was saved in its repository, at root, under the local name
// that it had before it had a remote; also what a server that was started before has saved since.
// It does nothing if another repository has that name too. Because another may get it, the name
// becomes no alias. It returns what it moved.
func (s *Service) AdoptLocal(ctx context.Context, agent, name, root, project string) (Merged, error) {
	known, err := s.locals(ctx, agent)
	if err != nil || known[name] != root {
		return Merged{}, err
	}
	merged, err := s.MergeProjects(ctx, agent, name, project, MergeOptions{})
	if memory.CodeOf(err) == memory.CodeNotFound {
		return merged, nil // nothing was saved, or all is there already
	}
	return merged, err
}

func (s *Service) locals(ctx context.Context, agent string) (map[string]string, error) {
	kept, err := s.store.State(ctx, agent, localProjects)
	if err != nil {
		return nil, err
	}
	return readLocals(kept)
}

func readLocals(kept json.RawMessage) (map[string]string, error) {
	known := map[string]string{}
	if len(kept) == 0 {
		return known, nil
	}
	if err := json.Unmarshal(kept, &known); err != nil {
		return nil, fmt.Errorf("read where local projects lie: %w", err)
	}
	return known, nil
}

func (s *Service) changeLocals(ctx context.Context, agent string, change func(map[string]string)) error {
	return s.store.Write(ctx, agent, func(tx memory.Tx) error {
		kept, err := tx.State(localProjects)
		if err != nil {
			return err
		}
		known, err := readLocals(kept)
		if err != nil {
			return err
		}
		change(known)
		data, err := json.Marshal(known)
		if err != nil {
			return fmt.Errorf("keep where local projects lie: %w", err)
		}
		return tx.SetState(localProjects, data)
	})
}
