package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// dueAtOnce is how many of the records that are not filed under their slots yet one transaction
// files.
const dueAtOnce = 200

// bySlot is the query for the newest records of some slots, each once, of one project and kind.
const bySlot = `SELECT ` + rows.ComparedColumns + ofSlots +
	`d.project = ?5 AND d.kind = ?6 AND d.archived_at IS NULL ORDER BY d.seq DESC LIMIT ?4`

// factsBySlot is the same query for facts of several projects, with whole records.
const factsBySlot = `SELECT ` + rows.RecordColumns + ofSlots +
	`(?5 IS NULL OR d.project IN (SELECT value FROM json_each(?5))) AND d.kind = 'fact' AND d.archived_at IS NULL ORDER BY d.seq DESC LIMIT ?4`

// ofSlots is the part that both have in common. Its innermost query finds how far back to look in
// each slot: the number of its (?3 + 1)th newest record.
const ofSlots = ` FROM records d WHERE d.seq IN (SELECT s.seq FROM json_each(?2) j
		CROSS JOIN record_slots s ON s.agent = ?1 AND s.slot = j.value AND s.seq >= coalesce((SELECT x.seq FROM record_slots x
			WHERE x.agent = ?1 AND x.slot = j.value ORDER BY x.seq DESC LIMIT 1 OFFSET ?3), 0))
	AND `

// RecordsBySlot implements [memory.Tx].
func (t *tx) RecordsBySlot(project string, kind memory.Kind, keys []uint64) ([]memory.Record, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	if found, known := t.foreseen.BySlot(project, kind, rows.Signed(keys)); known {
		return found, nil
	}
	if err := t.fileDue(); err != nil {
		return nil, err
	}
	scan := func(row rows.Row) (memory.Record, error) {
		return rows.ScanCompared(row, memory.Record{Agent: t.agent, Project: project, Kind: kind})
	}
	return queryAll(t.ctx, t.tx, scan, bySlot, t.agent, rows.List(rows.Signed(keys)), rows.PerSlot-1, rows.PerSearch, project, kind)
}

// FactsBySlot implements [memory.Reader].
func (s *Store) FactsBySlot(ctx context.Context, agent string, projects []string, keys []uint64) ([]memory.Document, error) {
	var among any
	if projects != nil {
		among = rows.List(projects)
	}
	found, err := queryRecords(ctx, s.read, factsBySlot, agent, rows.List(rows.Signed(keys)), rows.PerSlot-1, rows.PerSearch, among)
	return found, explain(err)
}

// apart is the query for the pairs of [memory.Apart]: an undone ActionSupersede has the id of the
// record that was saved and the ids of those that it had superseded. CROSS JOIN keeps SQLite from
// reading every undo of the bank.
const apart = `SELECT u.id, r.value FROM json_each(?3) j CROSS JOIN undos u ON u.agent = ?1 AND u.id = j.value CROSS JOIN json_each(u.records) r
	WHERE u.action IN (?2, ?4) AND u.undone_at IS NOT NULL AND r.value <> u.id`

// Apart implements [memory.Reader].
func (s *Store) Apart(ctx context.Context, agent string, ids []string) (memory.Apart, error) {
	pairs, err := queryAll(ctx, s.read, func(row rows.Row) (pair [2]string, err error) {
		err = row.Scan(&pair[0], &pair[1])
		return pair, err
	}, apart, agent, memory.ActionSupersede, rows.List(ids), memory.PartOfImport+memory.ActionSupersede)
	if err != nil || len(pairs) == 0 {
		return nil, explain(err)
	}
	known := memory.Apart{}
	for _, p := range pairs {
		known.Add(p[0], p[1])
	}
	return known, nil
}

// file stores under which slots a fact is found. Records of other kinds are not compared by slots.
func (t *tx) file(seq int64, keys []int64) error {
	if len(keys) == 0 {
		return nil
	}
	return t.Exec(`INSERT OR IGNORE INTO record_slots (agent, slot, seq) SELECT ?, value, ? FROM json_each(?)`, t.agent, seq,
		rows.List(keys))
}

// unfile removes a record from its slots. Rows under slots that another version of the program has
// computed for it stay: they lead to no record, and numbers are not used twice.
func (t *tx) unfile(seq int64, content string) error {
	return t.Exec(`DELETE FROM record_slots WHERE agent = ? AND slot IN (SELECT value FROM json_each(?)) AND seq = ?`,
		t.agent, rows.List(rows.SlotsOf(content)), seq)
}

// fileDue files some of the bank's records that are not filed under their slots yet, once in a
// transaction. Table slots_due has the number below which records may not be filed.
func (t *tx) fileDue() error {
	if t.filed {
		return nil
	}
	t.filed = true
	due, err := queryOne(t.ctx, t.tx, rows.ScanInt64, `SELECT seq FROM slots_due WHERE agent = ?`, t.agent)
	if err != nil || due == nil {
		return err
	}
	type row struct {
		seq     int64
		content string
	}
	scan := func(row rows.Row) (r row, err error) {
		err = row.Scan(&r.seq, &r.content)
		return r, err
	}
	older, err := queryAll(t.ctx, t.tx, scan, `SELECT seq, content FROM records WHERE seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
		t.bank<<rows.BankShift, *due, dueAtOnce)
	if err != nil {
		return err
	}
	for _, r := range older {
		if err := t.file(r.seq, rows.SlotsOf(r.content)); err != nil {
			return err
		}
	}
	if len(older) < dueAtOnce {
		return t.Exec(`DELETE FROM slots_due WHERE agent = ?`, t.agent)
	}
	return t.Exec(`UPDATE slots_due SET seq = ? WHERE agent = ?`, older[len(older)-1].seq, t.agent)
}
