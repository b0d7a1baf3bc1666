package postgres

import (
	"context"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// oneRecord returns the first record of the bank (alias d) that meets an SQL condition, or nil.
func (t *tx) oneRecord(condition string, args ...any) (*memory.Document, error) {
	found, err := records(t, t.agent, `SELECT `+rows.RecordColumns+` FROM records d WHERE d.agent = ? AND `+condition,
		append([]any{t.agent}, args...)...)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
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

// recordBy is oneRecord without what only a [memory.Document] has.
func (t *tx) recordBy(condition string, args ...any) (*memory.Record, error) {
	d, err := t.oneRecord(condition, args...)
	if err != nil || d == nil {
		return nil, err
	}
	return &d.Record, nil
}

// RecordByExternalID implements [memory.Tx].
func (t *tx) RecordByExternalID(externalID string) (*memory.Record, error) {
	if t.foreseen.NoName(externalID) {
		return nil, nil
	}
	return t.recordBy(`d.id = (SELECT id FROM record_names WHERE agent = ? AND external_id = ?)`, t.agent, externalID)
}

// RecordByContent implements [memory.Tx].
func (t *tx) RecordByContent(project string, kind memory.Kind, content string) (*memory.Record, error) {
	return t.recordByKey(rows.ContentKey(project, kind, content),
		`d.archived_at IS NULL AND d.superseded_by IS NULL ORDER BY d.seq LIMIT 1`)
}

// ArchivedByContent implements [memory.Tx].
func (t *tx) ArchivedByContent(project string, kind memory.Kind, content string) (*memory.Record, error) {
	return t.recordByKey(rows.ContentKey(project, kind, content),
		`d.archived_at IS NOT NULL ORDER BY d.archived_at DESC, d.seq DESC LIMIT 1`)
}

// recordByKey returns the first record with a content key that meets an SQL condition, or nil.
func (t *tx) recordByKey(key []byte, condition string) (*memory.Record, error) {
	if t.foreseen.NoContent(key) {
		return nil, nil
	}
	return t.recordBy(`d.content_key = ? AND `+condition, key)
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

// said returns the content key of a record, and notes that from now on it is in the bank.
func (t *tx) said(r memory.Record) []byte {
	key := rows.ContentKey(r.Project, r.Kind, r.Content)
	t.foreseen.Said(key)
	return key
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

// NameRecord implements [memory.Tx].
func (t *tx) NameRecord(externalID, id string) error {
	t.foreseen.Named(externalID)
	return t.PortableTx.NameRecord(externalID, id)
}

// EraseRecord implements [memory.Tx].
func (t *tx) EraseRecord(id string) error {
	d, err := t.document(id)
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

// NoteErased implements [memory.Tx].
func (t *tx) NoteErased(r memory.Record, at time.Time) error {
	if err := t.CheckAgent("record", r.Agent); err != nil {
		return err
	}
	return t.Exec(`INSERT INTO erased (agent, content_key, erased_at) VALUES (?, ?, ?)
		ON CONFLICT (agent, content_key) DO UPDATE SET erased_at = excluded.erased_at`, t.agent, t.said(r), rows.Micros(at))
}

// Erased implements [memory.Tx].
func (t *tx) Erased(project string, kind memory.Kind, content string) (at time.Time, err error) {
	key := rows.ContentKey(project, kind, content)
	if t.foreseen.NoContent(key) {
		return at, nil
	}
	err = rows.Into(t, []any{rows.FromMicros(&at)}, `SELECT erased_at FROM erased WHERE agent = ? AND content_key = ?`, t.agent, key)
	return at, err
}

// Records implements [memory.Reader].
func (s *Store) Records(ctx context.Context, agent string, ids []string) ([]memory.Record, error) {
	found, err := records(s.as(ctx, agent), agent, `SELECT `+rows.RecordColumns+` FROM unnest(?2::text[]) WITH ORDINALITY j (id, place)
		JOIN records d ON d.agent = ?1 AND d.id = j.id ORDER BY j.place`, agent, ids)
	return rows.Records(found), err
}

// Said implements [memory.Reader].
func (s *Store) Said(ctx context.Context, agent string, projects []string, kinds []memory.Kind, contents []string) ([]bool, error) {
	said := make([]bool, len(contents))
	keys, of := rows.ContentKeys(projects, kinds, contents)
	if len(keys) == 0 {
		return said, nil
	}
	places, err := rows.All(s.as(ctx, agent), rows.ScanInt64, `SELECT DISTINCT j.place FROM unnest(?2::bytea[], ?3::bigint[]) j (key, place)
		JOIN records d ON d.agent = ?1 AND d.content_key = j.key AND d.archived_at IS NULL AND d.superseded_by IS NULL`, agent, keys, of)
	for _, i := range places {
		said[i] = true
	}
	return said, err
}

// History implements [memory.Reader].
func (s *Store) History(ctx context.Context, agent, id string) ([]memory.Record, error) {
	// Both directions from id; UNION stops at links that form a ring.
	chain, err := records(s.as(ctx, agent), agent, `WITH RECURSIVE chain (id) AS (
			SELECT ?2::text
			UNION
			SELECT r.id FROM chain JOIN LATERAL (
				SELECT n.superseded_by AS id FROM records n WHERE n.agent = ?1 AND n.id = chain.id
				UNION ALL
				SELECT n.supersedes FROM records n WHERE n.agent = ?1 AND n.id = chain.id
				UNION ALL
				SELECT o.id FROM records o WHERE o.agent = ?1 AND o.superseded_by = chain.id
			) r ON r.id IS NOT NULL
		) SELECT `+rows.RecordColumns+` FROM chain JOIN records d ON d.agent = ?1 AND d.id = chain.id ORDER BY d.seq`, agent, id)
	return rows.Records(chain), err
}

// EachRecord implements [memory.Reader].
func (s *Store) EachRecord(ctx context.Context, agent string, fn func(memory.Record) error) error {
	src := s.as(ctx, agent)
	return eachPage(int64(0), func(after int64) ([]memory.Document, error) {
		return records(src, agent, `SELECT `+rows.RecordColumns+` FROM records d`+inBank, agent, after, pageSize)
	}, func(d memory.Document) (int64, error) { return d.Seq, fn(d.Record) })
}

// inBank selects a page of a bank's documents (alias d); its arguments are the agent, the number
// after which the page begins, and the page's size.
const inBank = ` WHERE d.agent = ? AND d.seq > ? ORDER BY d.seq LIMIT ?`

// pageSize is how many rows eachPage reads at a time. Each page is a query of its own, so that no
// transaction stays open while the caller works.
const pageSize = 500

// eachPage reads one page after the other and calls fn for each row. fn returns the row's key; the
// next page begins after the last one.
func eachPage[K, T any](after K, page func(after K) ([]T, error), fn func(T) (K, error)) error {
	for {
		list, err := page(after)
		if err != nil {
			return err
		}
		for _, row := range list {
			if after, err = fn(row); err != nil {
				return err
			}
		}
		if len(list) < pageSize {
			return nil
		}
	}
}

// EachAlias implements [memory.Reader].
func (s *Store) EachAlias(ctx context.Context, agent string, fn func(externalID, id string) error) error {
	type alias struct{ name, id string }
	scan := func(row rows.Row) (a alias, err error) { return a, row.Scan(&a.name, &a.id) }
	src := s.as(ctx, agent)
	return eachPage("", func(after string) ([]alias, error) {
		// In the order of bytes, whatever the database's language.
		return rows.All(src, scan, `SELECT n.external_id, n.id FROM record_names n JOIN records r ON r.agent = n.agent AND r.id = n.id
			WHERE n.agent = ? AND n.external_id COLLATE "C" > ? AND r.external_id <> n.external_id ORDER BY n.external_id COLLATE "C" LIMIT ?`, agent, after, pageSize)
	}, func(a alias) (string, error) { return a.name, fn(a.name, a.id) })
}

// Salient implements [memory.Reader].
func (s *Store) Salient(ctx context.Context, scope memory.Scope, at time.Time, limit int) ([]memory.Record, error) {
	var w rows.Conditions
	w.Add("d.archived_at IS NULL AND d.superseded_by IS NULL") // the condition of the index
	w.TrueAt(rows.Micros(at))
	source, of := allProjects, any(scope.Agent)
	if projects := scope.Readable(); projects != nil {
		source, of = theseProjects, storables(projects)
	}
	const order = ` ORDER BY d.pinned DESC, d.importance DESC, d.access_count DESC, d.seq`
	found, err := records(s.as(ctx, scope.Agent), scope.Agent,
		`SELECT `+rows.RecordColumns+firstOfEach(source, w.SQL(), order)+order+` LIMIT ?`,
		append(append([]any{of, scope.Agent}, w.Args...), limit, limit)...)
	return rows.Records(found), err
}

// CountRecords implements [memory.Reader].
func (s *Store) CountRecords(ctx context.Context, agent string, kind memory.Kind) (n int, err error) {
	err = rows.Into(s.as(ctx, agent), []any{&n},
		`SELECT coalesce(sum(records), 0)::bigint FROM record_counts WHERE agent = ? AND kind = ? AND state = 0`, agent, string(kind))
	return n, err
}

// Reinforce implements [memory.Reinforcer]. Only the first access of a record in a session counts.
func (s *Store) Reinforce(ctx context.Context, agent, session string, ids []string, at time.Time) error {
	return s.transaction(ctx, agent, func(t *tx) error {
		return t.Exec(`WITH fresh AS (
				INSERT INTO accesses (agent, id, session, accessed_at)
				SELECT r.agent, r.id, ?3, ?4 FROM records r WHERE r.agent = ?1 AND r.id = ANY (?2::text[]) ORDER BY r.seq
				ON CONFLICT DO NOTHING RETURNING id)
			UPDATE records SET access_count = access_count + 1, last_accessed_at = greatest(coalesce(last_accessed_at, 0), ?4)
			WHERE agent = ?1 AND id IN (SELECT id FROM fresh)`, agent, ids, session, at.UnixMicro())
	})
}
