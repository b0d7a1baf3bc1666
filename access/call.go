package access

import (
	"context"
	"encoding/json"
	"sync"

	"mcp-memory/memory"
)

// maxSubjects is how many ids an entry of the audit log has at most.
const maxSubjects = 100

// call is one call of a tool that may change something.
type call struct {
	tool, request string
	mu            sync.Mutex
	written       bool // a committed transaction has an entry for it
}

func (c *call) noteWritten() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written = true
}

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey).(*call)
	return c
}

// Begin marks ctx as that of a call to a tool that may change something, so that every transaction
// in it writes an entry of the audit log. request is an id that the server's log has as well.
func (g *Guard) Begin(ctx context.Context, tool, request string) context.Context {
	return context.WithValue(ctx, callKey, &call{tool: tool, request: request})
}

// End writes an entry for a call that has committed no transaction, with the code of its error or
// "". ctx must be that of Begin, but may be done.
func (g *Guard) End(ctx context.Context, code string) error {
	c := callOf(ctx)
	identity, ok := From(ctx)
	if c == nil || !ok {
		return nil
	}
	c.mu.Lock()
	written := c.written
	c.mu.Unlock()
	if written {
		return nil
	}
	return g.store.Write(context.WithoutCancel(ctx), identity.Agent, func(tx memory.Tx) error {
		return tx.Audit(g.entry(identity, c, identity.Agent, nil, code))
	})
}

// entry makes an entry of a bank's audit log.
func (g *Guard) entry(i Identity, c *call, bank string, ids []string, code string) memory.AuditEntry {
	e := memory.AuditEntry{Agent: bank, Actor: i.Agent, Action: c.tool, At: g.clock()}
	if len(ids) > 0 {
		e.Subject = ids[0]
	}
	details, err := json.Marshal(struct {
		Token   string   `json:"token,omitempty"`
		Request string   `json:"request"`
		IDs     []string `json:"ids,omitempty"`
		Code    string   `json:"code,omitempty"`
	}{i.Token, c.request, ids, code})
	if err != nil {
		panic(err) // strings can always be marshalled
	}
	e.Details = details
	return e
}
