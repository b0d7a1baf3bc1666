package sqlite

import (
	"cmp"
	"database/sql"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

const (
	// perSlot and seenOfSlot bound what one slot costs: the newest records are
	// those that a new one may replace.
	perSlot    = 16
	seenOfSlot = 64
	// dueAtOnce is how many older records one transaction files.
	dueAtOnce = 200
)

// bySlot finds the newest records of a slot: the inner query goes through the
// index backwards, the outer one looks them up in that order.
const bySlot = `SELECT ` + recordColumns + ` FROM (SELECT seq FROM record_slots WHERE agent = ?1 AND slot = ?2 ORDER BY seq DESC LIMIT ?3) s
	CROSS JOIN records d ON d.seq = s.seq WHERE d.project = ?4 AND d.kind = ?5 AND d.archived_at IS NULL LIMIT ?6`

// RecordsBySlot implements [memory.Tx].
func (t *tx) RecordsBySlot(project string, kind memory.Kind, keys []uint64) ([]memory.Record, error) {
	if err := t.fileDue(); err != nil {
		return nil, err
	}
	var all []memory.Document
	for _, key := range keys {
		found, err := queryRecords(t.ctx, t.tx, bySlot, t.agent, int64(key), seenOfSlot, project, kind, perSlot)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortFunc(all, func(a, b memory.Document) int { return cmp.Compare(b.Seq, a.Seq) })
	all = slices.CompactFunc(all, func(a, b memory.Document) bool { return a.Seq == b.Seq })
	return recordsOf(all), nil
}

// file notes what a record is about.
func (t *tx) file(seq int64, content string) error {
	for _, key := range keysOf(content) {
		if err := t.exec(`INSERT OR IGNORE INTO record_slots (agent, slot, seq) VALUES (?, ?, ?)`, t.agent, int64(key), seq); err != nil {
			return err
		}
	}
	return nil
}

// unfile forgets it. Rows that a program with other tables has made stay: they
// lead to no record, and numbers are not given twice.
func (t *tx) unfile(seq int64, content string) error {
	for _, key := range keysOf(content) {
		if err := t.exec(`DELETE FROM record_slots WHERE agent = ? AND slot = ? AND seq = ?`, t.agent, int64(key), seq); err != nil {
			return err
		}
	}
	return nil
}

func keysOf(content string) []uint64 { return slots.Keys(slots.Read(content, slots.Options{})) }

// fileDue files some of the records that are older than the table.
func (t *tx) fileDue() error {
	due, err := queryOne(t.ctx, t.tx, scanInt64, `SELECT seq FROM slots_due WHERE agent = ?`, t.agent)
	if err != nil || due == nil {
		return err
	}
	type row struct {
		seq     int64
		content string
	}
	scan := func(rows *sql.Rows) (r row, err error) {
		err = rows.Scan(&r.seq, &r.content)
		return r, err
	}
	older, err := queryAll(t.ctx, t.tx, scan, `SELECT seq, content FROM records WHERE seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
		t.bank<<bankShift, *due, dueAtOnce)
	if err != nil {
		return err
	}
	for _, r := range older {
		if err := t.file(r.seq, r.content); err != nil {
			return err
		}
	}
	if len(older) < dueAtOnce {
		return t.exec(`DELETE FROM slots_due WHERE agent = ?`, t.agent)
	}
	return t.exec(`UPDATE slots_due SET seq = ? WHERE agent = ?`, older[len(older)-1].seq, t.agent)
}
