package remember

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mcp-memory/memory"
)

// actSave is the action of a save that made a record and changed no other; actCorrect that of a
// save that superseded a record because somebody said so.
const (
	actSave    = "save"
	actCorrect = "correct"
)

// actTogether is the action of an undo that stands for several others; see undoTogether.
const actTogether = "import"

// actForget is the action of a forgetting.
const actForget = "forget"

// place is what superseding changes of a record: its links to other versions, and its validity.
type place struct {
	Supersedes   string    `json:"supersedes,omitempty"`
	SupersededBy string    `json:"superseded_by,omitempty"`
	SupersededAt time.Time `json:"superseded_at,omitzero"`
	ValidFrom    time.Time `json:"valid_from,omitzero"`
	ValidUntil   time.Time `json:"valid_until,omitzero"`
}

func placeOf(r memory.Record) place {
	return place{r.Supersedes, r.SupersededBy, memory.StoredTime(r.SupersededAt), memory.StoredTime(r.ValidFrom),
		memory.StoredTime(r.ValidUntil)}
}

// moved is a change of a record's place.
type moved struct {
	ID     string `json:"id"`
	Before place  `json:"before"`
	After  place  `json:"after"`
}

// ends reports whether the record was superseded, or its validity bounded.
func (m moved) ends() bool {
	return m.After.SupersededBy != m.Before.SupersededBy || !m.After.ValidUntil.Equal(m.Before.ValidUntil)
}

// restored returns the record with its former place, except for fields that differ from the place
// after the change: somebody has changed these since.
func (m moved) restored(r memory.Record) memory.Record {
	if r.Supersedes == m.After.Supersedes {
		r.Supersedes = m.Before.Supersedes
	}
	if r.SupersededBy == m.After.SupersededBy {
		r.SupersededBy, r.SupersededAt = m.Before.SupersededBy, m.Before.SupersededAt
	}
	if sameTime(r.ValidFrom, m.After.ValidFrom) {
		r.ValidFrom = m.Before.ValidFrom
	}
	if sameTime(r.ValidUntil, m.After.ValidUntil) {
		r.ValidUntil = m.Before.ValidUntil
	}
	return r
}

// decision carries out a verdict on a draft, and collects what that changes, for the undo.
type decision struct {
	tx    memory.Tx
	d     *draft
	moved []moved
	ids   []string // of the records that the draft takes the place of
}

// carryOut supersedes what the verdict says, and keeps how to undo it.
func carryOut(tx memory.Tx, d *draft, v verdict, result *SaveResult) error {
	c := decision{tx: tx, d: d}
	before := placeOf(d.Record)
	if err := c.replace(v); err != nil {
		return err
	}
	if err := c.bound(v.bounded); err != nil {
		return err
	}
	if err := c.insertBefore(v); err != nil {
		return err
	}
	if len(c.moved) == 0 {
		return nil
	}
	if len(c.ids) > 0 {
		result.Action, result.Superseded = Superseded, c.ids
	}
	result.UndoID = d.ID
	c.moved = append(c.moved, moved{d.ID, before, placeOf(d.Record)})
	return c.keep(memory.ActionSupersede)
}

// correct lets the draft supersede the record old, because somebody said so.
func (c *decision) correct(old memory.Record, result *SaveResult) error {
	d := c.d
	before := placeOf(d.Record)
	d.Supersedes, result.Action, result.replaced = old.ID, Superseded, old.ID
	if d.CategoryGuessed && !old.CategoryGuessed {
		d.Category, d.CategoryGuessed = old.Category, false
	}
	if err := c.move(old, old.SupersededWith(&d.Record)); err != nil {
		return err
	}
	if err := d.Validate(); err != nil { // a start of validity that was set just now
		return err
	}
	if d.again { // an import: nobody looked at it line by line
		result.UndoID = d.ID
	}
	c.moved = append(c.moved, moved{d.ID, before, placeOf(d.Record)})
	return c.keep(actCorrect)
}

// replace lets the draft supersede the records of the verdict.
func (c *decision) replace(v verdict) error {
	for _, old := range v.replaced {
		if c.d.CategoryGuessed && !old.CategoryGuessed {
			c.d.Category, c.d.CategoryGuessed = old.Category, false
		}
		if c.d.Supersedes == "" {
			c.d.Supersedes = old.ID
		}
		if err := c.move(old, lasting(old.SupersededWith(&c.d.Record))); err != nil {
			return err
		}
		c.ids = append(c.ids, old.ID)
	}
	return nil
}

// bound ends the validity of records where that of the draft begins.
func (c *decision) bound(records []memory.Record) error {
	for _, old := range records {
		next := old
		c.d.ValidFrom, next.ValidUntil = c.d.begins, c.d.begins
		if err := c.move(old, lasting(next)); err != nil {
			return err
		}
	}
	return nil
}

// insertBefore puts a draft that is of an earlier time into a chain of versions: before v.later,
// and behind v.before if there is one.
func (c *decision) insertBefore(v verdict) error {
	if v.later == nil || len(c.ids) > 0 {
		return nil
	}
	later := *v.later
	if v.before != nil {
		old := *v.before
		next := old
		if c.d.ValidFrom.IsZero() {
			c.d.ValidFrom = c.d.EventTime()
		}
		next.SupersededBy, next.ValidUntil, c.d.Supersedes = c.d.ID, c.d.ValidFrom, old.ID
		if err := c.move(old, lasting(next)); err != nil {
			return err
		}
	}
	c.d.Record = lasting(c.d.SupersededWith(&later))
	c.d.SupersededAt = c.d.CreatedAt
	if later.Supersedes == "" || v.before != nil {
		later.Supersedes = c.d.ID
	}
	return c.move(*v.later, later)
}

// lasting returns a record whose validity would be empty with one of a microsecond, because a
// validity has to end after it begins.
func lasting(r memory.Record) memory.Record {
	if !r.ValidUntil.IsZero() && !r.ValidFrom.Before(r.ValidUntil) {
		r.ValidUntil = r.ValidFrom.Add(time.Microsecond)
	}
	return r
}

// move stores a record with a changed place and notes the change.
func (c *decision) move(old, next memory.Record) error {
	c.moved = append(c.moved, moved{old.ID, placeOf(old), placeOf(next)})
	return c.tx.UpdateRecord(next)
}

// keep stores the undo of the changes under the draft's id.
func (c *decision) keep(action string) error {
	data, err := json.Marshal(c.moved)
	if err != nil {
		return fmt.Errorf("keep what was superseded: %w", err)
	}
	if c.d.imported {
		action = memory.PartOfImport + action
	}
	u := memory.Undo{ID: c.d.ID, Action: action, Data: data, At: c.d.CreatedAt}
	for _, m := range c.moved {
		u.Records = append(u.Records, m.ID)
	}
	return c.tx.KeepUndo(u)
}

// undoTogether takes back what several saves have superseded, the last first: an
// import by an earlier version of the program.
func undoTogether(tx memory.Tx, u memory.Undo, result *ForgetResult) error {
	var ids []string
	if err := json.Unmarshal(u.Data, &ids); err != nil {
		return fmt.Errorf("read undo %s: %w", u.ID, err)
	}
	for _, id := range slices.Backward(ids) {
		one, err := tx.Undo(id)
		if err != nil {
			return err
		}
		if !one.UndoneAt.IsZero() {
			continue
		}
		all, err := readMoved(one)
		if err != nil {
			return err
		}
		if err := tx.MarkUndone(id, u.UndoneAt); err != nil {
			return err
		}
		if err := restore(tx, id, all, result); err != nil {
			return err
		}
	}
	return nil
}

// restore gives the records of an undo the places that they had before: what the save of the
// record with the id superseded is live again beside it, with its validity. What was erased since
// is noted as missing.
func restore(tx memory.Tx, id string, all decisions, result *ForgetResult) error {
	for _, m := range all {
		r, err := tx.Record(m.ID)
		if memory.CodeOf(err) == memory.CodeNotFound {
			result.Missing = append(result.Missing, m.ID)
			continue
		}
		if err != nil {
			return err
		}
		if err := tx.UpdateRecord(m.restored(r)); err != nil {
			return err
		}
		if m.ID != id { // that one holds as before
			result.IDs = append(result.IDs, m.ID)
		}
	}
	return nil
}
