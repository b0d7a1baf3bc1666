package postgres

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// slotted is what the records of some slots are, as far as a save compares them, in a bank
// that the transaction has locked. The zero value knows nothing.
type slotted struct {
	newest  map[int64][]int64 // slot → numbers of its newest records, the newest first
	records map[int64]filed   // by number
}

// filed is a record as [rows.ComparedColumns] have it.
type filed struct {
	memory.Record
	archived bool
}

// prefixed is a row with columns before those that a scan knows of.
type prefixed struct {
	rows.Row
	first []any
}

func (p prefixed) Scan(into ...any) error { return p.Row.Scan(append(p.first, into...)...) }

// expectSlots asks what is in some slots; it is known when what waits is answered.
func (t *tx) expectSlots(keys []int64) slotted {
	if len(keys) == 0 {
		return slotted{}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	s := slotted{newest: make(map[int64][]int64, len(keys)), records: map[int64]filed{}}
	for _, key := range keys {
		s.newest[key] = nil
	}
	t.ask(func(row rows.Row) error {
		var slot, seq int64
		f := filed{Record: memory.Record{Agent: t.agent}}
		r, err := rows.ScanCompared(prefixed{row, []any{&slot, &seq, &f.Project, &f.Kind, &f.archived}}, f.Record)
		r.Project, r.Kind = f.Project, f.Kind
		s.newest[slot], s.records[seq] = append(s.newest[slot], seq), filed{r, f.archived}
		return err
	}, `SELECT s.slot, s.seq, d.project, d.kind, d.archived_at IS NOT NULL, `+rows.ComparedColumns+`
		FROM unnest(?2::bigint[]) j (slot) CROSS JOIN LATERAL (
			SELECT x.slot, x.seq FROM record_slots x WHERE x.agent = ?1 AND x.slot = j.slot ORDER BY x.seq DESC LIMIT ?3) s
		CROSS JOIN LATERAL (SELECT * FROM records r WHERE r.agent = ?1 AND r.seq = s.seq OFFSET 0) d
		ORDER BY s.slot, s.seq DESC`, t.agent, keys, perSlot)
	return s
}

// find is [memory.Tx.RecordsBySlot], if all of the slots are known.
func (s slotted) find(project string, kind memory.Kind, keys []int64) (found []memory.Record, known bool) {
	seqs := map[int64]bool{}
	for _, key := range keys {
		newest, known := s.newest[key]
		if !known {
			return nil, false
		}
		for _, seq := range newest[:min(perSlot, len(newest))] {
			seqs[seq] = true
		}
	}
	newestFirst := func(a, b int64) int { return cmp.Compare(b, a) }
	for _, seq := range slices.SortedFunc(maps.Keys(seqs), newestFirst) {
		if r := s.records[seq]; !r.archived && r.Project == project && r.Kind == kind && len(found) < perSearch {
			found = append(found, r.Record)
		}
	}
	return found, true
}

// add notes a new record under its keys.
func (s slotted) add(seq int64, keys []int64, r memory.Record) {
	for _, key := range keys {
		if newest, known := s.newest[key]; known && !slices.Contains(newest, seq) {
			s.newest[key] = append([]int64{seq}, newest[:min(perSlot, len(newest))]...)
			s.records[seq] = comparedOf(r)
		}
	}
}

// changed notes what became of a record.
func (s slotted) changed(seq int64, r memory.Record) {
	if _, known := s.records[seq]; known {
		s.records[seq] = comparedOf(r)
	}
}

// comparedOf is a record as it will be read.
func comparedOf(r memory.Record) filed {
	stored := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		return rows.Moment(t.UnixMicro())
	}
	return filed{memory.Record{
		ID: r.ID, Agent: r.Agent, Project: r.Project, Kind: r.Kind, Content: r.Content, Pinned: r.Pinned, Source: r.Source,
		CreatedAt: stored(r.CreatedAt), OccurredAt: stored(r.OccurredAt), ValidFrom: stored(r.ValidFrom), ValidUntil: stored(r.ValidUntil),
		Supersedes: r.Supersedes, SupersededBy: r.SupersededBy,
	}, !r.ArchivedAt.IsZero()}
}
