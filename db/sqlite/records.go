package sqlite

import (
	"context"
	"encoding/hex"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// oneRecord returns the first record of the bank to which a condition applies, or nil.
func (t *tx) oneRecord(condition string, args ...any) (*memory.Document, error) {
	all, err := queryRecords(t.ctx, t.tx, `SELECT `+rows.RecordColumns+` FROM records d WHERE d.agent = ? AND `+condition,
		append([]any{t.agent}, args...)...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

func (t *tx) document(id string) (*memory.Document, error) {
	d, err := t.oneRecord(`d.id = ?`, id)
	if err == nil && d == nil {
		err = rows.NoRecord(id)
	}
	return d, err
}

// Record implements [memory.Tx].
func (t *tx) Record(id string) (memory.Record, error) {
	d, err := t.document(id)
	if err != nil {
		return memory.Record{}, err
	}
	return d.Record, nil
}

// RecordByExternalID implements [memory.Tx].
func (t *tx) RecordByExternalID(externalID string) (*memory.Record, error) {
	if t.foreseen.NoName(externalID) {
		return nil, nil
	}
	return t.recordBy(`SELECT id FROM record_names WHERE agent = ? AND external_id = ?`, t.agent, externalID)
}

// recordBy returns the record whose id a query finds, or nil.
func (t *tx) recordBy(query string, args ...any) (*memory.Record, error) {
	id, err := queryOne(t.ctx, t.tx, rows.ScanText, query, args...)
	if err != nil || id == nil {
		return nil, err
	}
	r, err := t.Record(*id)
	return &r, err
}

const idByContent = `SELECT d.id FROM records d WHERE d.agent = ? AND d.content_key = ? AND d.archived_at IS NULL
	AND d.superseded_by IS NULL ORDER BY d.seq LIMIT 1`

// RecordByContent implements [memory.Tx].
func (t *tx) RecordByContent(project string, kind memory.Kind, content string) (*memory.Record, error) {
	key := t.keys.Of(project, kind, content)
	if t.foreseen.NoContent(key) {
		return nil, nil
	}
	return t.recordBy(idByContent, t.agent, key)
}

// InsertRecord implements [memory.Tx].
func (t *tx) InsertRecord(r memory.Record, vector []float32) error {
	if err := t.CheckAgent("record", r.Agent); err != nil {
		return err
	}
	seq := t.nextSeq()
	if err := t.AddRecord(seq, r, t.said(r)); err != nil {
		return err
	}
	t.foreseen.Named(r.ExternalID)
	t.groups.Add(rows.GroupOf(r), 1)
	if r.Kind == memory.KindFact {
		keys := rows.SlotsOf(r.Content)
		if err := t.file(seq, keys); err != nil {
			return err
		}
		t.foreseen.Add(seq, keys, r)
	}
	return t.index(memory.Memories, seq, r.Content, vector)
}

// said returns the [rows.ContentKey] of a record that is about to be stored, and notes in t.foreseen
// that it exists.
func (t *tx) said(r memory.Record) []byte {
	key := t.keys.Of(r.Project, r.Kind, r.Content)
	t.foreseen.Said(key)
	return key
}

// NameRecord implements [memory.Tx].
func (t *tx) NameRecord(externalID, id string) error {
	t.foreseen.Named(externalID)
	return t.PortableTx.NameRecord(externalID, id)
}

// UpdateRecord implements [memory.Tx].
func (t *tx) UpdateRecord(r memory.Record) error {
	old, err := t.document(r.ID)
	if err != nil {
		return err
	}
	r.Kind, r.Content, r.CreatedAt = old.Kind, old.Content, old.CreatedAt
	t.erased = t.erased || rows.IndexedOtherwise(old.Record, r)
	t.groups.Move(rows.GroupOf(old.Record), rows.GroupOf(r))
	t.foreseen.Changed(old.Seq, r)
	return t.ReplaceRecord(old.Record, r, func() []byte { return t.said(r) })
}

// EraseRecord implements [memory.Tx].
func (t *tx) EraseRecord(id string) error {
	d, err := t.document(id)
	if err == nil {
		err = t.tx.wipe(t.ctx)
	}
	if err != nil {
		return err
	}
	if err := t.unindex(memory.Memories, d.Seq, d.Content); err != nil {
		return err
	}
	if err := t.unfile(d.Seq, d.Content); err != nil {
		return err
	}
	t.foreseen.ForgetSlots()
	t.groups.Add(rows.GroupOf(d.Record), -1)
	if err := t.RemoveDetails(d.Kind, id); err != nil {
		return err
	}
	return t.DeleteRows(id, "procedure_runs", "accesses", "record_names", "record_origins", "records")
}

// Records implements [memory.Reader].
func (s *Store) Records(ctx context.Context, agent string, ids []string) ([]memory.Record, error) {
	found, err := queryRecords(ctx, s.read, `SELECT `+rows.RecordColumns+` FROM json_each(?2) j
		CROSS JOIN records d ON d.agent = ?1 AND d.id = j.value ORDER BY j.key`,
		agent, rows.List(ids))
	return rows.Records(found), explain(err)
}

// Said implements [memory.Reader].
func (s *Store) Said(ctx context.Context, agent string, projects []string, kinds []memory.Kind, contents []string) ([]bool, error) {
	said := make([]bool, len(contents))
	keys, of := rows.ContentKeys(projects, kinds, contents)
	if len(keys) == 0 {
		return said, nil
	}
	list := make([]string, len(keys)) // in hexadecimal, as a list is passed in JSON, which has no blobs
	for i, key := range keys {
		list[i] = hex.EncodeToString(key)
	}
	err := queryEach(ctx, s.read, func(row rows.Row) error {
		var place int
		err := row.Scan(&place)
		if err == nil {
			said[of[place]] = true
		}
		return err
	}, `SELECT j.key FROM json_each(?2) j CROSS JOIN records d ON d.agent = ?1 AND d.content_key = unhex(j.value)
		AND d.archived_at IS NULL AND d.superseded_by IS NULL`, agent, rows.List(list))
	return said, explain(err)
}
