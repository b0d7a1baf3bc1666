package rows

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"mcp-memory/memory"
)

const (
	// PerSlot is how many records of a slot a search looks at, at most: the newest, as those
	// are what a new one may replace.
	PerSlot = 8
	// PerSearch is how many records a search by slots returns, at most.
	PerSearch = 16
)

// Foreseen is a cache of a transaction that has locked its bank: of the lookups announced by
// [memory.Expected], it knows which find nothing and which records are in the slots. So they need no
// query of their own. It has to be told of what the transaction itself adds. The zero value knows
// nothing.
type Foreseen struct {
	names    map[string]bool   // external ids that no record has
	contents map[string]bool   // content keys that no record has and none that was erased had
	newest   map[int64][]int64 // slot → numbers of its newest records, the newest first
	records  map[int64]filed   // number → fields of the record that a save compares
}

// filed is a record with only the fields of [ComparedColumns], project and kind.
type filed struct {
	memory.Record
	archived bool
}

// Foresee returns a Foreseen and what has to be queried to fill it: external ids, content keys and
// slots, the slots ascending. It takes everything for absent until [Foreseen.Present] and
// [Foreseen.Filed] are given the rows of these queries. External ids that are not storable, as the
// database would change them, are left out and stay unknown.
func Foresee(e memory.Expected, storable func(string) bool) (f Foreseen, names []string, keys [][]byte, slots []int64) {
	f = Foreseen{map[string]bool{}, map[string]bool{}, map[int64][]int64{}, map[int64]filed{}}
	for _, name := range e.ExternalIDs {
		if storable(name) {
			names, f.names[name] = append(names, name), true
		}
	}
	for _, c := range e.Contents {
		key := ContentKey(c.Project, c.Kind, c.Content)
		keys, f.contents[string(key)] = append(keys, key), true
	}
	slots = Signed(e.Slots)
	slices.Sort(slots)
	slots = slices.Compact(slots)
	for _, slot := range slots {
		f.newest[slot] = nil
	}
	return f, names, keys, slots
}

// Present reads a row (external id, content key) of something that exists; one of the two is NULL.
func (f Foreseen) Present(row Row) error {
	var name *string
	var key []byte
	err := row.Scan(&name, &key)
	if name != nil {
		f.Named(*name)
	}
	if key != nil {
		f.Said(key)
	}
	return err
}

// FiledColumns are what [Foreseen.Filed] reads, of a record d in a slot s.
const FiledColumns = `s.slot, s.seq, d.project, d.kind, d.archived_at IS NOT NULL, ` + ComparedColumns

// Filed reads a row of [FiledColumns]: a record of an agent in a slot. Rows may come in any order,
// but have to include the [PerSlot] newest of each slot.
func (f Foreseen) Filed(agent string, row Row) error {
	var slot, seq int64
	var of filed
	r, err := ScanCompared(prefixed{row, []any{&slot, &seq, &of.Project, &of.Kind, &of.archived}}, memory.Record{Agent: agent})
	r.Project, r.Kind = of.Project, of.Kind
	at, _ := slices.BinarySearchFunc(f.newest[slot], seq, newestFirst)
	f.newest[slot], f.records[seq] = slices.Insert(f.newest[slot], at, seq), filed{r, of.archived}
	return err
}

// prefixed is a row that begins with columns which a scan function does not know of; first are their
// destinations.
type prefixed struct {
	Row
	first []any
}

func (p prefixed) Scan(into ...any) error { return p.Row.Scan(append(p.first, into...)...) }

// NoName reports whether an external id is known to be absent.
func (f Foreseen) NoName(externalID string) bool { return f.names[externalID] }

// NoContent reports whether the key of a content is known to be absent.
func (f Foreseen) NoContent(key []byte) bool { return f.contents[string(key)] }

// Named notes that an external id is there from now on.
func (f Foreseen) Named(externalID string) { delete(f.names, externalID) }

// Said notes that the key of a content is there from now on.
func (f Foreseen) Said(key []byte) { delete(f.contents, string(key)) }

// BySlot returns what [memory.Tx.RecordsBySlot] does; known is false unless all slots were
// announced.
func (f Foreseen) BySlot(project string, kind memory.Kind, slots []int64) (found []memory.Record, known bool) {
	seqs := map[int64]bool{}
	for _, slot := range slots {
		newest, known := f.newest[slot]
		if !known {
			return nil, false
		}
		for _, seq := range newest[:min(PerSlot, len(newest))] {
			seqs[seq] = true
		}
	}
	for _, seq := range slices.SortedFunc(maps.Keys(seqs), newestFirst) {
		if r := f.records[seq]; !r.archived && r.Project == project && r.Kind == kind && len(found) < PerSearch {
			found = append(found, r.Record)
		}
	}
	return found, true
}

func newestFirst(a, b int64) int { return cmp.Compare(b, a) }

// Add notes a new record of the transaction under those of its slots that are known.
func (f Foreseen) Add(seq int64, slots []int64, r memory.Record) {
	for _, slot := range slots {
		if newest, known := f.newest[slot]; known && !slices.Contains(newest, seq) {
			f.newest[slot] = append([]int64{seq}, newest[:min(PerSlot, len(newest))]...)
			f.records[seq] = comparedOf(r)
		}
	}
}

// Changed notes the new state of a record that the transaction has updated.
func (f Foreseen) Changed(seq int64, r memory.Record) {
	if _, known := f.records[seq]; known {
		f.records[seq] = comparedOf(r)
	}
}

// ForgetSlots forgets the records in slots, so that they are queried again.
func (f *Foreseen) ForgetSlots() { f.newest, f.records = nil, nil }

// comparedOf returns a record as it would be read from the database: with the fields of filed only,
// and times in whole microseconds.
func comparedOf(r memory.Record) filed {
	stored := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		return Moment(t.UnixMicro())
	}
	return filed{memory.Record{
		ID: r.ID, Agent: r.Agent, Project: r.Project, Kind: r.Kind, Content: r.Content, Pinned: r.Pinned, Source: r.Source,
		CreatedAt: stored(r.CreatedAt), OccurredAt: stored(r.OccurredAt), ValidFrom: stored(r.ValidFrom), ValidUntil: stored(r.ValidUntil),
		Supersedes: r.Supersedes, SupersededBy: r.SupersededBy,
	}, !r.ArchivedAt.IsZero()}
}
