package link

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
)

// settle changes a copy of a kind of which the receiver can have only one, if
// the receiver has its own; see the package document. former, which the copy
// will supersede, does not count as the receiver's own.
func (c *copying) settle(r *memory.Record, former *memory.Record) (err error) {
	switch {
	case r.Procedure != nil:
		d := *r.Procedure
		d.Name, err = c.freeName(d.Name, former, func(name string) memory.CatalogFilter {
			return memory.CatalogFilter{Kind: memory.KindProcedure, Name: name}
		})
		r.Procedure = &d
	case r.Relationship != nil:
		d := *r.Relationship
		d.Party, err = c.freeName(d.Party, former, func(party string) memory.CatalogFilter {
			return memory.CatalogFilter{Kind: memory.KindRelationship, Party: party}
		})
		r.Relationship = &d
	case r.Diary != nil:
		var taken bool
		taken, err = c.taken(memory.CatalogFilter{Kind: memory.KindDiary, From: r.Diary.Date, To: r.Diary.Date}, former)
		if taken {
			return c.retell(r)
		}
	}
	return err
}

// freeName returns a name that no record of the receiver has: wanted, or wanted
// with the sharer's name after it, and if needed a number.
func (c *copying) freeName(wanted string, former *memory.Record, find func(name string) memory.CatalogFilter) (string, error) {
	name := wanted
	for n := 1; ; n++ {
		taken, err := c.taken(find(name), former)
		if err != nil || !taken {
			return name, err
		}
		suffix := " (" + c.link.From + ")"
		if n > 1 {
			suffix = fmt.Sprintf(" (%s, %d)", c.link.From, n)
		}
		name = cut(wanted, memory.MaxNameBytes-len(suffix)) + suffix
	}
}

// cut returns at most the first limit bytes of a text, without a broken
// character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:max(0, limit)], "")
}

// taken reports whether the receiver has a live record that passes the filter,
// other than former.
func (c *copying) taken(f memory.CatalogFilter, former *memory.Record) (bool, error) {
	f.Now, f.Limit = c.link.DecidedAt, 2
	found, _, err := c.tx.List(f)
	for _, r := range found {
		if former == nil || r.ID != former.ID {
			return true, nil
		}
	}
	return false, err
}

// retell turns a diary entry into an episode. The diary's own fields go into
// the metadata, if the record has none.
func (c *copying) retell(r *memory.Record) error {
	d := r.Diary
	r.Kind = memory.KindEpisode
	r.KindDetails = memory.KindDetails{Episode: &memory.EpisodeDetails{Participants: []string{c.link.From}}}
	if date, err := time.Parse(time.DateOnly, d.Date); err == nil && r.OccurredAt.IsZero() {
		r.OccurredAt = date
	}
	if r.Metadata != nil {
		return nil
	}
	kept, err := json.Marshal(map[string]any{"diary": struct {
		Date     string          `json:"date"`
		Mood     string          `json:"mood,omitempty"`
		Location string          `json:"location,omitempty"`
		Data     json.RawMessage `json:"data,omitempty"`
	}{d.Date, d.Mood, d.Location, d.Data}})
	if err == nil && len(kept) <= memory.MaxMetadataBytes {
		r.Metadata = kept
	}
	return err
}
