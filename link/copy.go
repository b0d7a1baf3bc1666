package link

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/secrets"
)

// Provenance is what a copy tells of its origin.
type Provenance struct {
	FromAgent  string    `json:"from_agent"`
	OriginalID string    `json:"original_id"`
	LinkID     string    `json:"link_id"`
	SharedAt   time.Time `json:"shared_at"`
	RecordedAt time.Time `json:"recorded_at"`           // when the sharer recorded it
	ExternalID string    `json:"external_id,omitempty"` // the sharer's own id for it
}

// ProvenanceOf returns the provenance of a record, or the zero value if it was
// not copied by a link.
func ProvenanceOf(r memory.Record) (p Provenance) {
	if r.Source != memory.SourceLink || json.Unmarshal(r.Provenance, &p) != nil {
		return Provenance{} // from another source
	}
	return p
}

// page is how many records are read at a time, because a bank may be too large
// to have in memory.
const page = 500

// maxChain bounds how many earlier versions are followed: links that form a
// ring would keep the database locked for ever.
const maxChain = 1000

// copying is the state of one share, inside the transaction over the receiver's
// bank. With SQLite nobody else writes to the database meanwhile, so the
// sharer's bank does not change either. PostgreSQL locks the receiver's bank
// only: what the sharer saves meanwhile may be copied or not.
type copying struct {
	*Service
	tx         memory.Tx
	link       memory.Link         // with the counts so far
	offered    []string            // categories that the sharer allowed
	withheld   int                 // number of secrets that were not copied
	unembedded bool                // a copy waits for its vector
	seen       map[memory.Kind]int // how many records were allowed, copied or not
	thoughts   int                 // messages, copied now or before, that have thoughts
	left       map[string]int      // the result of leftOut
}

func (c *copying) run(ctx context.Context) (err error) {
	c.seen = map[memory.Kind]int{}
	records := slices.DeleteFunc(slices.Clone(c.link.SharedKinds), func(k memory.Kind) bool { return k == memory.KindTurn })
	if len(records) > 0 {
		err = c.copyRecords(ctx, records)
	}
	if err == nil && slices.Contains(c.link.SharedKinds, memory.KindTurn) {
		err = c.copyTurns(ctx)
	}
	if err == nil {
		c.left, err = c.leftOut(ctx)
	}
	return err
}

func (c *copying) copyRecords(ctx context.Context, kinds []memory.Kind) error {
	filter := memory.Filter{Agent: c.link.From, Kinds: kinds, Since: c.link.SharedSince}
	seqs, err := c.store.Select(ctx, memory.Memories, filter)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(seqs, page) {
		documents, err := c.store.Documents(ctx, memory.Memories, filter, some)
		if err != nil {
			return err
		}
		slices.SortFunc(documents, func(a, b memory.Document) int { return cmp.Compare(a.Seq, b.Seq) })
		if err := c.copyPage(ctx, documents); err != nil {
			return err
		}
	}
	return nil
}

// copyPage copies those documents that the receiver does not have. The vectors
// are copied as well, because they are from the same embedder.
func (c *copying) copyPage(ctx context.Context, documents []memory.Document) error {
	var fresh []memory.Document
	var seqs []int64
	for _, d := range documents {
		if !c.allowed(d.Record) {
			continue
		}
		c.seen[d.Kind]++
		known, err := c.known(d.Record)
		if err != nil {
			return err
		}
		if known {
			c.link.Skipped++
			continue
		}
		fresh, seqs = append(fresh, d), append(seqs, d.Seq)
	}
	if len(fresh) == 0 {
		return nil
	}
	vectors, err := c.store.Vectors(ctx, c.link.From, memory.Memories, seqs)
	if err != nil {
		return err
	}
	for _, d := range fresh {
		if err := c.copy(ctx, d.Record, vectors[d.Seq]); err != nil {
			return fmt.Errorf("copy record %s: %w", d.ID, err)
		}
	}
	return nil
}

// allowed reports whether both sides allow the category of a record. It counts
// the secrets that it refuses in c.withheld.
func (c *copying) allowed(r memory.Record) bool {
	secret := secrets.Is(r)
	inside := func(categories []string) bool {
		return len(categories) == 0 || slices.Contains(categories, r.Category) ||
			secret && slices.Contains(categories, memory.CategorySecret)
	}
	if !inside(c.link.Categories) || !inside(c.offered) {
		return false
	}
	if secret && !slices.Contains(c.offered, memory.CategorySecret) {
		c.withheld++
		return false
	}
	return true
}

// known reports whether the receiver got the record by an earlier link, or has
// the original if the record is a copy.
func (c *copying) known(r memory.Record) (bool, error) {
	copied, err := c.tx.RecordByOrigin(c.link.From, r.ID)
	if err != nil || copied != nil {
		return copied != nil, err
	}
	if d := r.Relationship; d != nil && d.Bare() && memory.SameContent(d.Party) == memory.SameContent(c.link.To) {
		return true, nil // a relationship that only says that the sharer has met the receiver
	}
	p := ProvenanceOf(r)
	if p.FromAgent != c.link.To {
		return false, nil
	}
	_, err = c.tx.Record(p.OriginalID)
	if memory.CodeOf(err) == memory.CodeNotFound {
		return false, nil
	}
	return err == nil, err
}

// copy stores a copy of one record in the receiver's bank, unless the receiver
// has a record with the same text.
func (c *copying) copy(ctx context.Context, original memory.Record, vector []float32) error {
	former, err := c.former(ctx, original)
	if err != nil {
		return err
	}
	r, err := c.copyOf(original)
	if err != nil {
		return err
	}
	if err := c.settle(&r, former); err != nil {
		return err
	}
	same, err := c.tx.RecordByContent(r.Project, r.Kind, r.Content)
	if err != nil {
		return err
	}
	if same != nil && (former == nil || same.ID != former.ID) {
		c.link.Skipped++
		return c.noteTwin(*same, original.ID)
	}
	if former != nil {
		if err := c.supersede(*former, &r); err != nil {
			return err
		}
	}
	if err := c.tx.InsertRecord(r, vector); err != nil {
		return err
	}
	c.link.Copied++
	c.unembedded = c.unembedded || vector == nil
	return c.tx.NoteOrigin(r.ID, c.link.ID, c.link.From, original.ID)
}

// noteTwin notes that another original of the same sharer has the text of an
// existing copy, so that a correction of this original also corrects the copy.
// The copy still belongs to the link by which it came. A record of the
// receiver's own stays unchanged.
func (c *copying) noteTwin(same memory.Record, original string) error {
	p := ProvenanceOf(same)
	if p.FromAgent != c.link.From {
		return nil
	}
	return c.tx.NoteOrigin(same.ID, p.LinkID, c.link.From, original)
}

// former returns the live copy of the closest earlier version of a record that
// was copied, or nil.
func (c *copying) former(ctx context.Context, r memory.Record) (*memory.Record, error) {
	for n := 0; r.Supersedes != "" && n < maxChain; n++ {
		copied, err := c.tx.RecordByOrigin(c.link.From, r.Supersedes)
		if err != nil {
			return nil, err
		}
		if copied != nil {
			if !copied.Live() { // superseded or archived by the receiver
				return nil, nil
			}
			return copied, nil
		}
		earlier, err := c.store.Records(ctx, c.link.From, []string{r.Supersedes})
		if err != nil || len(earlier) == 0 { // the earlier version was erased
			return nil, err
		}
		r = earlier[0]
	}
	return nil, nil
}

// supersede makes the copy r supersede the copy of an earlier version.
func (c *copying) supersede(former memory.Record, r *memory.Record) error {
	r.Supersedes = former.ID
	return c.tx.UpdateRecord(former.SupersededWith(r))
}

// copyOf returns a copy of a record for the receiver. Line breaks in names,
// which older versions could store, are removed: names are shown in lists of
// one line each, and a line break could forge a line.
func (c *copying) copyOf(r memory.Record) (memory.Record, error) {
	from, err := json.Marshal(Provenance{
		FromAgent: c.link.From, OriginalID: r.ID, LinkID: c.link.ID, SharedAt: c.link.DecidedAt,
		RecordedAt: r.CreatedAt, ExternalID: r.ExternalID,
	})
	if err != nil {
		return memory.Record{}, err
	}
	n := memory.Record{
		ID: c.ids.New(), Agent: c.link.To, Project: memory.Line(r.Project), Kind: r.Kind,
		Category: memory.Line(r.Category), CategoryGuessed: r.CategoryGuessed, Content: r.Content,
		Importance: r.Importance, Pinned: r.Pinned, Tags: r.Tags, Source: memory.SourceLink,
		Metadata: r.Metadata, Provenance: from, CreatedAt: c.link.DecidedAt, OccurredAt: r.OccurredAt,
		ValidFrom: r.ValidFrom, ValidUntil: r.ValidUntil, Confirmations: 1, KindDetails: r.KindDetails,
		Damaged: r.Damaged,
	}
	if n.Summary != nil {
		summary := *n.Summary
		summary.Covers = nil // they are ids in the sharer's bank
		n.Summary = &summary
	}
	return n.Tidied(), nil
}
