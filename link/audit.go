package link

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"mcp-memory/memory"
)

// The actions of the audit log.
const (
	actionRequest = "link.request"
	actionShare   = "link.share"
	actionDecline = "link.decline"
	actionRevoke  = "link.revoke"
	actionExpire  = "link.expire"
)

// The stages of an action in the sharer's log. The action itself changes the
// receiver's bank.
const (
	begun  = "begun"
	done   = "done"
	failed = "failed"
)

// facts are the details of an audit entry: names of agents and counts, never
// the text of a memory or a message.
type facts struct {
	From     string      `json:"from"`
	To       string      `json:"to"`
	Stage    string      `json:"stage,omitempty"`
	Code     memory.Code `json:"code,omitempty"` // why it failed
	Copied   int         `json:"copied,omitempty"`
	Skipped  int         `json:"skipped,omitempty"`
	Withheld int         `json:"withheld,omitempty"` // secrets not copied; only in the sharer's log
}

// entry returns an audit entry about a link for the log of a bank. actor is
// empty if the link expired.
func entry(bank, actor, action string, l memory.Link, f facts, at time.Time) (memory.AuditEntry, error) {
	f.From, f.To = l.From, l.To
	details, err := json.Marshal(f)
	if err != nil {
		return memory.AuditEntry{}, fmt.Errorf("audit link %s: %w", l.ID, err)
	}
	return memory.AuditEntry{Agent: bank, Actor: actor, Action: action, Subject: l.ID, Details: details, At: at}, nil
}

// audit writes to the receiver's log, in the transaction that changes the
// receiver's bank.
func (s *Service) audit(tx memory.Tx, actor, action string, l memory.Link, f facts) error {
	e, err := entry(l.To, actor, action, l, f, s.clock.Now())
	if err != nil {
		return err
	}
	return tx.Audit(e)
}

// auditSharer writes to the sharer's log, in a transaction of its own.
func (s *Service) auditSharer(ctx context.Context, actor, action string, l memory.Link, f facts) error {
	e, err := entry(l.From, actor, action, l, f, s.clock.Now())
	if err != nil {
		return err
	}
	return s.store.Write(ctx, l.From, func(tx memory.Tx) error { return tx.Audit(e) })
}

// witnessed runs do, which changes a link in the receiver's bank, between two
// entries in the sharer's log: one before it and one with its result.
func (s *Service) witnessed(ctx context.Context, actor, action string, l memory.Link, do func() (facts, error)) error {
	if err := s.auditSharer(ctx, actor, action, l, facts{Stage: begun}); err != nil {
		return err
	}
	result, err := do()
	result.Stage = done
	if err != nil {
		result = facts{Stage: failed, Code: memory.CodeOf(err)}
	}
	// Not cancelled with ctx: a long copy may have used up its time.
	if unsaid := s.auditSharer(context.WithoutCancel(ctx), actor, action, l, result); unsaid != nil {
		// The first entry and the receiver's log still tell what happened.
		s.log.WarnContext(ctx, "audit link", "link", l.ID, "action", action, "error", unsaid)
	}
	return err
}
