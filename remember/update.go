package remember

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/secrets"
)

// UpdateRequest changes a record. Nil fields stay as they are.
type UpdateRequest struct {
	ID         string
	Content    *string // a change supersedes: the old record stays as history
	Project    *string // empty is global; its history moves along
	Category   *string
	Importance *float64
	Tags       *[]string
	OccurredAt *time.Time // only together with another content
	ValidUntil *time.Time
	Pinned     *bool
	Metadata   *json.RawMessage
}

// UpdateResult says what became of an update.
type UpdateResult struct {
	ID     string // of the record that holds now: a new one after Superseded
	Action Action // Updated, Superseded or Unchanged
}

// Update changes a record. Errors: [memory.CodeNotFound]; [memory.CodeConflict]
// for a record that was superseded; [memory.CodeInvalidArgument] for another
// content of what is made of details; [memory.CodeForbidden] for another content
// or an end of a soul entry; otherwise as Save.
func (s *Service) Update(ctx context.Context, scope memory.Scope, u UpdateRequest) (UpdateResult, error) {
	return s.UpdateBy(ctx, scope, u, "")
}

// UpdateBy is Update by somebody whom a new content has as its source; "" is the
// source of the old content.
func (s *Service) UpdateBy(ctx context.Context, scope memory.Scope, u UpdateRequest, by memory.Source) (UpdateResult, error) {
	return s.UpdateIf(ctx, scope, u, by, func(memory.Record) error { return nil })
}

// UpdateIf is UpdateBy under a condition: allowed is called with the record inside the
// transaction, where nothing else can change it any more, and an error of it is returned.
func (s *Service) UpdateIf(ctx context.Context, scope memory.Scope, u UpdateRequest, by memory.Source,
	allowed func(memory.Record) error) (UpdateResult, error) {
	var vector []float32
	if u.Project != nil {
		to, err := s.destination(ctx, scope, *u.Project)
		if err != nil {
			return UpdateResult{}, err
		}
		u.Project = &to
	}
	if u.Content != nil {
		if vectors := s.embed(ctx, []string{strings.TrimSpace(*u.Content)}); vectors != nil {
			vector = vectors[0]
		}
	}
	var logged *memory.Record
	result, err := idempotent(ctx, s, scope.Agent, call{}, memory.Expected{}, func(tx memory.Tx) (UpdateResult, error) {
		old, err := tx.Record(u.ID)
		if err != nil {
			return UpdateResult{}, err
		}
		if err := allowed(old); err != nil {
			return UpdateResult{}, err
		}
		if old.SupersededBy != "" {
			return UpdateResult{}, memory.Errorf(memory.CodeConflict, "record %s was superseded by %s", old.ID, old.SupersededBy).
				WithHint("update that one instead")
		}
		if err := u.permitted(old); err != nil {
			return UpdateResult{}, err
		}
		next, err := u.apply(old)
		if err != nil {
			return UpdateResult{}, err
		}
		confirmed := old.Damaged && u.Content != nil && Editable(old.Kind)
		if next.Content == old.Content && !confirmed { // the same words for a damaged record confirm it, by a new version
			return s.updateInPlace(tx, u, next)
		}
		next.ID, next.CreatedAt, next.Damaged = s.ids.New(), s.clock.Now(), false
		next.Supersedes, next.ValidFrom, next.Confirmations = old.ID, next.CreatedAt, 1
		next.Source = cmp.Or(by, old.Source)
		next, next.Mentions = next.Tidied(), nil
		next.Mentions = s.mentions(next)
		if err := next.Validate(); err != nil {
			return UpdateResult{}, err
		}
		if next.CategoryGuessed {
			next.Category = s.category(next.Content, secrets.In(next))
		}
		made := edits{Created: []string{next.ID}}
		if err := made.update(tx, old.SupersededWith(&next)); err != nil {
			return UpdateResult{}, err
		}
		if err := made.moveVersions(tx, old.ID, next.Project); err != nil {
			return UpdateResult{}, err
		}
		if err := tx.InsertRecord(next, vector); err != nil {
			return UpdateResult{}, err
		}
		logged = &next
		return UpdateResult{next.ID, Superseded}, made.keep(tx, s.ids, next.CreatedAt)
	})
	if err == nil && logged != nil {
		if vector == nil {
			s.queued()
		}
		s.logged(ctx, *logged, logged.Category)
	}
	return result, err
}

// rewriters name the tool that changes a record of each kind whose content is made of fields.
// Another content alone would contradict the fields.
var rewriters = map[memory.Kind]memory.Advice{
	memory.KindTriple:       changedWith("save_semantic", "triples add"),
	memory.KindProcedure:    changedWith("save_procedure", "procedures add"),
	memory.KindRelationship: changedWith("relationship_update", "people add"),
	memory.KindDiary:        changedWith("diary_write", "diary add"),
}

func changedWith(tool, command string) memory.Advice {
	return memory.Advice{Tool: "change them with " + tool, Command: "change them with `mcp-memory " + command + "`"}
}

// Editable reports whether an update may give a record of a kind another content. It may not if
// the content is made of fields (see rewriters), nor for a soul entry, which is given up and
// another one kept.
func Editable(k memory.Kind) bool {
	_, composed := rewriters[k]
	return k != memory.KindSoul && !composed
}

// permitted returns an error for a change that another tool has to make.
func (u UpdateRequest) permitted(old memory.Record) error {
	rewritten := u.Content != nil && strings.TrimSpace(*u.Content) != old.Content
	if old.Kind == memory.KindSoul && (rewritten || u.ValidUntil != nil) {
		return memory.Errorf(memory.CodeForbidden, "record %s is a soul entry", old.ID).
			WithAdvice(memory.Advice{
				Tool:    "soul_remove gives it up, with a reason; soul_add keeps another",
				Command: "`mcp-memory soul remove` gives it up, with a reason; `soul add` keeps another",
			})
	}
	if instead, ok := rewriters[old.Kind]; ok && rewritten {
		return memory.Errorf(memory.CodeInvalidArgument, "content of record %s, of kind %s, is made of its fields", old.ID, old.Kind).
			WithAdvice(instead)
	}
	return nil
}

func (s *Service) updateInPlace(tx memory.Tx, u UpdateRequest, next memory.Record) (UpdateResult, error) {
	next = next.Tidied()
	if err := next.Validate(); err != nil {
		return UpdateResult{}, err
	}
	if u.empty() {
		return UpdateResult{next.ID, Unchanged}, nil
	}
	var made edits
	if err := made.update(tx, next); err != nil {
		return UpdateResult{}, err
	}
	if err := made.moveVersions(tx, next.Supersedes, next.Project); err != nil {
		return UpdateResult{}, err
	}
	return UpdateResult{next.ID, Updated}, made.keep(tx, s.ids, s.clock())
}

// empty reports whether nothing but perhaps an equal content was given.
func (u UpdateRequest) empty() bool {
	return u.Project == nil && u.Category == nil && u.Importance == nil && u.Tags == nil && u.ValidUntil == nil && u.Pinned == nil &&
		u.Metadata == nil
}

// apply returns the record with the changes.
func (u UpdateRequest) apply(r memory.Record) (memory.Record, error) {
	if u.Content != nil {
		r.Content = strings.TrimSpace(*u.Content)
	}
	if u.Project != nil {
		r.Project = *u.Project
	}
	if u.Category != nil {
		category, err := memory.NormalCategory(*u.Category)
		if err != nil {
			return r, err
		}
		r.Category, r.CategoryGuessed = category, false
	}
	if u.Importance != nil {
		r.Importance = *u.Importance
	}
	if u.Tags != nil {
		r.Tags = normalTags(*u.Tags)
	}
	if u.OccurredAt != nil {
		r.OccurredAt = memory.StoredTime(*u.OccurredAt)
	}
	if u.ValidUntil != nil {
		r.ValidUntil = *u.ValidUntil
	}
	if u.Pinned != nil {
		r.Pinned = *u.Pinned
	}
	if u.Metadata != nil {
		r.Metadata = *u.Metadata
	}
	return r, nil
}
