package rows

import (
	"fmt"
	"slices"

	"mcp-memory/memory"
)

// LoadDetails sets the details of documents. For each table of details that a kind among them has,
// it calls load once with the ids of these documents; load returns the details by id. A record that
// was erased meanwhile stays without.
func LoadDetails(docs []memory.Document, load func(table *DetailTable, ids []string) (map[string]memory.KindDetails, error)) error {
	var tables []*DetailTable
	ids := map[*DetailTable][]string{}
	for _, d := range docs {
		table := DetailsOf(d.Kind)
		if table == nil {
			continue
		}
		if ids[table] == nil {
			tables = append(tables, table)
		}
		ids[table] = append(ids[table], d.ID)
	}
	for _, table := range tables {
		byID, err := load(table, ids[table])
		if err != nil {
			return fmt.Errorf("read %s: %w", table.Name, err)
		}
		for i := range docs {
			if d, ok := byID[docs[i].ID]; ok {
				docs[i].KindDetails = d
			}
		}
	}
	return nil
}

// InsertDetails stores the details of a record in place of those it had; nothing if it has none.
func (t PortableTx) InsertDetails(r memory.Record) error {
	if !r.OfKind(r.Kind) {
		return fmt.Errorf("record %s of kind %q has the details of another kind", r.ID, r.Kind)
	}
	table := DetailsOf(r.Kind)
	if table == nil {
		return nil
	}
	values, list, err := table.Values(r.KindDetails)
	if err != nil {
		return fmt.Errorf("details of record %s: %w", r.ID, err)
	}
	if values == nil {
		return nil
	}
	columns := slices.Concat([]string{"agent", "id"}, table.Columns, table.Keys)
	if err := t.Upsert(table.Name, columns, 2, append([]any{t.agent, r.ID}, values...)); err != nil || table.List == "" {
		return err
	}
	if err := t.DeleteRows(r.ID, table.List); err != nil {
		return err
	}
	return t.run.InsertList(table.List, r.ID, list)
}

// ReplaceDetails stores the details of a record in place of those it had, or removes those if it has
// none now.
func (t PortableTx) ReplaceDetails(r memory.Record) error {
	if r.KindDetails == (memory.KindDetails{}) {
		return t.RemoveDetails(r.Kind, r.ID)
	}
	return t.InsertDetails(r)
}

// RemoveDetails removes the details of a record, if its kind has any.
func (t PortableTx) RemoveDetails(kind memory.Kind, id string) error {
	table := DetailsOf(kind)
	switch {
	case table == nil:
		return nil
	case table.List == "":
		return t.DeleteRows(id, table.Name)
	}
	return t.DeleteRows(id, table.Name, table.List)
}

// InsertProcedureRun implements [memory.Details].
func (t PortableTx) InsertProcedureRun(r memory.ProcedureRun) error {
	kind, err := t.kindOf(r.Procedure)
	if err != nil {
		return err
	}
	if kind != memory.KindProcedure {
		return memory.Errorf(memory.CodeNotFound, "record %q is not a procedure", r.Procedure)
	}
	return t.run.Exec(`INSERT INTO procedure_runs (agent, id, executed_at, run, success, notes)
		SELECT ?1, ?2, ?3, coalesce(max(run), 0) + 1, ?4, ?5 FROM procedure_runs WHERE agent = ?1 AND id = ?2 AND executed_at = ?3`,
		t.agent, r.Procedure, Micros(r.At), r.Success, r.Notes)
}

// InsertTurnDetails stores the details of a new turn, if it has any.
func (t PortableTx) InsertTurnDetails(turn memory.Turn) error {
	if turn.Details == nil {
		return nil
	}
	values, err := turnDetailValues(t.agent, turn.ID, *turn.Details)
	if err != nil {
		return err
	}
	return t.run.Exec(`INSERT INTO turn_details (`+turnDetailColumns+`) VALUES (`+Placeholders(len(values))+`)`, values...)
}
