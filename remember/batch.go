package remember

import (
	"context"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// Batch is a list of memories that is checked and classified, waiting to be
// kept in one transaction: all or none. Not safe for concurrent use; but one
// batch may be filled while another is saved.
type Batch struct {
	service *Service
	scope   memory.Scope
	drafts  []draft
}

// NewBatch returns an empty batch. Up to [memory.MaxBatch] memories are meant
// to go into one.
func (s *Service) NewBatch(scope memory.Scope) *Batch {
	return &Batch{service: s, scope: scope}
}

// Len returns how many memories are in the batch.
func (b *Batch) Len() int { return len(b.drafts) }

// Add puts a memory at the end. The errors are those of Save about the request
// itself; then the batch is as it was.
func (b *Batch) Add(r SaveRequest) error {
	d, err := b.service.draftOfSomebody(b.scope, r)
	if err == nil {
		b.drafts = append(b.drafts, d)
	}
	return err
}

// Remove takes the memory at an index out, such as one that Save has refused.
func (b *Batch) Remove(index int) { b.drafts = slices.Delete(b.drafts, index, index+1) }

// Embed gives the memories their vectors, if the embedder is local.
func (b *Batch) Embed(ctx context.Context) {
	texts := make([]string, len(b.drafts))
	for i, d := range b.drafts {
		texts[i] = d.Content
	}
	for i, v := range b.service.embed(ctx, texts) {
		b.drafts[i].vector = v
	}
}

// Save keeps the memories as they are: those that Embed has not seen are
// queued for their vectors. Results are in order; one whose idempotency key was
// used before is the first result under it.
func (b *Batch) Save(ctx context.Context) ([]SaveResult, error) {
	return b.saveWith(ctx, func(memory.Tx, []SaveResult) error { return nil })
}

// saveWith is Save that calls also with the results, in the same transaction.
func (b *Batch) saveWith(ctx context.Context, also func(memory.Tx, []SaveResult) error) ([]SaveResult, error) {
	results := make([]SaveResult, len(b.drafts))
	queued := false
	err := memory.WriteExpecting(ctx, b.service.store, b.scope.Agent, expected(b.drafts...), func(tx memory.Tx) error {
		memo := newBatchMemo()
		for i, d := range b.drafts {
			var err error
			d.memo = memo
			results[i], err = idempotentIn(tx, d.repeats, func(tx memory.Tx) (SaveResult, error) {
				result, err := b.service.saveIn(tx, d)
				d.Project = result.Project
				memo.saved(d, result.Action)
				queued = queued || result.Action != Duplicate && d.vector == nil
				return result, err
			})
			if err != nil {
				return &BatchError{Index: i, Err: err}
			}
		}
		return also(tx, results)
	})
	if err != nil {
		return nil, err
	}
	if queued {
		b.service.queued()
	}
	return results, nil
}

// expected names what saving the drafts looks up, so that the store can read it for all of them
// at once.
func expected(drafts ...draft) (e memory.Expected) {
	for _, d := range drafts {
		if d.ExternalID != "" {
			e.ExternalIDs = append(e.ExternalIDs, d.ExternalID)
		}
		e.Contents = append(e.Contents, memory.ExpectedContent{Project: d.Project, Kind: d.Kind, Content: d.Content})
		if d.whose != Chosen {
			e.Contents = append(e.Contents, memory.ExpectedContent{Project: d.otherwise, Kind: d.Kind, Content: d.Content})
		}
		e.Slots = append(append(e.Slots, slots.Seek(d.said)...), slots.LinkKeys(d.said)...)
	}
	if len(e.Slots) > 0 {
		e.Slots = append(e.Slots, slots.NameKeys()...)
	}
	return e
}

// SaveBatch keeps many memories in one transaction: all or none. Up to
// [memory.MaxBatch] are meant to go in one call; results are in order.
func (s *Service) SaveBatch(ctx context.Context, scope memory.Scope, requests []SaveRequest) ([]SaveResult, error) {
	b := s.NewBatch(scope)
	for i, r := range requests {
		if err := b.Add(r); err != nil {
			return nil, &BatchError{Index: i, Err: err}
		}
	}
	b.Embed(ctx)
	return b.Save(ctx)
}

// BatchError says which item of a batch failed.
type BatchError struct {
	Index int // from 0
	Err   error
}

// Error returns the item's error.
func (e *BatchError) Error() string { return e.Err.Error() }

// Unwrap returns the item's error.
func (e *BatchError) Unwrap() error { return e.Err }
