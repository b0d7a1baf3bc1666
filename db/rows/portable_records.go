package rows

import (
	"reflect"

	"mcp-memory/memory"
)

var (
	insertRecord = `INSERT INTO records (` + fixedColumns + `, ` + mutableColumns + `) VALUES (` + Placeholders(fixed+mutable) + `)`
	updatePlace  = `UPDATE records SET (` + placeColumns + `) = (` + Placeholders(place) + `) WHERE agent = ? AND id = ?`
	updateRecord = `UPDATE records SET (` + mutableColumns + `) = (` + Placeholders(mutable) + `) WHERE agent = ? AND id = ?`
)

// AddRecord inserts a new record with its details and its external id; key is its [ContentKey]. Text
// indexes, vectors, slots and counters are left to the backend.
func (t PortableTx) AddRecord(seq int64, r memory.Record, key []byte) error {
	if err := t.run.Exec(insertRecord, append(fixedValues(seq, r), mutableValues(r, key)...)...); err != nil {
		return err
	}
	if err := t.InsertDetails(r); err != nil || r.ExternalID == "" {
		return err
	}
	return t.nameRecord(r.ExternalID, r.ID)
}

// ReplaceRecord stores the new state r of a record whose state is old. key returns its [ContentKey]
// and is called only if that has to be written.
func (t PortableTx) ReplaceRecord(old, r memory.Record, key func() []byte) error {
	if !reflect.DeepEqual(r.KindDetails, old.KindDetails) {
		if err := t.ReplaceDetails(r); err != nil {
			return err
		}
	}
	if onlyPlace(r, old) {
		return t.run.Exec(updatePlace, append(placeValues(r), t.agent, r.ID)...)
	}
	return t.run.Exec(updateRecord, append(mutableValues(r, key()), t.agent, r.ID)...)
}

// NameRecord implements [memory.Tx].
func (t PortableTx) NameRecord(externalID, id string) error {
	if _, err := t.kindOf(id); err != nil {
		return err
	}
	return t.nameRecord(externalID, id)
}

func (t PortableTx) nameRecord(externalID, id string) error {
	return t.run.Exec(`INSERT INTO record_names (agent, external_id, id) VALUES (?, ?, ?)
		ON CONFLICT (agent, external_id) DO UPDATE SET id = excluded.id`, t.agent, externalID, id)
}

// IndexedOtherwise reports whether an in-memory index that has read the old state of a record has to
// read it anew: its category or one of its times has changed.
func IndexedOtherwise(old, r memory.Record) bool {
	return r.Category != old.Category || !sameMicro(r.OccurredAt, old.OccurredAt) || !sameMicro(r.EventTime(), old.EventTime())
}
