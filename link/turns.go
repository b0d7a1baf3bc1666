package link

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
)

// copyTurns copies the messages that both sides allow, in the order of their
// arrival.
func (c *copying) copyTurns(ctx context.Context) error {
	var some []memory.Turn
	err := c.store.EachTurn(ctx, c.link.From, func(t memory.Turn) error {
		if t.SaidAt.Before(c.link.SharedSince) || !c.allowed(told(t)) {
			return nil
		}
		c.seen[memory.KindTurn]++
		if originOf(t).FromAgent == c.link.To { // the receiver has the original
			c.link.Skipped++
			return nil
		}
		turn, err := c.turnOf(t)
		if err != nil {
			return fmt.Errorf("copy turn %s: %w", t.ID, err)
		}
		if some = append(some, turn); len(some) < page {
			return nil
		}
		err = c.insert(some)
		some = nil
		return err
	})
	if err != nil {
		return err
	}
	return c.insert(some)
}

func (c *copying) insert(turns []memory.Turn) error {
	n, err := c.tx.InsertTurns(turns, nil)
	c.link.Copied += n
	c.link.Skipped += len(turns) - n
	c.unembedded = c.unembedded || n > 0
	return err
}

// told returns a message as a record, for checks that are made for records. It
// has no category. Its content includes the details, so that a secret in them
// is found.
func told(t memory.Turn) memory.Record {
	return memory.Record{Kind: memory.KindTurn, Content: t.Content + "\n" + t.Details.Text(), Metadata: t.Metadata}
}

// turnOrigin is the key of the [Provenance] in the metadata of a copied
// message.
const turnOrigin = "link"

// originOf returns the provenance of a message, or the zero value if it was not
// copied.
func originOf(t memory.Turn) (p Provenance) {
	var metadata map[string]json.RawMessage
	if !strings.HasPrefix(t.ExternalID, copiedTurn) || json.Unmarshal(t.Metadata, &metadata) != nil ||
		json.Unmarshal(metadata[turnOrigin], &p) != nil {
		return Provenance{}
	}
	return p
}

// copiedTurn is the prefix of the external id of a copied message. The rest is
// the original's id, so that it is not copied twice.
const copiedTurn = "link-"

// turnOf returns a copy of a message for the receiver: in a conversation with
// the sharer's name after its own, without a role, because the speaker is not
// the receiver's user or assistant, and without thoughts.
func (c *copying) turnOf(t memory.Turn) (memory.Turn, error) {
	metadata := map[string]json.RawMessage{}
	if t.Metadata != nil {
		if err := json.Unmarshal(t.Metadata, &metadata); err != nil || metadata == nil {
			metadata = map[string]json.RawMessage{}
		}
	}
	origin, err := json.Marshal(Provenance{
		FromAgent: c.link.From, OriginalID: t.ID, LinkID: c.link.ID,
		SharedAt: c.link.DecidedAt, RecordedAt: t.CreatedAt, ExternalID: t.ExternalID,
	})
	if err != nil {
		return memory.Turn{}, err
	}
	metadata[turnOrigin] = origin
	n := memory.Turn{
		ID: c.ids.New(), Agent: c.link.To, Project: memory.Line(t.Project),
		Session: c.ofSharer(t.Session), Speaker: t.Speaker, Content: t.Content,
		ExternalID: copiedTurn + t.ID, SaidAt: t.SaidAt, CreatedAt: c.link.DecidedAt, ArchivedAt: t.ArchivedAt,
	}
	if t.Person() == "" {
		n.Speaker = c.ofSharer(t.Speaker)
	}
	if d := t.Details; d != nil {
		kept := *d
		if kept.Thinking != "" {
			kept.Thinking = ""
			c.thoughts++
		}
		n.Details = &kept
	}
	if n.Metadata, err = json.Marshal(metadata); err == nil && len(n.Metadata) > memory.MaxMetadataBytes {
		n.Metadata, err = json.Marshal(map[string]json.RawMessage{turnOrigin: origin})
	}
	n.Session = memory.Line(n.Session)
	return n.Tidied(), err
}

// ofSharer returns name with the sharer's name after it. A long name is cut,
// with a hash at its end that keeps it distinct.
func (c *copying) ofSharer(name string) string {
	suffix := " (" + c.link.From + ")"
	if len(name)+len(suffix) <= memory.MaxNameBytes {
		return name + suffix
	}
	suffix = "~" + memory.SessionTag(name+suffix)
	return cut(name, memory.MaxNameBytes-len(suffix)) + suffix
}

// Keys of [Shared.LeftOut] that are not kinds of memory.
const (
	leftTodos      = "todo"
	leftEvents     = "calendar"
	leftThoughts   = "thinking"
	leftArchived   = "archived"
	leftSuperseded = "superseded"
)

// leftOut counts by kind what is in the sharer's bank and was neither copied
// nor known to the receiver.
func (c *copying) leftOut(ctx context.Context) (map[string]int, error) {
	st, err := c.store.Stats(ctx, c.link.From)
	if err != nil {
		return nil, err
	}
	_, todos, err := c.store.Todos(ctx, c.link.From, memory.TodoFilter{Status: memory.TodoAll}, 1)
	if err != nil {
		return nil, err
	}
	events, err := c.store.Calendar(ctx, c.link.From, time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC))
	if err != nil {
		return nil, err
	}
	left := map[string]int{
		string(memory.KindTurn): st.Turns - c.seen[memory.KindTurn], leftTodos: todos, leftEvents: len(events),
		leftThoughts: c.thoughts, leftArchived: st.Archived, leftSuperseded: st.Superseded,
	}
	for kind, n := range st.ByKind {
		left[kind] = n - c.seen[memory.Kind(kind)]
	}
	for kind, n := range left {
		if n <= 0 {
			delete(left, kind)
		}
	}
	return left, nil
}
