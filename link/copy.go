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

// Provenance is what a copy says about where it came from.
type Provenance struct {
	FromAgent  string    `json:"from_agent"`
	OriginalID string    `json:"original_id"`
	LinkID     string    `json:"link_id"`
	SharedAt   time.Time `json:"shared_at"`
	RecordedAt time.Time `json:"recorded_at"`           // when the sharer recorded it
	ExternalID string    `json:"external_id,omitempty"` // the sharer's own name for it
}

// ProvenanceOf returns what a record says about its origin, zero for one that
// was not copied.
func ProvenanceOf(r memory.Record) (p Provenance) {
	if r.Source != memory.SourceLink || json.Unmarshal(r.Provenance, &p) != nil {
		return Provenance{} // written by something else
	}
	return p
}

// page is how many records are read at a time: a bank may be larger than what
// should be in memory at once.
const page = 500

// maxChain bounds the corrections that are followed, lest links that form a
// ring keep the database locked.
const maxChain = 1000

// copying is one share while it happens, inside the transaction over the
// receiver's bank. Nobody else writes meanwhile, so the sharer's bank does not
// change either.
type copying struct {
	*Service
	tx         memory.Tx
	link       memory.Link // with the counts so far
	offered    []string    // categories that the sharer named
	withheld   int
	unembedded bool                // a copy waits for its vector
	seen       map[memory.Kind]int // what was allowed, copied or not
	thoughts   int                 // of copied messages, which stay
	left       map[string]int      // see leftOut
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

// copyPage copies what of a page is new. The vectors come from the same store
// and are of the same embedder, so they are copied as well.
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

// allowed reports whether both sides allow a record by its category, and counts
// the secrets that stay.
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

// known reports whether the receiver got the record by an earlier link, or
// has the original of which it is a copy.
func (c *copying) known(r memory.Record) (bool, error) {
	copied, err := c.tx.RecordByOrigin(c.link.From, r.ID)
	if err != nil || copied != nil {
		return copied != nil, err
	}
	if d := r.Relationship; d != nil && d.Bare() && memory.SameContent(d.Party) == memory.SameContent(c.link.To) {
		return true, nil // that the sharer has met the receiver
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

// copy stores one record in the receiver's bank, unless it says what the
// receiver knows.
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

// noteTwin keeps that another original of the same agent says what a copy
// says, so that a correction of it will correct the copy. The copy stays one of
// the link that it came by. What the receiver knew by itself stays its own.
func (c *copying) noteTwin(same memory.Record, original string) error {
	p := ProvenanceOf(same)
	if p.FromAgent != c.link.From {
		return nil
	}
	return c.tx.NoteOrigin(same.ID, p.LinkID, c.link.From, original)
}

// former returns the live copy of an earlier version of a record, or nil.
func (c *copying) former(ctx context.Context, r memory.Record) (*memory.Record, error) {
	for n := 0; r.Supersedes != "" && n < maxChain; n++ {
		copied, err := c.tx.RecordByOrigin(c.link.From, r.Supersedes)
		if err != nil {
			return nil, err
		}
		if copied != nil {
			if !copied.Live() { // corrected or forgotten by the receiver
				return nil, nil
			}
			return copied, nil
		}
		earlier, err := c.store.Records(ctx, c.link.From, []string{r.Supersedes})
		if err != nil || len(earlier) == 0 { // erased
			return nil, err
		}
		r = earlier[0]
	}
	return nil, nil
}

// supersede lets a copy take the place of the copy of an earlier version.
func (c *copying) supersede(former memory.Record, r *memory.Record) error {
	r.Supersedes = former.ID
	return c.tx.UpdateRecord(former.SupersededWith(r))
}

// copyOf is a record as the receiver gets it: its names on one line each, also where an older
// version has stored others, for the receiver is not to be told lines that nobody saved.
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
		summary.Covers = nil // ids of another bank
		n.Summary = &summary
	}
	return n.Tidied(), nil
}
