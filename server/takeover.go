package server

import (
	"context"
	"hash/fnv"
	"maps"
	"strconv"
)

// A session of the older era may subscribe at one server and have its stream at
// another. What a page said when it was subscribed to goes along, so that a
// change before the other server knew of it is told as well.

// digestOf names what a page says, alike in every process.
func digestOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}

// Subscribed returns what a session of the older era is subscribed to, by address,
// with the state that was told last. The list of resources has the address "".
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

// TakeOver makes a session of the older era subscribed to what Subscribed returned at
// another server, and to nothing else. What is told here already keeps its state. The context says
// who asks, also after it has ended.
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
