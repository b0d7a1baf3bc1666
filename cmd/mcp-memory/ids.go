package main

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// shortest is how many characters of an id are shown at least. Fewer are hard to recognise, and
// soon ambiguous.
const shortest = 8

// fullID is the length of a whole id.
const fullID = 36

// ambiguous is how many matching ids an error names.
const ambiguous = 5

// idsOfLinks means ids of links of an agent. They are searched in the list of its links: there are
// few, and some are rows of another agent.
const idsOfLinks memory.IDsOf = "links"

// mostLinks is how many of the newest links are searched.
const mostLinks = 1000

func (a *app) linkIDs(ctx context.Context) ([]string, error) {
	links, err := a.store.Links(ctx, a.scope.Agent, mostLinks)
	ids := make([]string, len(links))
	for i, l := range links {
		ids[i] = l.ID
	}
	return ids, err
}

func (a *app) idsBeginning(ctx context.Context, of memory.IDsOf, prefix string, limit int) ([]string, error) {
	if of != idsOfLinks {
		return a.store.IDs(ctx, a.scope.Agent, of, prefix, limit)
	}
	ids, err := a.linkIDs(ctx)
	ids = slices.DeleteFunc(ids, func(id string) bool { return !strings.HasPrefix(id, prefix) })
	return ids[:min(len(ids), limit)], err
}

// wholeID returns the id that begins with given, "" without an error if there is none. If there are
// several it is [memory.CodeInvalidArgument].
func (a *app) wholeID(ctx context.Context, of memory.IDsOf, given string) (string, error) {
	found, err := a.idsBeginning(ctx, of, strings.ToLower(given), ambiguous+1)
	if err != nil {
		return "", err
	}
	return onlyID(found, given)
}

// onlyID returns the only id found, or the one that equals given.
func onlyID(found []string, given string) (string, error) {
	switch {
	case len(found) == 0:
		return "", nil
	case len(found) == 1 || found[0] == given:
		return found[0], nil
	}
	more := ""
	if len(found) > ambiguous {
		found, more = found[:ambiguous], " …"
	}
	return "", memory.Errorf(memory.CodeInvalidArgument, "%q is the beginning of several ids", given).
		WithHint("give more of it: %s%s", strings.Join(found, " "), more)
}

// shortIDs returns the shortest unique beginning of each id.
func (a *app) shortIDs(ctx context.Context, of memory.IDsOf, ids []string) (map[string]string, error) {
	var beside []string
	var err error
	if of == idsOfLinks {
		beside, err = a.linkIDs(ctx)
	} else if len(ids) > 0 {
		beside, err = a.store.IDsBeside(ctx, a.scope.Agent, of, ids)
	}
	if err != nil {
		return nil, err
	}
	return shortAmong(ids, beside), nil
}

// shortAmong is shortIDs with the neighbouring ids, beside, given.
func shortAmong(ids, beside []string) map[string]string {
	all := slices.Concat(ids, beside)
	slices.Sort(all)
	all = slices.Compact(all)
	short := make(map[string]string, len(ids))
	for _, id := range ids {
		at, _ := slices.BinarySearch(all, id)
		n := shortest
		if at > 0 {
			n = max(n, common(all[at-1], id)+1)
		}
		if at+1 < len(all) {
			n = max(n, common(all[at+1], id)+1)
		}
		if n < len(id) && id[n-1] == '-' { // a dash does not distinguish ids
			n++
		}
		short[id] = id[:min(n, len(id))]
	}
	return short
}

// common returns the length in bytes of the common beginning of two texts.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
