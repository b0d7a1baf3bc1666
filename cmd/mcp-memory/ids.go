package main

import (
	"context"
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

// wholeID returns the id of which a person gave the beginning, as git does: "" and no
// error if there is none. [memory.CodeInvalidArgument] if there are several.
func (a *app) wholeID(ctx context.Context, of memory.IDsOf, given string) (string, error) {
	found, err := a.store.IDs(ctx, a.scope.Agent, of, strings.ToLower(given), ambiguous+1)
	switch {
	case err != nil || len(found) == 0:
		return "", err
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
	short := make(map[string]string, len(ids))
	for _, id := range ids {
		if _, done := short[id]; done || len(id) <= shortest {
			continue
		}
		// Two neighbours of the same beginning are enough to know how far they agree.
		n := shortest
		for n < len(id) {
			same, err := a.store.IDs(ctx, a.scope.Agent, of, id[:n], 2)
			if err != nil {
				return nil, err
			}
			if len(same) < 2 {
				break
			}
			if n++; id[n-1] == '-' { // a dash tells nothing apart
				n++
			}
		}
		short[id] = id[:n]
	}
	return short, nil
}
