package memory

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// LinkStatus says how far a neural link has come.
type LinkStatus string

// The statuses of a link.
const (
	LinkPending  LinkStatus = "pending"
	LinkShared   LinkStatus = "shared"
	LinkDeclined LinkStatus = "declined"
	LinkExpired  LinkStatus = "expired"
	LinkRevoked  LinkStatus = "revoked"
)

// LinkStatuses lists every status.
func LinkStatuses() []LinkStatus {
	return []LinkStatus{LinkPending, LinkShared, LinkDeclined, LinkExpired, LinkRevoked}
}

// Link is one agent's request to copy another's memory. It belongs to the bank
// of the agent that asks and receives; the other one sees it by its own name.
type Link struct {
	ID         string
	To         string // asks and receives; owner of the row
	From       string // is asked and shares
	Message    string
	Kinds      []Kind // what To asked for, KindTurn for messages; empty is everything
	Categories []string
	Since      time.Time
	// What was shared in the end: the part that both sides allow.
	SharedKinds      []Kind
	SharedCategories []string
	SharedSince      time.Time
	Note             string
	Status           LinkStatus // as stored; a pending one past ExpiresAt is expired
	RequestedAt      time.Time
	ExpiresAt        time.Time
	DecidedAt        time.Time
	Copied           int
	Skipped          int // because they were copied or known before
}

// Validate reports the first thing that is wrong with a link about to be
// stored: [CodeInvalidArgument] or [CodeTooLarge], naming the argument.
func (l Link) Validate() error {
	if strings.TrimSpace(l.From) == "" {
		return Errorf(CodeInvalidArgument, "agent is missing").WithHint("name the agent whose memory you ask for")
	}
	if err := CheckLine("agent", l.From, MaxNameBytes); err != nil {
		return err
	}
	if l.From == l.To {
		return Errorf(CodeInvalidArgument, "agent is yourself").WithHint("name another agent")
	}
	for _, f := range [][2]string{{"message", l.Message}, {"note", l.Note}} {
		if err := CheckText(f[0], f[1], MaxContentBytes); err != nil {
			return err
		}
	}
	for _, k := range slices.Concat(l.Kinds, l.SharedKinds) {
		if !k.Valid() && k != KindTurn {
			return Errorf(CodeInvalidArgument, "kinds: %q does not exist", k).WithHint("one of %s", join(append(Kinds(), KindTurn)))
		}
	}
	for _, list := range [][]string{l.Categories, l.SharedCategories} {
		if len(list) > MaxTags {
			return Errorf(CodeTooLarge, "categories has %d elements, at most %d are allowed", len(list), MaxTags).
				WithHint("none is all of them")
		}
		for _, name := range list {
			if err := CheckLine("categories", name, MaxNameBytes); err != nil {
				return err
			}
		}
	}
	if !slices.Contains(LinkStatuses(), l.Status) {
		return Errorf(CodeInvalidArgument, "status %q does not exist", l.Status).WithHint("one of %s", join(LinkStatuses()))
	}
	return nil
}

// LinkStore is what a [Tx] over the bank of the receiving agent keeps of links.
type LinkStore interface {
	// InsertLink stores a new request.
	InsertLink(l Link) error
	// Link returns the bank's link with that id; [CodeNotFound] if there is none.
	Link(id string) (Link, error)
	// Links returns up to limit links in which the bank's agent takes part on
	// either side, newest first.
	Links(limit int) ([]Link, error)
	// PendingLink returns the newest link by which the bank's agent asks another
	// one and whose time to answer is not over at a moment, or nil.
	PendingLink(from string, at time.Time) (*Link, error)
	// UpdateLink stores what became of a link: its status, what was shared, note,
	// time of decision and counts. [CodeNotFound] if there is none. All
	// decisions about a link are made in a transaction over the bank of To, so
	// what Link returned there is still true.
	UpdateLink(l Link) error
	// RecordByOrigin returns the record of this bank that was copied from that
	// record of another agent, live or not, or nil. An erased copy is forgotten.
	RecordByOrigin(agent, id string) (*Record, error)
	// NoteOrigin keeps that a record of this bank is a copy of an agent's
	// original, in place of an earlier copy of it; link is the Link's id.
	// [CodeNotFound] if there is no record id.
	NoteOrigin(id, link, agent, original string) error
	// Audit appends to the bank's audit log, from which only [AuditPruner]
	// removes.
	Audit(e AuditEntry) error
}

// LinkReader looks at links and the audit log.
type LinkReader interface {
	// Links returns up to limit links in which an agent takes part on either
	// side, newest first.
	Links(ctx context.Context, agent string, limit int) ([]Link, error)
	// PendingLink returns the newest link by which one agent (to) asks another
	// (from) and whose time to answer is not over at a moment, or nil.
	PendingLink(ctx context.Context, to, from string, at time.Time) (*Link, error)
	// LinkOf returns a link in which agent takes part on either side;
	// [CodeNotFound] if there is none.
	LinkOf(ctx context.Context, agent, id string) (Link, error)
	// LinkedRecords returns the ids of the live records that came by a link, in order.
	LinkedRecords(ctx context.Context, agent, link string) ([]string, error)
	// Agents returns the names of all banks, in order, without those that were erased.
	Agents(ctx context.Context) ([]string, error)
	// AuditLog returns up to limit entries of a bank's audit log, newest first.
	AuditLog(ctx context.Context, agent string, limit int) ([]AuditEntry, error)
}

// AuditPruner keeps the audit log from growing for ever.
type AuditPruner interface {
	// PruneAudit looks at the limit oldest entries of a bank's audit log, in order
	// of arrival, removes those from before a time, and returns how many.
	PruneAudit(ctx context.Context, agent string, before time.Time, limit int) (int, error)
}

// AuditEntry says who changed what and when, never what the memory says.
type AuditEntry struct {
	Agent   string // whose bank
	Actor   string // the agent that did it
	Action  string // for example "link.share"
	Subject string // an id
	Details json.RawMessage
	At      time.Time
}
