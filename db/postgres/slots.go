package postgres

import (
	"context"
	"fmt"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// ofSlots is the FROM of a query for the newest records of some slots, each once. OFFSET 0 keeps
// the planner from using the conditions to find rows, so that each is looked up by its number: as
// long as the tables have no statistics, the planner may choose another index that begins with the
// agent, and read the whole bank.
const ofSlots = ` FROM (SELECT DISTINCT s.seq FROM unnest(?2::bigint[]) j (slot) CROSS JOIN LATERAL (
		SELECT x.seq FROM record_slots x WHERE x.agent = ?1 AND x.slot = j.slot ORDER BY x.seq DESC LIMIT ?3) s) n
	CROSS JOIN LATERAL (SELECT * FROM records r WHERE r.agent = ?1 AND r.seq = n.seq OFFSET 0) d
	WHERE d.archived_at IS NULL AND d.kind = ?4 AND %s ORDER BY d.seq DESC LIMIT ?6`

// RecordsBySlot implements [memory.Tx].
func (t *tx) RecordsBySlot(project string, kind memory.Kind, keys []uint64) ([]memory.Record, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	if found, known := t.foreseen.BySlot(project, kind, rows.Signed(keys)); known {
		return found, nil
	}
	scan := func(row rows.Row) (memory.Record, error) {
		return rows.ScanCompared(row, memory.Record{Agent: t.agent, Project: project, Kind: kind})
	}
	return rows.All(t, scan, `SELECT `+rows.ComparedColumns+fmt.Sprintf(ofSlots, `d.project = ?5`),
		t.agent, rows.Signed(keys), rows.PerSlot, string(kind), project, rows.PerSearch)
}

// FactsBySlot implements [memory.Reader].
func (s *Store) FactsBySlot(ctx context.Context, agent string, projects []string, keys []uint64) ([]memory.Document, error) {
	return records(s.as(ctx, agent), agent,
		`SELECT `+rows.RecordColumns+fmt.Sprintf(ofSlots, `(?5::text[] IS NULL OR d.project = ANY (?5))`),
		agent, rows.Signed(keys), rows.PerSlot, string(memory.KindFact), projects, rows.PerSearch)
}

// Apart implements [memory.Reader].
func (s *Store) Apart(ctx context.Context, agent string, ids []string) (memory.Apart, error) {
	var known memory.Apart
	err := s.as(ctx, agent).Query(func(row rows.Row) error {
		var one, other string
		if err := row.Scan(&one, &other); err != nil {
			return err
		}
		if known == nil {
			known = memory.Apart{}
		}
		known.Add(one, other)
		return nil
	}, `SELECT u.id, r.id FROM undos u CROSS JOIN LATERAL json_array_elements_text(u.records::json) r (id)
		WHERE u.agent = ?1 AND u.id = ANY (?3::text[]) AND u.action IN (?2, ?4) AND u.undone_at IS NOT NULL AND r.id <> u.id`,
		agent, memory.ActionSupersede, ids, memory.PartOfImport+memory.ActionSupersede)
	return known, err
}

// file stores the slots of a fact. Only facts have some, as other kinds are not compared.
func (t *tx) file(seq int64, keys []int64) error {
	if len(keys) == 0 {
		return nil
	}
	return t.Exec(`INSERT INTO record_slots (agent, slot, seq) SELECT ?1, slot, ?2 FROM unnest(?3::bigint[]) j (slot) ON CONFLICT DO NOTHING`, t.agent, seq, keys)
}

// unfile removes what file has stored.
func (t *tx) unfile(seq int64, content string) error {
	return t.Exec(`DELETE FROM record_slots WHERE agent = ? AND slot = ANY (?::bigint[]) AND seq = ?`, t.agent, rows.SlotsOf(content), seq)
}
