package remember

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// SaveRequest is a memory to keep. Only Content is needed.
type SaveRequest struct {
	Content        string
	Kind           memory.Kind   // empty is fact
	Category       string        // empty is chosen by the program
	Importance     *float64      // 0 to 1; nil is memory.DefaultImportance
	Tags           []string      // blanks around them are dropped, repeats too
	Source         memory.Source // empty is agent
	ExternalID     string        // the same id with other content is a correction
	Metadata       json.RawMessage
	OccurredAt     time.Time
	ValidFrom      time.Time
	ValidUntil     time.Time
	Supersedes     string // id of the record that this one corrects
	Pinned         bool
	Episode        *memory.EpisodeDetails
	IdempotencyKey string
	// Quiet leaves out what only a person or agent needs: the day's log and
	// the search for similar records. Imports are quiet.
	Quiet bool
}

// SaveResult says what became of a save.
type SaveResult struct {
	ID           string
	Action       Action // Created, Duplicate or Superseded
	Category     string
	SearchableBy []string  // "text", and "vector" once it has one
	Similar      []Similar // near-duplicates and what may contradict it
	SavedTo      []string  // "database", and the day's log
}

// Save keeps one memory. Errors: [memory.CodeInvalidArgument] and
// [memory.CodeTooLarge] for what [memory.Record.Validate] refuses,
// [memory.CodeNotFound] for an unknown Supersedes, [memory.CodeConflict] if
// that was corrected before.
func (s *Service) Save(ctx context.Context, scope memory.Scope, r SaveRequest) (SaveResult, error) {
	d, err := s.draft(scope, r)
	if err != nil {
		return SaveResult{}, err
	}
	if vectors := s.embed(ctx, []string{d.Content}); vectors != nil {
		d.vector = vectors[0]
	}
	var similar []Similar
	if !r.Quiet {
		similar = s.similar(ctx, d)
	}
	created := false
	result, err := once(ctx, s, scope.Agent, "save "+string(d.Kind), r.IdempotencyKey, func(tx memory.Tx) (SaveResult, error) {
		result, err := s.saveIn(tx, d)
		result.Similar, result.SavedTo = without(similar, result.ID), []string{database}
		if created = result.Action != Duplicate; created && !r.Quiet {
			result.SavedTo = append(result.SavedTo, s.dayLog(d.Agent).DayLogName(d.Record))
		}
		return result, err
	})
	if err != nil || !created {
		return result, err
	}
	if d.vector == nil {
		s.queued()
	}
	if !r.Quiet && !s.logged(ctx, d.Record, result.Category) {
		result.SavedTo = []string{database}
	}
	return result, nil
}

// database is where every save goes; SaveResult.SavedTo names it.
const database = "database"

// SaveBatch keeps many memories in one transaction: all or none. Up to
// [memory.MaxBatch] are meant to go in one call; results are in order.
func (s *Service) SaveBatch(ctx context.Context, scope memory.Scope, requests []SaveRequest) ([]SaveResult, error) {
	drafts := make([]draft, len(requests))
	texts := make([]string, len(requests))
	for i, r := range requests {
		d, err := s.draft(scope, r)
		if err != nil {
			return nil, &BatchError{Index: i, Err: err}
		}
		drafts[i], texts[i] = d, d.Content
	}
	for i, v := range s.embed(ctx, texts) {
		drafts[i].vector = v
	}
	results := make([]SaveResult, len(drafts))
	err := s.store.Write(ctx, scope.Agent, func(tx memory.Tx) error {
		for i, d := range drafts {
			var err error
			if results[i], err = s.saveIn(tx, d); err != nil {
				return &BatchError{Index: i, Err: err}
			}
		}
		return nil
	})
	if err == nil && !s.embedder.Local() {
		s.queued()
	}
	return results, err
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

// draft is a record that is ready to be stored, if nothing like it is there.
type draft struct {
	memory.Record
	vector []float32
}

func (s *Service) draft(scope memory.Scope, r SaveRequest) (draft, error) {
	if err := checkProject(scope.Project); err != nil {
		return draft{}, err
	}
	category, err := memory.NormalCategory(r.Category)
	if err != nil {
		return draft{}, err
	}
	now := s.clock().UTC().Truncate(time.Microsecond)
	rec := memory.Record{
		ID: s.ids.New(), Agent: scope.Agent, Project: scope.Project, Kind: r.Kind, Category: category,
		Content: strings.TrimSpace(r.Content), Importance: memory.DefaultImportance, Pinned: r.Pinned,
		Tags: normalTags(r.Tags), Source: r.Source, ExternalID: r.ExternalID, Metadata: r.Metadata,
		CreatedAt: now, OccurredAt: r.OccurredAt, ValidFrom: r.ValidFrom, ValidUntil: r.ValidUntil,
		Supersedes: r.Supersedes, Confirmations: 1, Episode: r.Episode,
	}
	if r.Importance != nil {
		rec.Importance = *r.Importance
	}
	if rec.Kind == "" {
		rec.Kind = memory.KindFact
	}
	if rec.Source == "" {
		rec.Source = memory.SourceAgent
	}
	if err := rec.Validate(); err != nil {
		return draft{}, err
	}
	if rec.Category == "" {
		rec.Category, rec.CategoryGuessed = s.categories.Choose(rec.Content), true
	}
	return draft{Record: rec}, nil
}

func normalTags(tags []string) []string {
	var list []string
	for _, t := range tags {
		if t = strings.TrimSpace(t); !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// saveIn decides what a draft is, new, a repetition or a correction, and
// stores it. No other write comes between the look and the deed.
func (s *Service) saveIn(tx memory.Tx, d draft) (SaveResult, error) {
	old, err := s.corrected(tx, d)
	if err != nil {
		return SaveResult{}, err
	}
	same, err := tx.RecordByContent(d.Project, d.Kind, d.Content)
	if err != nil {
		return SaveResult{}, err
	}
	if same != nil {
		return s.confirm(tx, d, *same)
	}
	action := Created
	if old != nil {
		d.Supersedes, action = old.ID, Superseded
		if d.CategoryGuessed && !old.CategoryGuessed {
			d.Category, d.CategoryGuessed = old.Category, false
		}
		if err := s.close(tx, *old, &d.Record); err != nil {
			return SaveResult{}, err
		}
	}
	if err := tx.InsertRecord(d.Record, d.vector); err != nil {
		return SaveResult{}, err
	}
	return SaveResult{ID: d.ID, Action: action, Category: d.Category, SearchableBy: d.searchableBy()}, nil
}

// corrected returns the record that the draft takes the place of: the one it
// names, or the one that bears its external id and says something else.
func (s *Service) corrected(tx memory.Tx, d draft) (*memory.Record, error) {
	if d.Supersedes == "" {
		if d.ExternalID == "" {
			return nil, nil
		}
		old, err := tx.RecordByExternalID(d.ExternalID)
		if err != nil || old == nil || !old.Live() || memory.SameContent(old.Content) == memory.SameContent(d.Content) {
			return nil, err
		}
		return old, nil
	}
	old, err := tx.Record(d.Supersedes)
	if err != nil {
		return nil, err
	}
	if old.SupersededBy != "" {
		return nil, memory.Errorf(memory.CodeConflict, "record %s was already superseded by %s", old.ID, old.SupersededBy).
			WithHint("supersede that one instead")
	}
	return &old, nil
}

// confirm counts a repetition. An import that brings the same external id
// again says nothing new and is not counted.
func (s *Service) confirm(tx memory.Tx, d draft, same memory.Record) (SaveResult, error) {
	result := SaveResult{ID: same.ID, Action: Duplicate, Category: same.Category, SearchableBy: d.searchableBy()}
	if d.ExternalID != "" {
		named, err := tx.RecordByExternalID(d.ExternalID)
		if err != nil || named != nil && named.ID == same.ID {
			return result, err
		}
		if err := tx.NameRecord(d.ExternalID, same.ID); err != nil {
			return result, err
		}
	}
	same.Confirmations++
	same.Pinned = same.Pinned || d.Pinned
	return result, tx.UpdateRecord(same)
}

// close ends the validity of a record where that of its successor begins. A
// successor that does not say since when it is true is true from now on.
func (s *Service) close(tx memory.Tx, old memory.Record, successor *memory.Record) error {
	if successor.ValidFrom.IsZero() {
		successor.ValidFrom = successor.CreatedAt
	}
	old.SupersededBy, old.SupersededAt = successor.ID, successor.CreatedAt
	if old.ValidUntil.IsZero() || successor.ValidFrom.Before(old.ValidUntil) {
		old.ValidUntil = successor.ValidFrom
	}
	return tx.UpdateRecord(old)
}

func (d draft) searchableBy() []string {
	if d.vector == nil {
		return []string{"text"}
	}
	return []string{"text", "vector"}
}

// logged mirrors a durable record to the day's log and reports whether it
// could: the save has succeeded either way.
func (s *Service) logged(ctx context.Context, r memory.Record, category string) bool {
	r.Category = category
	err := s.dayLog(r.Agent).AppendDayLog(r)
	if err != nil {
		s.log.WarnContext(ctx, "append to the day's log", "error", err)
	}
	return err == nil
}
