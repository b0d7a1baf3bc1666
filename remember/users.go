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

// call reads what the draft says once more, where it calls the user by a name.
func (d *draft) call(names []string) {
	d.user = slots.Options{UserNames: names}
	if who := d.user.For(d.Content); len(who.UserNames) > 0 {
		d.said = slots.Read(d.Content, who)
	}
}

// read reads what a record says, with the names of the user.
func (d draft) read(content string) []slots.Statement {
	return slots.Read(content, d.user.For(content))
}
