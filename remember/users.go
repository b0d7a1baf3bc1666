package remember

import (
	"cmp"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// userNames returns the names of the user in a project, the newest first, as facts of the project
// and global ones tell them ("My name is Ada"). Facts count even if they were superseded: who had
// another name once is still called by it.
func userNames(tx memory.Tx, project string) ([]string, error) {
	found, err := tx.RecordsBySlot("", memory.KindFact, slots.NameKeys())
	if err != nil {
		return nil, err
	}
	if project != "" {
		own, err := tx.RecordsBySlot(project, memory.KindFact, slots.NameKeys())
		if err != nil {
			return nil, err
		}
		found = append(own, found...)
		slices.SortStableFunc(found, func(a, b memory.Record) int { return cmp.Compare(b.CreatedAt.UnixMicro(), a.CreatedAt.UnixMicro()) })
	}
	return slots.UserNames(found), nil
}

// batchMemo keeps what saving a batch need not look up again, as long as no other write comes
// between: the user's names in a project, and slots under which no record links a name to a role.
// A nil memo keeps nothing.
type batchMemo struct {
	names    map[string][]string
	unlinked map[filing]bool
}

// filing identifies a key of package slots among the records of a project and a kind.
type filing struct {
	project string
	kind    memory.Kind
	key     uint64
}

func newBatchMemo() *batchMemo {
	return &batchMemo{names: map[string][]string{}, unlinked: map[filing]bool{}}
}

// namesIn is userNames, asked once.
func (m *batchMemo) namesIn(tx memory.Tx, project string) ([]string, error) {
	if m == nil {
		return userNames(tx, project)
	}
	if names, known := m.names[project]; known {
		return names, nil
	}
	names, err := userNames(tx, project)
	if err == nil {
		m.names[project] = names
	}
	return names, err
}

// linked returns the records under the keys of links; where there are none it asks the database
// once.
func (m *batchMemo) linked(tx memory.Tx, project string, kind memory.Kind, keys []uint64) ([]memory.Record, error) {
	if m == nil {
		return tx.RecordsBySlot(project, kind, keys)
	}
	if !slices.ContainsFunc(keys, func(k uint64) bool { return !m.unlinked[filing{project, kind, k}] }) {
		return nil, nil
	}
	found, err := tx.RecordsBySlot(project, kind, keys)
	if err == nil && len(found) == 0 {
		for _, k := range keys {
			m.unlinked[filing{project, kind, k}] = true
		}
	}
	return found, err
}

// saved takes out of the memo what the save of a draft with the result action may have changed.
func (m *batchMemo) saved(d draft, action Action) {
	if action == Revived {
		*m = *newBatchMemo()
		return
	}
	for _, k := range slots.Keys(slots.Read(d.Content, slots.Options{})) { // as it is filed
		if slices.Contains(slots.NameKeys(), k) {
			clear(m.names)
		}
		delete(m.unlinked, filing{d.Project, d.Kind, k})
	}
}

// call notes the user's names and, if the draft calls the user by one, reads its statements again
// with them.
func (d *draft) call(names []string) {
	d.user = slots.Options{UserNames: names}
	if who := d.user.For(d.Content); len(who.UserNames) > 0 {
		d.said = slots.Read(d.Content, who)
	}
}

// name looks up the other names of the draft's subjects in its project, such as "Jana" for "my
// sister", and resolves what the draft says with them.
func (d *draft) name(tx memory.Tx) error {
	for range 2 { // a role may have more names, and a name more roles
		keys := slots.LinkKeys(d.said)
		if len(keys) == 0 {
			return nil
		}
		found, err := d.memo.linked(tx, d.Project, d.Kind, keys)
		if err != nil {
			return err
		}
		d.links = slots.Links(d.said, false)
		for _, r := range found {
			if r.ID != d.ID {
				d.links = append(d.links, slots.Links(slots.Read(r.Content, d.user.For(r.Content)), !r.Live())...)
			}
		}
		d.said = slots.Resolve(d.said, d.links)
	}
	return nil
}

// read returns the statements of a content, with the names of the user and of others resolved as
// in the draft.
func (d draft) read(content string) []slots.Statement {
	return slots.Resolve(slots.Read(content, d.user.For(content)), d.links)
}
