package postgres

import (
	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// absent is what is known not to be in a bank, which the transaction has locked.
type absent struct {
	names    map[string]bool
	contents map[string]bool // by content key, neither in a record nor erased
}

// Expect implements [memory.Expecter].
func (t *tx) Expect(e memory.Expected) error {
	absent, slots := t.expectNames(e), t.expectSlots(rows.Signed(e.Slots))
	if err := t.settle(); err != nil {
		return err
	}
	t.absent, t.slots = absent, slots
	return nil
}

// expectNames asks which names and contents are there; the rest is absent when what waits is answered.
func (t *tx) expectNames(e memory.Expected) absent {
	if len(e.ExternalIDs)+len(e.Contents) == 0 {
		return absent{}
	}
	a := absent{names: make(map[string]bool, len(e.ExternalIDs)), contents: make(map[string]bool, len(e.Contents))}
	keys := make([][]byte, len(e.Contents))
	for i, c := range e.Contents {
		keys[i] = rows.ContentKey(c.Project, c.Kind, c.Content)
		a.contents[string(keys[i])] = true
	}
	names := make([]string, 0, len(e.ExternalIDs))
	for _, name := range e.ExternalIDs {
		if storable(name) == name { // else looking it up is an error
			names, a.names[name] = append(names, name), true
		}
	}
	t.ask(func(row rows.Row) error {
		var name *string
		var key []byte
		if err := row.Scan(&name, &key); err != nil {
			return err
		}
		if name != nil {
			delete(a.names, *name)
		}
		delete(a.contents, string(key))
		return nil
	}, `SELECT n.external_id, NULL::bytea FROM unnest(?2::text[]) j (name) JOIN record_names n ON n.agent = ?1 AND n.external_id = j.name
		UNION ALL SELECT NULL, d.content_key FROM unnest(?3::bytea[]) j (key) JOIN records d ON d.agent = ?1 AND d.content_key = j.key
		UNION ALL SELECT NULL, e.content_key FROM unnest(?3::bytea[]) j (key) JOIN erased e ON e.agent = ?1 AND e.content_key = j.key`,
		t.agent, names, keys)
	return a
}

// named and said note what is there from now on.
func (a absent) named(name string) { delete(a.names, name) }

func (a absent) said(key []byte) { delete(a.contents, string(key)) }
