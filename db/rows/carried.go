package rows

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
)

// carriedTable is a table whose rows are copied between databases; see [memory.Mover].
type carriedTable struct {
	memory.CarriedTable
	order string // columns for ORDER BY
}

// carriedTables are in the order in which they are received. Turns come after turn_details, as the
// searched text of a turn is in both. Banks come last, as their counters are true only when all the
// rest is there.
var carriedTables = []carriedTable{
	carried("sessions", "", "session", "session, project, turns, created_at"),
	carried("turn_details", "turns", "id", "id, input_source, thinking, tool_calls, tool_call_id, classification, tokens"),
	carried("turns", "", "seq",
		"seq, id, project, session, turn_index, role, speaker, content, external_id, metadata, said_at, created_at, archived_at, details, checksum"),
	carried("records", "", "seq", "seq, id, kind, content, created_at, checksum, "+mutableColumns),
	carried("record_names", "records", "external_id", "external_id, id"),
	carried("accesses", "records", "id, session", "id, session, accessed_at"),
	carried("episode_details", "records", "id", "id, participants, outcome, emotional_valence"),
	carried("soul_details", "records", "id", "id, type"),
	carried("triple_details", "records", "id",
		"id, subject, subject_key, predicate, predicate_key, object, object_key, confidence, origin, multi"),
	carried("procedure_details", "records", "id",
		"id, name, name_key, description, steps, prerequisites, success_criteria, executed, succeeded, last_executed_at"),
	carried("procedure_runs", "records", "id, executed_at, run", "id, executed_at, run, success, notes"),
	carried("relationship_details", "records", "id",
		"id, party, party_key, name, type, type_key, trust, tone, rationale, notes, interactions, first_met_at, last_interaction_at"),
	carried("diary_details", "records", "id", "id, date, mood, location, data"),
	carried("learning_details", "records", "id", "id, type, context, tool"),
	carried("summary_details", "records", "id", "id, summary_of, focus, count"),
	carried("summary_covers", "records", "id, position", "id, position, covered"),
	carried("record_origins", "records", "origin_agent, origin_id", "origin_agent, origin_id, id, link"),
	carried("context_windows", "", "session",
		"session, project, model, total, reserve, flushed, compacted, summary, summary_tokens, replaced_tokens, version, compacted_at, updated_at"),
	carried("context_events", "", "id", "id, session, type, content, goal_id, task_id, external_id, tokens, at"),
	carried("jobs", "", "kind, subject", "kind, subject, id, step, data, attempts, not_before, created_at, updated_at, holder, held_until"),
	carried("todos", "", "id", "id, project, title, description, urgency, due_at, created_at, completed_at"),
	carried("calendar_events", "", "id",
		"id, title, starts_at, ends_at, time_zone, location, description, recurrence, excepted, last_start, over_at, created_at, removed_at"),
	carried("links", "", "id",
		"id, from_agent, message, kinds, categories, since, shared_kinds, shared_categories, shared_since, note, status, requested_at, expires_at, decided_at, copied, skipped"),
	carried("audit_log", "", "entry", "entry, actor, action, subject, details, at"),
	carried("actions", "", "id", ActionColumns),
	carried("told", "", "id", "id, project, session, via, query, results, tokens, at"),
	carried("idempotency_keys", "", "tool, key", "tool, key, result, created_at"),
	carried("undos", "", "id", "id, action, records, data, done_at, undone_at"),
	carried("bank_state", "", "key", "key, value"),
	carried("erased", "", "content_key", "content_key, erased_at"),
	carried("tokens", "", "id", "id, hash, projects, read_only, operator, created_at, expires_at, revoked_at"),
	carried(Banks, "", "agent", "created_at, last_seq, erased_at"),
}

// Banks is the name of the table with one row for each bank: its number and its counters.
const Banks = "banks"

func carried(name, of, order, columns string) carriedTable {
	return carriedTable{memory.CarriedTable{Name: name, Columns: names(columns), Of: of}, order}
}

// names splits a list of columns.
func names(columns string) []string { return strings.Fields(strings.ReplaceAll(columns, ",", " ")) }

// Carried implements [memory.Mover].
func Carried() []memory.CarriedTable {
	list := make([]memory.CarriedTable, len(carriedTables))
	for i, t := range carriedTables {
		list[i] = t.CarriedTable
	}
	return list
}

func carriedNamed(name string) (*carriedTable, error) {
	for i := range carriedTables {
		if carriedTables[i].Name == name {
			return &carriedTables[i], nil
		}
	}
	return nil, fmt.Errorf("there is no table %q to carry", name)
}

// AllAgents is the query for the agents that have a bank, had one, or have a token.
const AllAgents = `SELECT agent FROM banks UNION SELECT agent FROM tokens ORDER BY 1`

// Departing reads the rows that an agent has in one table, to be carried to another database.
type Departing struct {
	Query string // its only argument is the agent
	table *carriedTable
	agent string
}

// Depart returns a Departing for an agent and a table; an error for a table that is not carried.
func Depart(agent, table string) (Departing, error) {
	t, err := carriedNamed(table)
	if err != nil {
		return Departing{}, err
	}
	except := ""
	if table == "bank_state" {
		except = ` AND key NOT IN ('` + memory.StateMoved + `', '` + memory.StateScrub + `')`
	}
	return Departing{
		Query: `SELECT ` + strings.Join(t.Columns, ", ") + ` FROM ` + t.Name + ` WHERE agent = ?` + except + ` ORDER BY ` + t.order,
		table: t, agent: agent,
	}, nil
}

// Width is how many values a row has.
func (d Departing) Width() int { return len(d.table.Columns) }

// Row makes a row of the values that a driver has read for one row of Query. It changes values: a
// boolean becomes 0 or 1, and the number of a document one within its bank. It sets Damaged if a
// value cannot be carried or the checksum of a document does not fit.
func (d Departing) Row(values []any) memory.CarriedRow {
	row := memory.CarriedRow{Values: values}
	for i, column := range d.table.Columns {
		switch v := values[i].(type) {
		case bool: // as SQLite has it
			values[i] = int64(0)
			if v {
				values[i] = int64(1)
			}
		case int64:
			if column == "seq" || column == "last_seq" {
				values[i] = v & (1<<BankShift - 1)
			}
		case string:
			if column == "id" {
				row.ID = v
			}
			if !utf8.ValidString(v) || strings.ContainsRune(v, 0) {
				row.Damaged = column + " is not text"
			}
		case nil, float64, []byte:
		default:
			row.Damaged = fmt.Sprintf("%s is stored as %T", column, v)
		}
	}
	d.check(&row)
	return row
}

// check compares a record or turn with its checksum and sets Damaged if they differ. If the checksum
// is NULL it sets it.
func (d Departing) check(row *memory.CarriedRow) {
	of := map[string]string{"records": "kind", "turns": "session"}[d.table.Name]
	if of == "" || row.Damaged != "" {
		return
	}
	at := d.table.place("checksum")
	kind, _ := row.Values[d.table.place(of)].(string)
	content, _ := row.Values[d.table.place("content")].(string)
	sum := Sum(d.agent, row.ID, kind, content)
	switch row.Values[at] {
	case nil:
		row.Values[at] = sum
	case sum:
	default:
		row.Damaged = "it does not say what was saved"
	}
}

func (t *carriedTable) place(column string) int {
	for i, c := range t.Columns {
		if c == column {
			return i
		}
	}
	return -1
}

// arriving stores carried rows in one table.
type arriving struct {
	insert string
	table  *carriedTable
}

// arrive returns an arriving for a table; an error for a table that is not carried.
func arrive(table string) (arriving, error) {
	t, err := carriedNamed(table)
	if err != nil {
		return arriving{}, err
	}
	return arriving{
		insert: `INSERT INTO ` + t.Name + ` (agent, ` + strings.Join(t.Columns, ", ") + `) VALUES (` + Placeholders(len(t.Columns)+1) + `)`,
		table:  t,
	}, nil
}

// booleans are the columns that are of type boolean in PostgreSQL; they are carried as 0 or 1.
var booleans = map[string]bool{"category_guessed": true, "pinned": true, "multi": true, "success": true, "read_only": true,
	"operator": true}

// values returns the arguments of a.insert for a row that is received in the bank of that number.
func (a arriving) values(agent string, bank int64, row memory.CarriedRow) ([]any, error) {
	if len(row.Values) != len(a.table.Columns) {
		return nil, fmt.Errorf("a row of %s with %d values", a.table.Name, len(row.Values))
	}
	values := append([]any{agent}, row.Values...)
	for i, column := range a.table.Columns {
		n, whole := values[i+1].(int64)
		switch {
		case !whole:
		case column == "seq":
			values[i+1] = bank<<BankShift | n
		case booleans[column]:
			values[i+1] = n != 0
		}
	}
	return values, nil
}

// number returns a number of a row, 0 for NULL.
func (a arriving) number(row memory.CarriedRow, column string) int64 {
	n, _ := row.Values[a.table.place(column)].(int64)
	return n
}

// text returns a text of a row, "" for NULL.
func (a arriving) text(row memory.CarriedRow, column string) string {
	s, _ := row.Values[a.table.place(column)].(string)
	return s
}

// group returns the group in which a carried record is counted.
func (a arriving) group(row memory.CarriedRow) Group {
	g := Group{Project: a.text(row, "project"), Kind: a.text(row, "kind"), Category: a.text(row, "category")}
	switch {
	case row.Values[a.table.place("archived_at")] != nil:
		g.State = StateArchived
	case row.Values[a.table.place("superseded_by")] != nil:
		g.State = StateSuperseded
	}
	return g
}

// Receiver is a backend's transaction over the bank that receives rows. Its methods keep derived
// data (counters, indexes, slots) in step with the rows that Exec inserts.
type Receiver interface {
	// Bank returns the agent and the bank's number.
	Bank() (agent string, number int64)
	// Exec runs a statement.
	Exec(sql string, args ...any) error
	// EraseBank removes everything of the agent but its tokens.
	EraseBank() error
	// Called returns the details of those turns that have some.
	Called(ids []string) (map[string]*memory.TurnDetails, error)
	// Filed files a fact under the slots of its content.
	Filed(seq int64, content string) error
	// Counted counts one more record of a group.
	Counted(g Group)
	// Indexed adds a document to the text indexes and to the queue for vectors.
	Indexed(c memory.Corpus, seq int64, content string) error
	// Reached raises the bank's last document number to seq, if it is lower.
	Reached(seq int64)
	// Emptied notes that the bank was erased, at microseconds since 1970.
	Emptied(at int64)
}

// Receive implements [memory.Mover.Receive] inside a transaction.
func Receive(t Receiver, table string, list []memory.CarriedRow, mark json.RawMessage) error {
	if err := keepMark(t, mark); err != nil || len(list) == 0 {
		return err
	}
	a, err := arrive(table)
	if err != nil {
		return err
	}
	agent, bank := t.Bank()
	if table == Banks {
		for _, row := range list {
			t.Reached(bank<<BankShift | a.number(row, "last_seq"))
			if at := a.number(row, "erased_at"); at != 0 {
				t.Emptied(at)
			}
			if err := t.Exec(`UPDATE banks SET created_at = ? WHERE agent = ?`, a.number(row, "created_at"), agent); err != nil {
				return err
			}
		}
		return nil
	}
	for _, row := range list {
		values, err := a.values(agent, bank, row)
		if err != nil {
			return err
		}
		if err := t.Exec(a.insert, values...); err != nil {
			return err
		}
	}
	switch table {
	case "records":
		return receiveRecords(t, a, list)
	case "turns":
		return receiveTurns(t, a, list)
	}
	return nil
}

// Clear implements [memory.Mover.Clear] inside a transaction.
func Clear(t Receiver, mark json.RawMessage) error {
	if err := t.EraseBank(); err != nil {
		return err
	}
	agent, _ := t.Bank()
	if err := t.Exec(`DELETE FROM tokens WHERE agent = ?`, agent); err != nil {
		return err
	}
	return keepMark(t, mark)
}

// keepMark stores the mark by which an interrupted copy goes on; see [memory.Mover].
func keepMark(t Receiver, mark json.RawMessage) error {
	agent, _ := t.Bank()
	return t.Exec(`INSERT INTO bank_state (agent, key, value) VALUES (?, ?, ?) ON CONFLICT (agent, key) DO UPDATE SET value = excluded.value`,
		agent, memory.StateMoved, string(mark))
}

// receiveRecords makes the derived data of records that were inserted.
func receiveRecords(t Receiver, a arriving, list []memory.CarriedRow) error {
	_, bank := t.Bank()
	for _, row := range list {
		seq, content := bank<<BankShift|a.number(row, "seq"), a.text(row, "content")
		t.Reached(seq)
		t.Counted(a.group(row))
		if a.text(row, "kind") == string(memory.KindFact) {
			if err := t.Filed(seq, content); err != nil {
				return err
			}
		}
		if err := t.Indexed(memory.Memories, seq, content); err != nil {
			return err
		}
	}
	return nil
}

// receiveTurns makes the derived data of turns that were inserted, whose details are there already.
func receiveTurns(t Receiver, a arriving, list []memory.CarriedRow) error {
	_, bank := t.Bank()
	var ids []string
	for _, row := range list {
		if a.number(row, "details") != NoDetails {
			ids = append(ids, row.ID)
		}
	}
	details := map[string]*memory.TurnDetails{}
	if len(ids) > 0 {
		var err error
		if details, err = t.Called(ids); err != nil {
			return err
		}
	}
	for _, row := range list {
		seq := bank<<BankShift | a.number(row, "seq")
		t.Reached(seq)
		turn := memory.Turn{Speaker: a.text(row, "speaker"), Content: a.text(row, "content"), Details: details[row.ID]}
		if err := t.Indexed(memory.Conversations, seq, turn.SearchText()); err != nil {
			return err
		}
	}
	return nil
}
