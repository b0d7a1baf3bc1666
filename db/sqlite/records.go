package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"reflect"
	"strings"
	"time"

	"mcp-memory/memory"
)

// recordColumns are what scanRecord reads, of alias d.
const recordColumns = `d.seq, d.agent, d.id, d.project, d.kind, d.category, d.category_guessed, d.content, d.importance,
	d.pinned, d.tags, d.source, d.external_id, d.metadata, d.provenance, d.created_at, d.occurred_at, d.valid_from,
	d.valid_until, d.supersedes, d.superseded_by, d.superseded_at, d.archived_at, d.archive_why, d.confirmations,
	d.access_count, d.last_accessed_at, d.checksum`

// contentKey is equal for records that are duplicates of each other.
func contentKey(project string, kind memory.Kind, content string) []byte {
	sum := sha256.Sum256([]byte(strings.Join([]string{project, string(kind), memory.SameContent(content)}, "\x00")))
	return sum[:16]
}

// keyed is the content that a transaction looked for last: a save asks for the same
// one as a live record, as a forgotten one and as an erased one, and then keeps it.
type keyed struct {
	project, content string
	kind             memory.Kind
	key              []byte
	absent           bool // no record has it, live or not; until the next statement that writes
}

// contentKey is the function of that name, for the content that was asked for last.
func (t *tx) contentKey(project string, kind memory.Kind, content string) []byte {
	k := &t.keyed
	if k.key == nil || k.content != content || k.project != project || k.kind != kind {
		*k = keyed{project: project, kind: kind, content: content, key: contentKey(project, kind, content)}
	}
	return k.key
}

const anyByContent = `SELECT d.seq FROM records d WHERE d.agent = ? AND d.content_key = ? LIMIT 1`

// absent reports whether no record has a content, which is the case for most.
func (t *tx) absent(project string, kind memory.Kind, content string) (bool, error) {
	key := t.contentKey(project, kind, content)
	if t.keyed.absent {
		return true, nil
	}
	found, err := queryOne(t.ctx, t.tx, scanInt64, anyByContent, t.agent, key)
	t.keyed.absent = err == nil && found == nil
	return t.keyed.absent, err
}

// scanRecord reads a record without its details, see queryRecords.
func scanRecord(rows *sql.Rows) (memory.Document, error) {
	d := memory.Document{Corpus: memory.Memories}
	var sum sql.NullInt64
	err := rows.Scan(&d.Seq, &d.Agent, &d.ID, &d.Project, &d.Kind, &d.Category, &d.CategoryGuessed, &d.Content, &d.Importance,
		&d.Pinned, fromJSON(&d.Tags), &d.Source, &d.ExternalID, fromText(&d.Metadata), fromText(&d.Provenance),
		fromMicros(&d.CreatedAt), fromMicros(&d.OccurredAt), fromMicros(&d.ValidFrom), fromMicros(&d.ValidUntil),
		fromText(&d.Supersedes), fromText(&d.SupersededBy), fromMicros(&d.SupersededAt), fromMicros(&d.ArchivedAt), &d.ArchiveWhy,
		&d.Confirmations, &d.AccessCount, fromMicros(&d.LastAccessedAt), &sum)
	d.Damaged = differs(sum, recordSum(&d.Record))
	return d, ofRow(err, "record", d.ID)
}

// oneRecord returns the bank's record that a condition names, or nil.
func (t *tx) oneRecord(condition string, args ...any) (*memory.Document, error) {
	all, err := queryRecords(t.ctx, t.tx, `SELECT `+recordColumns+` FROM records d WHERE d.agent = ? AND `+condition,
		append([]any{t.agent}, args...)...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

func (t *tx) document(id string) (*memory.Document, error) {
	d, err := t.oneRecord(`d.id = ?`, id)
	if err == nil && d == nil {
		err = memory.Errorf(memory.CodeNotFound, "there is no record %q", id).WithHint("memory_recall and memory_search return ids")
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
	return t.recordBy(`SELECT id FROM record_names WHERE agent = ? AND external_id = ?`, t.agent, externalID)
}

// recordBy returns the record whose id a query finds, or nil.
func (t *tx) recordBy(query string, args ...any) (*memory.Record, error) {
	id, err := queryOne(t.ctx, t.tx, scanText, query, args...)
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
	if absent, err := t.absent(project, kind, content); err != nil || absent {
		return nil, err
	}
	return t.recordBy(idByContent, t.agent, t.contentKey(project, kind, content))
}

// InsertRecord implements [memory.Tx].
func (t *tx) InsertRecord(r memory.Record, vector []float32) error {
	if err := t.checkAgent("record", r.Agent); err != nil {
		return err
	}
	seq := t.nextSeq()
	err := t.exec(insertRecord, append([]any{
		seq, r.Agent, r.ID, r.Kind, r.Content, micros(r.CreatedAt), storedSum(recordSum(&r), r.Damaged),
	}, t.mutable(r)...)...)
	if err != nil {
		return err
	}
	if err := t.insertDetails(r); err != nil {
		return err
	}
	if r.ExternalID != "" {
		if err := t.name(r.ExternalID, r.ID); err != nil {
			return err
		}
	}
	if r.Kind == memory.KindFact {
		if err := t.file(seq, r.Content); err != nil {
			return err
		}
	}
	return t.index(memory.Memories, seq, r.Content, vector)
}

// UpdateRecord implements [memory.Tx].
func (t *tx) UpdateRecord(r memory.Record) error {
	old, err := t.document(r.ID)
	if err != nil {
		return err
	}
	r.Kind, r.Content, r.CreatedAt = old.Kind, old.Content, old.CreatedAt
	// Indexes know a document's category and time from when they read it.
	t.erased = t.erased || r.Category != old.Category || !sameMicro(r.OccurredAt, old.OccurredAt) || !sameMicro(r.EventTime(), old.EventTime())
	if !reflect.DeepEqual(r.KindDetails, old.KindDetails) {
		if err := t.replaceDetails(r); err != nil {
			return err
		}
	}
	if onlyPlace(r, old.Record) {
		return t.exec(updatePlace, append(place(r), t.agent, r.ID)...)
	}
	return t.exec(updateRecord, append(t.mutable(r), t.agent, r.ID)...)
}

// onlyPlace reports whether two states of a record differ in nothing but its
// place and its details.
func onlyPlace(a, b memory.Record) bool {
	if !sameMicro(a.EventTime(), b.EventTime()) {
		return false
	}
	for _, r := range []*memory.Record{&a, &b} {
		r.ValidFrom, r.ValidUntil, r.Supersedes, r.SupersededBy, r.SupersededAt, r.KindDetails = time.Time{}, time.Time{}, "", "", time.Time{}, memory.KindDetails{}
	}
	return reflect.DeepEqual(a, b)
}

// sameMicro compares times as they are stored.
func sameMicro(a, b time.Time) bool { return a.UnixMicro() == b.UnixMicro() }

// Columns that never change, and those that mutable gives the values of.
const (
	fixedColumns   = `seq, agent, id, kind, content, created_at, checksum`
	mutableColumns = `project, content_key, source, category, category_guessed, importance, pinned, tags, external_id, metadata, provenance, occurred_at, event_at,
		archived_at, archive_why, confirmations, access_count, last_accessed_at, ` + placeColumns
	// placeColumns are a record's place among its versions: what changes most, and
	// what hardly an index has, so that an update which names no other is quick.
	placeColumns = `valid_from, valid_until, supersedes, superseded_by, superseded_at`
)

var (
	insertRecord = `INSERT INTO records (` + fixedColumns + `, ` + mutableColumns + `) VALUES (` + placeholders(7+23) + `)`
	updatePlace  = `UPDATE records SET (` + placeColumns + `) = (` + placeholders(5) + `) WHERE agent = ? AND id = ?`
	updateRecord = `UPDATE records SET (` + mutableColumns + `) = (` + placeholders(23) + `) WHERE agent = ? AND id = ?`
)

// placeholders returns n of them, for a list of values.
func placeholders(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

func (t *tx) mutable(r memory.Record) []any {
	return append([]any{
		r.Project, t.contentKey(r.Project, r.Kind, r.Content), r.Source, r.Category, r.CategoryGuessed, r.Importance, r.Pinned, jsonList(r.Tags), r.ExternalID,
		text(r.Metadata), text(r.Provenance), micros(r.OccurredAt), micros(r.EventTime()),
		micros(r.ArchivedAt), r.ArchiveWhy, r.Confirmations, r.AccessCount, micros(r.LastAccessedAt),
	}, place(r)...)
}

// place gives the values of placeColumns.
func place(r memory.Record) []any {
	return []any{micros(r.ValidFrom), micros(r.ValidUntil), text(r.Supersedes), text(r.SupersededBy), micros(r.SupersededAt)}
}

// NameRecord implements [memory.Tx].
func (t *tx) NameRecord(externalID, id string) error {
	if _, err := t.document(id); err != nil {
		return err
	}
	return t.name(externalID, id)
}

func (t *tx) name(externalID, id string) error {
	return t.exec(`INSERT INTO record_names (agent, external_id, id) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET id = excluded.id`, t.agent, externalID, id)
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
	if table := detailTables[d.Kind]; table != nil {
		if err := table.remove(t, id); err != nil {
			return err
		}
	}
	return t.deleteRows(id, "procedure_runs", "accesses", "record_names", "record_origins", "records")
}

// deleteRows deletes what tables have of one record.
func (t *tx) deleteRows(id string, tables ...string) error {
	for _, table := range tables {
		if err := t.exec(`DELETE FROM `+table+` WHERE agent = ? AND id = ?`, t.agent, id); err != nil {
			return err
		}
	}
	return nil
}

// Records implements [memory.Reader].
func (s *Store) Records(ctx context.Context, agent string, ids []string) ([]memory.Record, error) {
	found, err := queryRecords(ctx, s.read, `SELECT `+recordColumns+` FROM json_each(?2) j
		CROSS JOIN records d ON d.agent = ?1 AND d.id = j.value ORDER BY j.key`,
		agent, jsonList(ids))
	return recordsOf(found), explain(err)
}

// Said implements [memory.Reader]. The contents are looked up one by one: there
// are many keys of each, and a driver has no good way to be given lists of blobs.
func (s *Store) Said(ctx context.Context, agent string, projects []string, kinds []memory.Kind, contents []string) ([]bool, error) {
	said := make([]bool, len(contents))
	var keys []any
	for i, content := range contents {
		keys = append(keys[:0], agent)
		for _, project := range projects {
			for _, kind := range kinds {
				keys = append(keys, contentKey(project, kind, content))
			}
		}
		if len(keys) == 1 {
			continue
		}
		err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM records WHERE agent = ? AND content_key IN (?`+strings.Repeat(", ?", len(keys)-2)+`)
			AND archived_at IS NULL AND superseded_by IS NULL)`, keys...).Scan(&said[i])
		if err != nil {
			return nil, explain(err)
		}
	}
	return said, nil
}

func recordsOf(docs []memory.Document) []memory.Record {
	records := make([]memory.Record, len(docs))
	for i, d := range docs {
		records[i] = d.Record
	}
	return records
}
