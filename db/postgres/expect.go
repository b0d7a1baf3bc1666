package postgres

import (
	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Expect implements [memory.Expecter].
func (t *tx) Expect(e memory.Expected) error {
	foreseen, names, keys, slots := rows.Foresee(e, func(name string) bool { return storable(name) == name })
	if len(names)+len(keys) > 0 {
		t.ask(foreseen.Present,
			`SELECT n.external_id, NULL::bytea FROM unnest(?2::text[]) j (name) JOIN record_names n ON n.agent = ?1 AND n.external_id = j.name
			UNION ALL SELECT NULL, d.content_key FROM unnest(?3::bytea[]) j (key) JOIN records d ON d.agent = ?1 AND d.content_key = j.key
			UNION ALL SELECT NULL, e.content_key FROM unnest(?3::bytea[]) j (key) JOIN erased e ON e.agent = ?1 AND e.content_key = j.key`,
			t.agent, names, keys)
	}
	if len(slots) > 0 {
		t.ask(func(row rows.Row) error { return foreseen.Filed(t.agent, row) }, `SELECT `+rows.FiledColumns+`
			FROM unnest(?2::bigint[]) j (slot) CROSS JOIN LATERAL (
				SELECT x.slot, x.seq FROM record_slots x WHERE x.agent = ?1 AND x.slot = j.slot ORDER BY x.seq DESC LIMIT ?3) s
			CROSS JOIN LATERAL (SELECT * FROM records r WHERE r.agent = ?1 AND r.seq = s.seq OFFSET 0) d`, t.agent, slots, rows.PerSlot)
	}
	if err := t.settle(); err != nil {
		return err
	}
	t.foreseen = foreseen
	return nil
}
