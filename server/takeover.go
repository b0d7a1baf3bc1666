package server

import (
	"context"
	"hash/fnv"
	"maps"
	"strconv"
)

// A session of the older era may subscribe at one server and have its stream at another, on the
// same database. The digest of each page at the time of subscribing is passed on, so that a change
// is also noticed that happened before the other server knew of the subscription.

// digestOf returns a hash of a text, the same in every process.
func digestOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}

// Subscribed returns what a session of the older era is subscribed to: the last notified state (a
// digest) by address. The list of resources has the address "". It is nil for no subscription.
func (s *Server) Subscribed(session string) map[string]string {
	sub := s.subscriptions.of(session)
	if sub == nil {
		return nil
	}
	sub.mu.Lock()
	defer sub.mu.Unlock()
	told := map[string]string{}
	for uri, digest := range sub.pages {
		told[uri] = strconv.FormatUint(digest, 36)
	}
	if sub.list {
		told[""] = strconv.FormatUint(digestOf(sub.files), 36)
	}
	return told
}

// TakeOver subscribes a session of the older era to exactly what Subscribed returned at another
// server. Resources that it is already subscribed to here keep their state. The identity in ctx is
// used for later checks, also after ctx has ended.
func (s *Server) TakeOver(ctx context.Context, session string, told map[string]string) {
	c := s.subscriptions
	key := subKey{session: session}
	if len(told) == 0 {
		c.drop(func(k subKey) bool { return k == key })
		return
	}
	sub := c.add(ctx, key, nil)
	sub.mu.Lock()
	defer sub.mu.Unlock()
	maps.DeleteFunc(sub.pages, func(uri string, _ uint64) bool { _, ok := told[uri]; return !ok })
	for uri, state := range told {
		digest, err := strconv.ParseUint(state, 36, 64)
		_, known := sub.pages[uri]
		switch {
		case err != nil || known:
		case uri != "":
			sub.pages[uri], sub.version = digest, "" // whether it has changed since is not known
		case !sub.list:
			sub.list, sub.files = true, ""
			if files := c.server.filesDigest(ctx); digestOf(files) == digest {
				sub.files = files
			}
		}
	}
}

// of returns the subscription of a session of the older era, or nil.
func (c *subscriptions) of(session string) *subscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.subs[subKey{session: session}]
}
