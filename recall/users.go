package recall

import (
	"context"
	"slices"
	"sync"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// users caches the names of the users of banks, each until something is written to the bank: to look
// the names up takes longer than to ask whether anything was written.
type users struct {
	store Store

	mu    sync.Mutex
	known map[userKey]knownUser
}

type userKey struct{ agent, project string }

type knownUser struct {
	writes int64 // to the bank, when the names were looked up
	names  slots.Options
}

// maxUsers bounds the banks and projects that are remembered.
const maxUsers = 1024

// names returns the names of a scope's user, the newest first, as facts of the
// bank introduce them.
func (u *users) names(ctx context.Context, scope memory.Scope) (slots.Options, error) {
	changes, err := u.store.Changes(ctx, scope.Agent)
	if err != nil {
		return slots.Options{}, err
	}
	key := userKey{scope.Agent, scope.Project}
	u.mu.Lock()
	one, found := u.known[key]
	u.mu.Unlock()
	if found && one.writes == changes.Writes {
		return one.names, nil
	}
	facts, err := u.store.FactsBySlot(ctx, scope.Agent, scope.Readable(), slots.NameKeys())
	if err != nil {
		return slots.Options{}, err
	}
	records := make([]memory.Record, len(facts))
	for i, f := range facts {
		records[i] = f.Record
	}
	one = knownUser{changes.Writes, slots.Options{UserNames: slices.Clip(slots.UserNames(records))}}
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.known) >= maxUsers {
		clear(u.known)
	}
	u.known[key] = one
	return one.names, nil
}

// linksOf returns which names and roles the bank has for whom the question is about, and completes
// q.asks by them: a question about "my sister" is then also one about "Jana".
func (s *Service) linksOf(ctx context.Context, q *question) (links []slots.Link, err error) {
	for range 2 { // a role may have more names, and a name more roles
		keys := slots.LinkKeys([]slots.Statement{{Subject: q.asks.Subject, Alias: q.asks.Alias}})
		if len(keys) == 0 {
			return nil, nil
		}
		facts, err := s.store.FactsBySlot(ctx, q.Scope.Agent, q.Scope.Readable(), keys)
		if err != nil || len(facts) == 0 {
			return nil, err
		}
		links = nil
		for _, f := range facts {
			links = append(links, slots.Links(slots.Read(f.Content, q.user.For(f.Content)), !f.Live())...)
		}
		q.asks.Resolve(links)
	}
	return links, nil
}
