package remember

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// revival is what forgetting some records changes of others. If a save superseded a record on its
// own, nobody said that this record was wrong: once the newer memory is forgotten, the older one
// holds again. A record that somebody corrected was said to be wrong, and stays superseded.
type revival struct {
	tx       memory.Tx
	forgets  map[string]bool // ids
	erases   bool
	only     bool     // only say what would be changed: a dry run
	moved    []moved  // in the order of the changes
	revived  []string // ids of what is live again
	replaced []string // ids of earlier versions that stay superseded
}

// revive undoes what the forgotten records superseded on their own, the newest first, except for
// places that have changed since.
func (v *revival) revive(records []memory.Record) error {
	newest := slices.SortedFunc(slices.Values(records), func(a, b memory.Record) int { return cmp.Compare(b.ID, a.ID) })
	for _, r := range newest {
		if err := v.follow(r); err != nil {
			return err
		}
	}
	for _, r := range records {
		if r.Supersedes == "" || v.forgets[r.Supersedes] || slices.Contains(v.revived, r.Supersedes) {
			continue
		}
		if old, err := v.tx.Record(r.Supersedes); err == nil && old.SupersededBy == r.ID && old.ArchivedAt.IsZero() {
			v.replaced = append(v.replaced, old.ID)
		}
	}
	return nil
}

// follow does what forgetting r changes of others. If a record that stays has superseded r since,
// what r superseded stays so, and if r is erased the two are linked; see bridge.
func (v *revival) follow(r memory.Record) error {
	decided, err := decisionOf(v.tx, r.ID)
	if err != nil {
		return err
	}
	own := decided.of(r.ID)
	if by := r.SupersededBy; by != "" && by != own.After.SupersededBy && !v.forgets[by] {
		if v.erases {
			return v.bridge(r, decided)
		}
		return nil
	}
	for _, m := range decided {
		if m.ID != r.ID {
			if err := v.restore(m); err != nil {
				return err
			}
		}
	}
	if r.Supersedes == "" {
		return nil
	}
	// If the earlier version was saved after r and put itself before it in the chain, its own
	// save has the change.
	before, err := decisionOf(v.tx, r.Supersedes)
	if err != nil {
		return err
	}
	if late := before.of(r.Supersedes); late.After.SupersededBy == r.ID {
		return v.restore(late)
	}
	return nil
}

// restore gives a record its former place, unless it is forgotten too.
func (v *revival) restore(m moved) error {
	old, err := v.tx.Record(m.ID)
	if memory.CodeOf(err) == memory.CodeNotFound || v.forgets[m.ID] {
		return nil
	}
	if err != nil {
		return err
	}
	return v.move(old, m.restored(old))
}

func (v *revival) move(old, next memory.Record) error {
	if placeOf(old) == placeOf(next) {
		return nil
	}
	if next.Live() && !old.Live() {
		v.revived = append(v.revived, old.ID)
	}
	v.moved = append(v.moved, moved{old.ID, placeOf(old), placeOf(next)})
	if v.only {
		return nil
	}
	return v.tx.UpdateRecord(next)
}

// bridge links what an erased record superseded on its own with what has superseded the erased
// record since.
func (v *revival) bridge(r memory.Record, decided decisions) error {
	after, err := v.tx.Record(r.SupersededBy)
	if err != nil && memory.CodeOf(err) != memory.CodeNotFound {
		return err
	}
	for _, m := range decided {
		old, err := v.tx.Record(m.ID)
		if memory.CodeOf(err) == memory.CodeNotFound || m.ID == r.ID || v.forgets[m.ID] || old.SupersededBy != r.ID {
			continue
		}
		if err != nil {
			return err
		}
		next := old
		next.SupersededBy = after.ID
		if err := v.move(old, next); err != nil {
			return err
		}
		if after.Supersedes == r.ID {
			closer := after
			closer.Supersedes = old.ID
			if err := v.move(after, closer); err != nil {
				return err
			}
			after = closer
		}
	}
	return nil
}

// data returns what an undo of the forgetting needs besides the ids, nil for nothing.
func (v *revival) data() (json.RawMessage, error) {
	if len(v.moved) == 0 {
		return nil, nil
	}
	back := slices.Clone(v.moved) // the last change is taken back first
	slices.Reverse(back)
	data, err := json.Marshal(back)
	if err != nil {
		return nil, fmt.Errorf("keep what is live again: %w", err)
	}
	return data, nil
}

// decisions are the changes of places that one save has made on its own.
type decisions []moved

// of returns the change of one record's place, zero for none.
func (d decisions) of(id string) moved {
	for _, m := range d {
		if m.ID == id {
			return m
		}
	}
	return moved{}
}

// decisionOf returns what the save of a record superseded on its own; nothing if that was undone.
func decisionOf(tx memory.Tx, id string) (decisions, error) {
	u, err := tx.Undo(id)
	switch {
	case memory.CodeOf(err) == memory.CodeNotFound || err == nil && (part(u) != memory.ActionSupersede || !u.UndoneAt.IsZero()):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return readMoved(u)
}

func readMoved(u memory.Undo) (all decisions, err error) {
	if len(strings.TrimSpace(string(u.Data))) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(u.Data, &all); err != nil {
		return nil, fmt.Errorf("read undo %s: %w", u.ID, err)
	}
	return all, nil
}

// onItsOwn reports whether a record superseded its predecessor without anybody having said so:
// then that is a memory of its own, not an earlier version.
func onItsOwn(tx memory.Tx, r memory.Record) (bool, error) {
	decided, err := decisionOf(tx, r.ID)
	if err != nil {
		return false, err
	}
	if m := decided.of(r.Supersedes); m.After.SupersededBy == r.ID && m.Before.SupersededBy == "" {
		return true, nil
	}
	decided, err = decisionOf(tx, r.Supersedes)
	return decided.of(r.Supersedes).After.SupersededBy == r.ID, err
}
