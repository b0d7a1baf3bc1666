package rows

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Statements runs SQL statements in a transaction over one agent's bank.
type Statements interface {
	Source
	// Exec runs a statement that changes something. Its error may be returned later, by the
	// next query or the commit.
	Exec(sql string, args ...any) error
	// InsertList stores a list in a table of [DetailTable.List], which must have no elements of
	// the record yet.
	InsertList(table, id string, list []string) error
	// In returns the condition that a column is one of names, and the value of its single
	// argument, for which placeholder (such as ?3) stands.
	In(column, placeholder string, names []string) (condition string, arg any)
}

// PortableTx is the part of [memory.Tx] whose SQL every backend understands alike. A
// backend's transaction embeds it and adds the rest.
type PortableTx struct {
	agent string
	clock memory.Clock
	run   Statements
}

// NewPortableTx returns the portable part of a transaction over an agent's bank; run executes its
// statements.
func NewPortableTx(agent string, clock memory.Clock, run Statements) PortableTx {
	return PortableTx{agent, clock, run}
}

// CheckAgent reports an error unless what is about to be read or stored
// belongs to the transaction's agent.
func (t PortableTx) CheckAgent(what, agent string) error {
	if agent == t.agent {
		return nil
	}
	return fmt.Errorf("%s of agent %q in a transaction of %q", what, agent, t.agent)
}

// Upsert inserts a row, or replaces the one with the same primary key: the first keys columns.
func (t PortableTx) Upsert(table string, columns []string, keys int, values []any) error {
	var sets []string
	for _, c := range columns[keys:] {
		sets = append(sets, c+" = excluded."+c)
	}
	return t.run.Exec(`INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) VALUES (`+Placeholders(len(columns))+`)
		ON CONFLICT (`+strings.Join(columns[:keys], ", ")+`) DO UPDATE SET `+strings.Join(sets, ", "), values...)
}

// DeleteRows deletes the rows of one record or turn from the tables.
func (t PortableTx) DeleteRows(id string, tables ...string) error {
	for _, table := range tables {
		if err := t.run.Exec(`DELETE FROM `+table+` WHERE agent = ? AND id = ?`, t.agent, id); err != nil {
			return err
		}
	}
	return nil
}

// Result implements [memory.Tx].
func (t PortableTx) Result(tool, key string) (json.RawMessage, error) {
	result, err := One(t.run, ScanJSON, `SELECT result FROM idempotency_keys WHERE agent = ? AND tool = ? AND key = ?`, t.agent, tool, key)
	return OrNil(result), err
}

// KeepResult implements [memory.Tx].
func (t PortableTx) KeepResult(tool, key string, result json.RawMessage) error {
	return t.run.Exec(`INSERT INTO idempotency_keys (agent, tool, key, result, created_at) VALUES (?, ?, ?, ?, ?)`,
		t.agent, tool, key, string(result), Micros(t.clock()))
}

// KeepUndo implements [memory.Tx].
func (t PortableTx) KeepUndo(u memory.Undo) error {
	return t.run.Exec(`INSERT INTO undos (agent, id, action, records, data, done_at) VALUES (?, ?, ?, ?, ?, ?)`,
		t.agent, u.ID, u.Action, List(u.Records), Text(u.Data), Micros(u.At))
}

// Undo implements [memory.Tx].
func (t PortableTx) Undo(id string) (memory.Undo, error) {
	found, err := One(t.run, scanUndo, `SELECT `+undoColumns+` FROM undos WHERE agent = ? AND id = ?`, t.agent, id)
	return OrError(found, err, memory.Errorf(memory.CodeNotFound, "there is nothing to undo under %q", id).WithAdvice(memory.FindChanges))
}

// MarkUndone implements [memory.Tx].
func (t PortableTx) MarkUndone(id string, at time.Time) error {
	u, err := t.Undo(id)
	if err != nil {
		return err
	}
	if !at.IsZero() && !u.UndoneAt.IsZero() {
		return memory.Errorf(memory.CodeConflict, "that was undone already")
	}
	return t.run.Exec(`UPDATE undos SET undone_at = ? WHERE agent = ? AND id = ?`, Micros(at), t.agent, id)
}

// kindOf returns the kind of a record; [memory.CodeNotFound] if there is none.
func (t PortableTx) kindOf(id string) (memory.Kind, error) {
	kind, err := One(t.run, ScanText, `SELECT kind FROM records WHERE agent = ? AND id = ?`, t.agent, id)
	found, err := OrError(kind, err, NoRecord(id))
	return memory.Kind(found), err
}

// NoRecord is the error of a record that is not there.
func NoRecord(id string) error {
	return memory.Errorf(memory.CodeNotFound, "there is no memory %q", id).WithAdvice(memory.FindRecords)
}
