package remember

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mcp-memory/memory"
)

// The actions of a change that somebody asked for: it made records and changed none (add), or
// changed known ones (change), or archived them (remove). If it made records, the first of them
// gives the undo its id.
const (
	actAdd    = "add"
	actChange = "change"
	actRemove = "remove"
)

// state is what an update may change of a record, and an undo gives back.
type state struct {
	place
	ArchivedAt time.Time       `json:"archived_at,omitzero"`
	ArchiveWhy string          `json:"archive_why,omitempty"`
	Category   string          `json:"category"`
	Guessed    bool            `json:"guessed,omitempty"`
	Importance float64         `json:"importance"`
	Pinned     bool            `json:"pinned,omitempty"`
	Tags       []string        `json:"tags,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	Project    *string         `json:"project,omitempty"` // nil in what was kept before memories could be moved
}

func stateOf(r memory.Record) state {
	return state{placeOf(r), memory.StoredTime(r.ArchivedAt), r.ArchiveWhy, r.Category, r.CategoryGuessed, r.Importance, r.Pinned, r.Tags,
		r.Metadata, &r.Project}
}

func (s state) equal(other state) bool {
	return s.place == other.place && s.ArchivedAt.Equal(other.ArchivedAt) && s.ArchiveWhy == other.ArchiveWhy &&
		s.Category == other.Category && s.Guessed == other.Guessed && s.Importance == other.Importance && s.Pinned == other.Pinned &&
		slices.Equal(s.Tags, other.Tags) && bytes.Equal(s.Metadata, other.Metadata) && s.project() == other.project()
}

// project returns the project of the record, "" if it was not kept.
func (s state) project() string {
	if s.Project == nil {
		return ""
	}
	return *s.Project
}

// edited is the state of a record before and after a change.
type edited struct {
	ID     string `json:"id"`
	Before state  `json:"before"`
	After  state  `json:"after"`
}

// sameTime reports whether two times are the same to the store, which keeps microseconds. Undos
// that earlier versions kept have nanoseconds.
func sameTime(a, b time.Time) bool { return memory.StoredTime(a).Equal(memory.StoredTime(b)) }

// restored returns the record with its state before the change, except for fields that differ
// from the state after it: somebody has changed these since.
func (e edited) restored(r memory.Record) memory.Record {
	r = moved{e.ID, e.Before.place, e.After.place}.restored(r)
	now, before, after := stateOf(r), e.Before, e.After
	if sameTime(now.ArchivedAt, after.ArchivedAt) {
		r.ArchivedAt, r.ArchiveWhy = before.ArchivedAt, before.ArchiveWhy
	}
	if now.Category == after.Category && now.Guessed == after.Guessed {
		r.Category, r.CategoryGuessed = before.Category, before.Guessed
	}
	if now.Importance == after.Importance {
		r.Importance = before.Importance
	}
	if now.Pinned == after.Pinned {
		r.Pinned = before.Pinned
	}
	if slices.Equal(now.Tags, after.Tags) {
		r.Tags = before.Tags
	}
	if bytes.Equal(now.Metadata, after.Metadata) {
		r.Metadata = before.Metadata
	}
	if before.Project != nil && r.Project == after.project() {
		r.Project = *before.Project
	}
	return r
}

// edits collects what a transaction changes, for its undo.
type edits struct {
	Created []string `json:"created,omitempty"`
	Changed []edited `json:"changed,omitempty"`
}

// update stores a record and notes its state before and after. A record that the same transaction
// has created needs no such note.
func (e *edits) update(tx memory.Tx, r memory.Record) error {
	before, err := tx.Record(r.ID)
	if err != nil {
		return err
	}
	if err := tx.UpdateRecord(r); err != nil {
		return err
	}
	if slices.Contains(e.Created, r.ID) {
		return nil
	}
	i := slices.IndexFunc(e.Changed, func(one edited) bool { return one.ID == r.ID })
	if i < 0 {
		e.Changed, i = append(e.Changed, edited{ID: r.ID, Before: stateOf(before)}), len(e.Changed)
	}
	e.Changed[i].After = stateOf(r)
	return nil
}

// keep stores the undo of the edits, if they changed anything that an undo gives back: not, for
// example, if only one more confirmation was counted.
func (e *edits) keep(tx memory.Tx, ids *memory.IDs, at time.Time) error {
	return e.keepAs(tx, ids.New(), at)
}

// keepAs is keep with an id for the undo, which counts only if no record was created: otherwise
// the first of these gives it.
func (e *edits) keepAs(tx memory.Tx, id string, at time.Time) error {
	e.Changed = slices.DeleteFunc(e.Changed, func(one edited) bool { return one.Before.equal(one.After) })
	u := memory.Undo{Action: e.action(), Records: e.Created, At: at}
	switch {
	case len(e.Created) > 0: // the created records show what was superseded
		u.ID = e.Created[0]
	case len(e.Changed) == 0:
		return nil
	default:
		u.ID = id
		for _, one := range e.Changed {
			u.Records = append(u.Records, one.ID)
		}
	}
	var err error
	if u.Data, err = json.Marshal(e); err != nil {
		return fmt.Errorf("keep a change: %w", err)
	}
	return tx.KeepUndo(u)
}

func (e *edits) action() string {
	removed := func(one edited) bool { return one.Before.ArchivedAt.IsZero() && !one.After.ArchivedAt.IsZero() }
	switch {
	case len(e.Changed) == 0:
		return actAdd
	case len(e.Created) == 0 && !slices.ContainsFunc(e.Changed, func(one edited) bool { return !removed(one) }):
		return actRemove
	}
	return actChange
}

// readEdits returns what a change did that [edits.keep] has kept.
func readEdits(u memory.Undo) (e edits, err error) {
	if err := json.Unmarshal(u.Data, &e); err != nil {
		return e, fmt.Errorf("read undo %s: %w", u.ID, err)
	}
	return e, nil
}
