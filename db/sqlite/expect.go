package sqlite

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// announced is the query for those external ids (?2) and content keys (?3, in hexadecimal) of two
// JSON arrays that exist.
const announced = `SELECT n.external_id, NULL FROM json_each(?2) j CROSS JOIN record_names n ON n.agent = ?1 AND n.external_id = j.value
	UNION ALL SELECT NULL, d.content_key FROM json_each(?3) j CROSS JOIN records d ON d.agent = ?1 AND d.content_key = unhex(j.value)
	UNION ALL SELECT NULL, e.content_key FROM json_each(?3) j CROSS JOIN erased e ON e.agent = ?1 AND e.content_key = unhex(j.value)`

// filedIn is the query for the ?3 + 1 newest records of each slot in the JSON array ?2.
const filedIn = `SELECT ` + rows.FiledColumns + ` FROM json_each(?2) j
	CROSS JOIN record_slots s ON s.agent = ?1 AND s.slot = j.value AND s.seq >= coalesce((SELECT x.seq FROM record_slots x
		WHERE x.agent = ?1 AND x.slot = j.value ORDER BY x.seq DESC LIMIT 1 OFFSET ?3), 0)
	CROSS JOIN records d ON d.seq = s.seq`

// Expect implements [memory.Expecter].
func (t *tx) Expect(e memory.Expected) error {
	foreseen, names, keys, slots := rows.Foresee(e,
		func(name string) bool { return utf8.ValidString(name) && !strings.Contains(name, "\x00") })
	if len(names)+len(keys) > 0 {
		list := make([]string, len(keys)) // in hexadecimal, as a list is passed in JSON, which has no blobs
		for i, key := range keys {
			list[i] = hex.EncodeToString(key)
		}
		if err := queryEach(t.ctx, t.tx, foreseen.Present, announced, t.agent, rows.List(names), rows.List(list)); err != nil {
			return err
		}
	}
	if len(slots) > 0 {
		if err := t.fileDue(); err != nil {
			return err
		}
		read := func(row rows.Row) error { return foreseen.Filed(t.agent, row) }
		if err := queryEach(t.ctx, t.tx, read, filedIn, t.agent, rows.List(slots), rows.PerSlot-1); err != nil {
			return err
		}
	}
	t.foreseen = foreseen
	return nil
}
