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

// The stages of an action in the log of a bank that it does not change.
const (
	begun  = "begun"
	done   = "done"
	failed = "failed"
)

// facts are what an audit entry says beside who did what: names of agents and
// counts, never what a memory or a message says.
type facts struct {
	From     string      `json:"from"`
	To       string      `json:"to"`
	Stage    string      `json:"stage,omitempty"`
	Code     memory.Code `json:"code,omitempty"` // of what failed
	Copied   int         `json:"copied,omitempty"`
	Skipped  int         `json:"skipped,omitempty"`
	Withheld int         `json:"withheld,omitempty"` // secrets; only the sharer learns of them
}

// entry is what the log of a bank gets. Nobody is the actor of what time does.
func entry(bank, actor, action string, l memory.Link, f facts, at time.Time) (memory.AuditEntry, error) {
	f.From, f.To = l.From, l.To
	details, err := json.Marshal(f)
	if err != nil {
		return memory.AuditEntry{}, fmt.Errorf("audit link %s: %w", l.ID, err)
	}
	return memory.AuditEntry{Agent: bank, Actor: actor, Action: action, Subject: l.ID, Details: details, At: at}, nil
}

// audit writes to the receiver's log, in the transaction over its bank.
func (s *Service) audit(tx memory.Tx, actor, action string, l memory.Link, f facts) error {
	e, err := entry(l.To, actor, action, l, f, s.clock.Now())
	if err != nil {
		return err
	}
	return tx.Audit(e)
}

// auditSharer writes to the log of the agent that is asked.
func (s *Service) auditSharer(ctx context.Context, actor, action string, l memory.Link, f facts) error {
	e, err := entry(l.From, actor, action, l, f, s.clock.Now())
	if err != nil {
		return err
	}
	return s.store.Write(ctx, l.From, func(tx memory.Tx) error { return tx.Audit(e) })
}

// witnessed does something to a link in the receiver's bank between two
// entries in the sharer's log: that it begins, and what became of it.
func (s *Service) witnessed(ctx context.Context, actor, action string, l memory.Link, do func() (facts, error)) error {
	if err := s.auditSharer(ctx, actor, action, l, facts{Stage: begun}); err != nil {
		return err
	}
	result, err := do()
	result.Stage = done
	if err != nil {
		result = facts{Stage: failed, Code: memory.CodeOf(err)}
	}
	// Also when the caller's time is up: a long copy may have taken all of it.
	if unsaid := s.auditSharer(context.WithoutCancel(ctx), actor, action, l, result); unsaid != nil {
		// It has happened, or not; the intent and the receiver's log tell.
		s.log.WarnContext(ctx, "audit link", "link", l.ID, "action", action, "error", unsaid)
	}
	return err
}
