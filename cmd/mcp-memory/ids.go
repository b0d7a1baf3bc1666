package main

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// shortest is how many characters of an id are shown at least: fewer say little to the
// eye, and are taken again by the next memory.
const shortest = 8

// fullID is how long a whole id is.
const fullID = 36

// ambiguous is how many of the ids that a beginning may mean are named.
const ambiguous = 5

// idsOfLinks are looked up among the links that an agent has to do with: they are few,
// and some are another agent's rows.
const idsOfLinks memory.IDsOf = "links"

// mostLinks is how many of the newest links are looked through.
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

// wholeID returns the id of which a person gave the beginning, as git does: "" and no
// error if there is none. [memory.CodeInvalidArgument] if there are several.
func (a *app) wholeID(ctx context.Context, of memory.IDsOf, given string) (string, error) {
	found, err := a.idsBeginning(ctx, of, strings.ToLower(given), ambiguous+1)
	if err != nil {
		return "", err
	}
	return onlyID(found, given)
}

// onlyID is the one of some ids that a beginning of theirs means.
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

// shortIDs returns for each id its shortest beginning that means no other.
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

// shortAmong is shortIDs where the ids are known beside which they are.
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
		if n < len(id) && id[n-1] == '-' { // a dash tells nothing apart
			n++
		}
		short[id] = id[:min(n, len(id))]
	}
	return short
}

// common is how many bytes two texts begin alike with.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
