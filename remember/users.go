package remember

import (
	"cmp"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// userNames returns by which names the user goes in a project, the newest first,
// and in it what was superseded: who had another name once is still called by it.
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

// nameMemo keeps by which names the user goes in the projects that a batch saves into.
// A nil one keeps nothing.
type nameMemo map[string][]string

// names is userNames, asked once.
func (m nameMemo) names(tx memory.Tx, project string) ([]string, error) {
	if names, known := m[project]; known {
		return names, nil
	}
	names, err := userNames(tx, project)
	if err == nil && m != nil {
		m[project] = names
	}
	return names, err
}

// saved forgets the names if a draft that became what action says may have brought another.
func (m nameMemo) saved(d draft, action Action) {
	if action == Revived || len(d.said) == 0 || slices.ContainsFunc(slots.Keys(d.said), func(k uint64) bool { return slices.Contains(slots.NameKeys(), k) }) {
		clear(m)
	}
}

// call reads what the draft says once more, where it calls the user by a name.
func (d *draft) call(names []string) {
	d.user = slots.Options{UserNames: names}
	if who := d.user.For(d.Content); len(who.UserNames) > 0 {
		d.said = slots.Read(d.Content, who)
	}
}

// name finds in a project under which names the draft's subjects are known, "Jana"
// and "my sister", and reads what it says with them.
func (d *draft) name(tx memory.Tx) error {
	for range 2 { // a role may have more names, and a name more roles
		keys := slots.LinkKeys(d.said)
		if len(keys) == 0 {
			return nil
		}
		found, err := tx.RecordsBySlot(d.Project, d.Kind, keys)
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

// read reads what a record says, with the names of the user and of others.
func (d draft) read(content string) []slots.Statement {
	return slots.Resolve(slots.Read(content, d.user.For(content)), d.links)
}
