package server

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/resources"
)

// maxWatched is how many resources one subscription watches. Further ones are ignored, as are
// addresses longer than [resources.MaxAddress].
const maxWatched = 64

// subscriptions notify clients of changes of resources, whoever made them: this process, another
// one, or a person with an editor. While there is a subscriber, a change counter of the bank is
// polled, and resources are only read again when it has moved. Files of a workspace and their list
// are compared at each poll, because the counter does not cover them. Clients of the older era are
// told of a changed list while they are subscribed to any resource. Safe for concurrent use.
//
// The library has subscriptions too, but it does not know the content of a resource, whose it is,
// nor when it changes.
type subscriptions struct {
	server *Server

	mu      sync.Mutex
	subs    map[subKey]*subscription
	running bool
}

// subKey is a session, and in the newer era also the request that subscribes. Over HTTP such a
// request has a session of its own without an id, and different clients use the same request ids.
// Only the session itself tells them apart.
type subKey struct {
	session string
	client  mcpserver.ClientSession // nil in the older era, where several sessions may have one id
	listen  string                  // id of subscriptions/listen; empty in the older era
}

// subscription is what one client wants to be notified of. The fields after mu are only used while
// it is held.
type subscription struct {
	ctx     context.Context         // has the identity of the subscriber
	id      string                  // of the session
	session mcpserver.ClientSession // nil in the older era, where the id finds the session
	listen  any

	mu      sync.Mutex
	version string
	pages   map[string]uint64 // digests of their contents at the last check, by address
	list    bool
	files   string // filesDigest at the last check
}

func newSubscriptions(s *Server) *subscriptions {
	return &subscriptions{server: s, subs: map[subKey]*subscription{}}
}

func (c *subscriptions) hook(hooks *mcpserver.Hooks) {
	hooks.AddAfterSubscribe(func(ctx context.Context, _ any, r *mcp.SubscribeRequest, _ *mcp.EmptyResult) {
		c.subscribe(ctx, nil, true, r.Params.URI)
	})
	hooks.AddAfterUnsubscribe(func(ctx context.Context, _ any, r *mcp.UnsubscribeRequest, _ *mcp.EmptyResult) {
		c.unsubscribe(ctx, r.Params.URI)
	})
	hooks.AddOnUnregisterSession(func(_ context.Context, session mcpserver.ClientSession) {
		c.drop(func(k subKey) bool { return k.session == session.SessionID() })
	})
	hooks.AddBeforeSubscriptionsListen(func(ctx context.Context, id any, r *mcp.SubscriptionsListenRequest) {
		wanted := r.Params.Notifications
		c.subscribe(ctx, id, wanted.ResourcesListChanged, wanted.ResourceSubscriptions...)
	})
}

// subscribe starts to watch resources, and with list also the list of resources. Later changes are
// compared with their state at this moment.
func (c *subscriptions) subscribe(ctx context.Context, listen any, list bool, uris ...string) {
	session := mcpserver.ClientSessionFromContext(ctx)
	pages := c.server.opts.Pages
	list = list && pages.Readable(ctx, resources.Workspaces)
	uris = slices.DeleteFunc(slices.Clone(uris), func(uri string) bool { return !pages.Readable(ctx, uri) })
	if session == nil || !list && len(uris) == 0 {
		return
	}
	key := subKey{session: session.SessionID()}
	if listen != nil {
		key.client, key.listen = session, fmt.Sprintf("%T %v", listen, listen) // with the type, because the ids 1 and "1" differ
	}
	sub := c.add(ctx, key, listen)
	if listen != nil {
		context.AfterFunc(ctx, func() { c.drop(func(k subKey) bool { return k == key }) })
	}
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if sub.version == "" && len(sub.pages) == 0 && !sub.list {
		sub.version = c.version(ctx)
	}
	for _, uri := range uris {
		if _, known := sub.pages[uri]; !known && len(uri) <= resources.MaxAddress && len(sub.pages) < maxWatched {
			sub.pages[uri] = c.digest(ctx, uri)
		}
	}
	if list && !sub.list {
		sub.list, sub.files = true, c.server.filesDigest(ctx)
	}
}

// add returns the subscription for a key, a new one if there is none. It starts run if it is not
// running.
func (c *subscriptions) add(ctx context.Context, key subKey, listen any) *subscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	sub := c.subs[key]
	if sub == nil {
		sub = &subscription{ctx: context.WithoutCancel(ctx), id: key.session, session: key.client, listen: listen,
			pages: map[string]uint64{}}
		c.subs[key] = sub
	}
	if !c.running {
		c.running = true
		go c.run()
	}
	return sub
}

func (c *subscriptions) unsubscribe(ctx context.Context, uri string) {
	session := mcpserver.ClientSessionFromContext(ctx)
	if session == nil {
		return
	}
	key := subKey{session: session.SessionID()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if sub := c.subs[key]; sub != nil {
		sub.mu.Lock()
		defer sub.mu.Unlock()
		if delete(sub.pages, uri); len(sub.pages) == 0 {
			delete(c.subs, key)
		}
	}
}

func (c *subscriptions) drop(which func(subKey) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.subs {
		if which(key) {
			delete(c.subs, key)
		}
	}
}

// run checks all subscriptions at each poll until there are none.
func (c *subscriptions) run() {
	tick := time.NewTicker(c.server.opts.Poll)
	defer tick.Stop()
	for range tick.C {
		c.mu.Lock()
		subs := make([]*subscription, 0, len(c.subs))
		for _, sub := range c.subs {
			subs = append(subs, sub)
		}
		if len(subs) == 0 {
			c.running = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		versions := map[string]string{} // by identity, so that each is read once in a round
		for _, sub := range subs {
			c.check(sub, versions)
		}
	}
}

// check notifies the client of a subscription of everything that has changed since the last check.
func (c *subscriptions) check(sub *subscription, versions map[string]string) {
	defer func() {
		if p := recover(); p != nil {
			c.server.log.Error("look for changes", "panic", p)
		}
	}()
	who := ""
	if identity, ok := access.From(sub.ctx); ok {
		who = identity.Key()
	}
	version, known := versions[who]
	if !known {
		version = c.version(sub.ctx)
		versions[who] = version
	}
	sub.mu.Lock()
	defer sub.mu.Unlock()
	moved := version != sub.version && version != ""
	for _, uri := range sub.watched() {
		if !moved && !strings.HasPrefix(uri, resources.Workspaces) {
			continue
		}
		if digest := c.digest(sub.ctx, uri); digest != sub.pages[uri] {
			sub.pages[uri] = digest
			c.notify(sub, mcp.MethodNotificationResourceUpdated, map[string]any{"uri": uri})
		}
	}
	if sub.list {
		if files := c.server.filesDigest(sub.ctx); files != sub.files {
			sub.files = files
			c.notify(sub, mcp.MethodNotificationResourcesListChanged, nil)
		}
	}
	if moved {
		sub.version = version
	}
}

// watched returns the watched addresses, sorted.
func (s *subscription) watched() []string {
	var uris []string
	for uri := range s.pages {
		uris = append(uris, uri)
	}
	slices.Sort(uris)
	return uris
}

// version returns the bank's change counter, "" if it cannot be read.
func (c *subscriptions) version(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	version, err := c.server.opts.Pages.Version(ctx)
	if err != nil {
		c.server.log.DebugContext(ctx, "look for changes", "error", err)
		return ""
	}
	return version
}

// digest returns a hash of a resource's content, or of the code of the error if it cannot be read.
func (c *subscriptions) digest(ctx context.Context, uri string) uint64 {
	page, err := c.server.readPage(ctx, uri)
	if err != nil {
		return digestOf("error " + string(memory.CodeOf(err)))
	}
	return digestOf(page.Text)
}

// notify sends a notification to a client. If the client does not listen, or reads too slowly, it
// is dropped, which is allowed. The library finds a session by its id, but over HTTP the sessions
// of the newer era have none. Their notifications are sent to their channel, with the subscription
// id that the library puts into notifications to all.
func (c *subscriptions) notify(sub *subscription, method string, params map[string]any) {
	if sub.listen == nil {
		if err := c.server.mcp.SendNotificationToSpecificClient(sub.id, method, params); err != nil {
			c.server.log.DebugContext(sub.ctx, "notify", "method", method, "error", err)
		}
		return
	}
	note := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{
		Method: method,
		Params: mcp.NotificationParams{Meta: map[string]any{mcp.MetaKeySubscriptionID: sub.listen}, AdditionalFields: params},
	}}
	if stream, ok := sub.session.(mcpserver.SessionWithStreamableHTTPConfig); ok {
		stream.UpgradeToSSEWhenReceiveNotification()
	}
	select {
	case sub.session.NotificationChannel() <- note:
	default:
	}
}
