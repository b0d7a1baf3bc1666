package resources

import (
	"context"
	"strings"

	"mcp-memory/memory"
)

// Entry is a page in a list.
type Entry struct {
	URI  string
	Name string // for people
	Type string // media type
}

// Workspace lists the files of the agent's workspace as pages, ordered by name.
func (s *Service) Workspace(ctx context.Context, scope memory.Scope) ([]Entry, error) {
	names, err := s.files(scope.Agent).List(ctx)
	entries := make([]Entry, len(names))
	for i, name := range names {
		entries[i] = Entry{encode(Workspaces, name), name, typeOf(name)}
	}
	return entries, err
}

// MaxCompletions is how many completions are offered at most.
const MaxCompletions = 100

// Complete returns how an address with the prefix start (see [Records]) may continue if the part
// typed is given: ids of salient records, dates, names of conversations, or files. They are not
// percent-encoded. Other prefixes have none. more says that there are more values.
func (s *Service) Complete(ctx context.Context, scope memory.Scope, start, typed string) (values []string, more bool, err error) {
	switch start {
	case Records:
		values, err = s.salientIDs(ctx, scope, typed)
	case Diary:
		values, err = s.dates(ctx, scope, typed)
	case Sessions:
		values, err = s.store.Sessions(ctx, scope.Agent, typed, MaxCompletions+1)
	case Workspaces:
		values, err = s.files(scope.Agent).List(ctx)
	}
	kept := make([]string, 0, len(values))
	for _, v := range values {
		if !strings.HasPrefix(v, typed) {
			continue
		}
		if len(kept) == MaxCompletions {
			return kept, true, err
		}
		kept = append(kept, v)
	}
	return kept, false, err
}

// Categories returns the names of the bank's categories that begin with typed, in no particular
// order.
func (s *Service) Categories(ctx context.Context, scope memory.Scope, typed string) ([]string, error) {
	st, err := s.store.Stats(ctx, scope.Agent)
	var names []string
	for name := range st.ByCategory {
		if name != "" && strings.HasPrefix(name, typed) {
			names = append(names, name)
		}
	}
	return names, err
}

func (s *Service) salientIDs(ctx context.Context, scope memory.Scope, typed string) ([]string, error) {
	records, err := s.store.Salient(ctx, scope, s.clock(), salientPool)
	var ids []string
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	return ids, err
}

// firstDay and lastDay complete a part of a date to the bounds of the dates that begin with it.
const firstDay, lastDay = "0000-00-00", "9999-99-99"

// dates returns the days with an entry that begin with typed, newest first.
func (s *Service) dates(ctx context.Context, scope memory.Scope, typed string) ([]string, error) {
	if len(typed) > len(firstDay) || strings.Trim(typed, "0123456789-") != "" {
		return nil, nil
	}
	entries, _, err := s.store.List(ctx, memory.CatalogFilter{
		Agent: scope.Agent, Kind: memory.KindDiary, From: typed + firstDay[len(typed):], To: typed + lastDay[len(typed):],
		Limit: MaxCompletions + 1, Now: s.clock(),
	})
	var dates []string
	for _, r := range entries {
		if r.Diary != nil {
			dates = append(dates, r.Diary.Date)
		}
	}
	return dates, err
}
