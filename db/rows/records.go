package rows

import (
	"database/sql"
	"encoding/json"
	"reflect"
	"time"

	"mcp-memory/memory"
)

// RecordColumns are what ScanRecord reads, of alias d.
const RecordColumns = `d.seq, d.agent, d.id, d.project, d.kind, d.category, d.category_guessed, d.content, d.importance,
	d.pinned, d.tags, d.source, d.external_id, d.metadata, d.provenance, d.created_at, d.occurred_at, d.valid_from,
	d.valid_until, d.supersedes, d.superseded_by, d.superseded_at, d.archived_at, d.archive_why, d.confirmations,
	d.access_count, d.last_accessed_at, d.mentions, d.checksum`

// ScanRecord reads a record without its details.
func ScanRecord(row Row) (memory.Document, error) {
	d := memory.Document{Corpus: memory.Memories}
	var sum sql.NullInt64
	err := row.Scan(&d.Seq, &d.Agent, &d.ID, &d.Project, &d.Kind, &d.Category, &d.CategoryGuessed, &d.Content, &d.Importance,
		&d.Pinned, FromList(&d.Tags), &d.Source, &d.ExternalID, FromText(&d.Metadata), FromText(&d.Provenance),
		FromMicros(&d.CreatedAt), FromMicros(&d.OccurredAt), FromMicros(&d.ValidFrom), FromMicros(&d.ValidUntil),
		FromText(&d.Supersedes), FromText(&d.SupersededBy), FromMicros(&d.SupersededAt), FromMicros(&d.ArchivedAt), &d.ArchiveWhy,
		&d.Confirmations, &d.AccessCount, FromMicros(&d.LastAccessedAt), fromMentions(&d.Mentions), &sum)
	d.Damaged = Differs(sum, RecordSum(&d.Record))
	return d, of(err, "record", d.ID)
}

// Columns that never change, and those that may.
const (
	fixedColumns   = `seq, agent, id, kind, content, created_at, checksum`
	mutableColumns = `project, content_key, source, category, category_guessed, importance, pinned, tags, external_id, metadata, provenance, occurred_at, event_at,
		archived_at, archive_why, confirmations, access_count, last_accessed_at, mentions, ` + placeColumns
	// placeColumns are a record's place among its versions. They change most often and are in
	// hardly any index, so that an update of these columns alone is fast.
	placeColumns = `valid_from, valid_until, supersedes, superseded_by, superseded_at`
)

// How many columns the constants above have.
const (
	fixed   = 7
	mutable = 24
	place   = 5
)

// fixedValues gives the values of fixedColumns.
func fixedValues(seq int64, r memory.Record) []any {
	return []any{seq, r.Agent, r.ID, string(r.Kind), r.Content, Micros(r.CreatedAt), StoredSum(RecordSum(&r), r.Damaged)}
}

// mutableValues gives the values of mutableColumns; key is the record's [ContentKey].
func mutableValues(r memory.Record, key []byte) []any {
	return append([]any{
		r.Project, key, string(r.Source), r.Category, r.CategoryGuessed, r.Importance, r.Pinned, List(r.Tags), r.ExternalID,
		Text(r.Metadata), Text(r.Provenance), Micros(r.OccurredAt), Micros(r.EventTime()),
		Micros(r.ArchivedAt), r.ArchiveWhy, r.Confirmations, r.AccessCount, Micros(r.LastAccessedAt), storedMentions(r.Mentions),
	}, placeValues(r)...)
}

// placeValues gives the values of placeColumns.
func placeValues(r memory.Record) []any {
	return []any{Micros(r.ValidFrom), Micros(r.ValidUntil), Text(r.Supersedes), Text(r.SupersededBy), Micros(r.SupersededAt)}
}

// onlyPlace reports whether two states of a record differ at most in placeColumns and details.
func onlyPlace(a, b memory.Record) bool {
	if !sameMicro(a.EventTime(), b.EventTime()) {
		return false
	}
	for _, r := range []*memory.Record{&a, &b} {
		r.ValidFrom, r.ValidUntil, r.Supersedes, r.SupersededBy, r.SupersededAt,
			r.KindDetails = time.Time{}, time.Time{}, "", "", time.Time{}, memory.KindDetails{}
	}
	return reflect.DeepEqual(a, b)
}

// sameMicro compares times as they are stored.
func sameMicro(a, b time.Time) bool { return a.UnixMicro() == b.UnixMicro() }

// ComparedColumns are the columns that a save compares. A record has more than twice as many, and
// reading all of them would be most of what the comparison costs.
const ComparedColumns = `d.id, d.content, d.pinned, d.source, d.created_at, d.occurred_at, d.valid_from, d.valid_until,
	d.supersedes, d.superseded_by`

// ScanCompared reads ComparedColumns into r, in which the caller has set other fields, and returns
// it.
func ScanCompared(row Row, r memory.Record) (memory.Record, error) {
	err := row.Scan(&r.ID, &r.Content, &r.Pinned, &r.Source, FromMicros(&r.CreatedAt), FromMicros(&r.OccurredAt),
		FromMicros(&r.ValidFrom), FromMicros(&r.ValidUntil), FromText(&r.Supersedes), FromText(&r.SupersededBy))
	return r, of(err, "record", r.ID)
}

// MirroredRecordColumns are what an index in memory needs of a record, of alias d. Reading
// whole ones takes twice as long.
const MirroredRecordColumns = `d.seq, d.content, d.created_at, d.occurred_at, d.valid_from, d.category, d.mentions`

// ScanMirroredRecord reads them.
func ScanMirroredRecord(row Row) (memory.Document, error) {
	d := memory.Document{Corpus: memory.Memories}
	err := row.Scan(&d.Seq, &d.Content, FromMicros(&d.CreatedAt), FromMicros(&d.OccurredAt), FromMicros(&d.ValidFrom), &d.Category,
		fromMentions(&d.Mentions))
	return d, err
}

// storedMentions are the times that a record speaks of, as JSON; NULL for none.
func storedMentions(list []memory.Mention) any {
	if len(list) == 0 {
		return nil
	}
	b, err := json.Marshal(list)
	if err != nil {
		return nil // a year that JSON cannot express: the times are read from the content again when needed
	}
	return string(b)
}

// fromMentions scans what storedMentions gave. JSON that cannot be read counts as none.
func fromMentions(list *[]memory.Mention) ScanFunc {
	return func(column any) error {
		stored, err := StoredText(column)
		if *list = nil; err != nil || stored == "" {
			return err
		}
		if json.Unmarshal([]byte(stored), list) != nil {
			*list = nil
		}
		return nil
	}
}

// Records takes the records out of documents.
func Records(docs []memory.Document) []memory.Record {
	records := make([]memory.Record, len(docs))
	for i, d := range docs {
		records[i] = d.Record
	}
	return records
}
