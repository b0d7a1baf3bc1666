package rows

import (
	"encoding/json"

	"mcp-memory/memory"
)

// WindowColumns are what ScanWindow reads, of alias w of context_windows and s of sessions.
const WindowColumns = `w.agent, w.session, w.project, w.model, w.total, w.reserve, w.flushed, w.compacted, w.summary,
	w.summary_tokens, w.replaced_tokens, coalesce(s.turns, 0), w.version, w.compacted_at, w.updated_at`

// ScanWindow reads a window.
func ScanWindow(row Row) (w memory.Window, err error) {
	err = row.Scan(&w.Agent, &w.Session, &w.Project, &w.Model, &w.Total, &w.Reserve, &w.Flushed, &w.Compacted, &w.Summary,
		&w.SummaryTokens, &w.ReplacedTokens, &w.Turns, &w.Version, FromMicros(&w.LastCompaction), FromMicros(&w.UpdatedAt))
	return w, err
}

// ScanSessionOf reads an agent and a session.
func ScanSessionOf(row Row) (s memory.SessionOf, err error) {
	err = row.Scan(&s.Agent, &s.Session)
	return s, err
}

// newWindowColumns are what windowValues gives the values of: the first two name the row.
var newWindowColumns = []string{
	"agent", "session", "project", "model", "total", "reserve", "flushed", "compacted",
	"summary", "summary_tokens", "replaced_tokens", "version", "compacted_at", "updated_at",
}

// windowValues gives the values of newWindowColumns.
func windowValues(w memory.Window) []any {
	return []any{
		w.Agent, w.Session, w.Project, w.Model, w.Total, w.Reserve, w.Flushed, w.Compacted,
		w.Summary, w.SummaryTokens, w.ReplacedTokens, w.Version, Micros(w.LastCompaction), Micros(w.UpdatedAt),
	}
}

// EventColumns are what ScanEvent reads and eventValues gives the values of, in context_events.
const EventColumns = `agent, id, session, type, content, goal_id, task_id, external_id, tokens, at`

// ScanEvent reads an event.
func ScanEvent(row Row) (e memory.ContextEvent, err error) {
	err = row.Scan(&e.Agent, &e.ID, &e.Session, &e.Type, &e.Content, &e.GoalID, &e.TaskID, &e.ExternalID, &e.Tokens, FromMicros(&e.At))
	return e, err
}

// eventValues gives the values of EventColumns.
func eventValues(e memory.ContextEvent) []any {
	return []any{e.Agent, e.ID, e.Session, e.Type, e.Content, e.GoalID, e.TaskID, e.ExternalID, e.Tokens, Micros(e.At)}
}

// JobColumns are what ScanJob reads and jobValues gives the values of: the first three name the row.
const JobColumns = `agent, kind, subject, id, step, data, attempts, not_before, created_at, updated_at, holder, held_until`

// ScanJob reads a job.
func ScanJob(row Row) (j memory.Job, err error) {
	err = row.Scan(&j.Agent, &j.Kind, &j.Subject, &j.ID, &j.Step, FromText(&j.Data), &j.Attempts, FromMicros(&j.NotBefore),
		FromMicros(&j.CreatedAt), FromMicros(&j.UpdatedAt), &j.Holder, FromMicros(&j.HeldUntil))
	return j, err
}

// jobValues gives the values of JobColumns.
func jobValues(j memory.Job) []any {
	return []any{
		j.Agent, j.Kind, j.Subject, j.ID, j.Step, Text(j.Data), j.Attempts, Micros(j.NotBefore), Micros(j.CreatedAt), Micros(j.UpdatedAt),
		j.Holder, Micros(j.HeldUntil),
	}
}

// undoColumns are what scanUndo reads of undos.
const undoColumns = `id, action, records, data, done_at, undone_at`

// scanUndo reads undoColumns.
func scanUndo(row Row) (u memory.Undo, err error) {
	err = row.Scan(&u.ID, &u.Action, FromList(&u.Records), FromText(&u.Data), FromMicros(&u.At), FromMicros(&u.UndoneAt))
	return u, of(err, "undo", u.ID)
}

// ScanRun reads id, success, notes and executed_at of procedure_runs.
func ScanRun(row Row) (r memory.ProcedureRun, err error) {
	err = row.Scan(&r.Procedure, &r.Success, &r.Notes, FromMicros(&r.At))
	return r, err
}

// ScanChanges reads changes and rewrites of banks.
func ScanChanges(row Row) (c memory.Changes, err error) {
	err = row.Scan(&c.Writes, &c.Rewrites)
	return c, err
}

// ScanProject reads a project's name, its live records, its turns and when it was used last.
func ScanProject(row Row) (p memory.ProjectUse, err error) {
	err = row.Scan(&p.Name, &p.Records, &p.Turns, FromMicros(&p.LastUse))
	return p, of(err, "project", p.Name)
}

// VectorJobColumns returns the columns that [ScanVectorJob] reads, of the table of a corpus (alias
// d) and vector_queue (alias q).
func VectorJobColumns(c memory.Corpus) string {
	const columns = `d.agent, q.corpus, q.seq, d.content, q.attempts`
	if c == memory.Conversations {
		return columns + `, d.role, d.speaker`
	}
	return columns + `, '', ''`
}

// ScanVectorJob reads a document that waits for a vector.
func ScanVectorJob(row Row) (j memory.VectorJob, err error) {
	var role memory.Role
	var speaker string
	err = row.Scan(&j.Agent, &j.Corpus, &j.Seq, &j.Content, &j.Attempts, &role, &speaker)
	j.People = j.Corpus == memory.Conversations && memory.AmongPeople(role, speaker)
	return j, err
}

// ScanHit reads a document's number and its score.
func ScanHit(row Row) (h memory.Hit, err error) {
	err = row.Scan(&h.Seq, &h.Score)
	return h, err
}

// ScanText reads one text.
func ScanText(row Row) (s string, err error) {
	err = row.Scan(&s)
	return s, err
}

// ScanJSON reads one column of JSON.
func ScanJSON(row Row) (j json.RawMessage, err error) {
	err = row.Scan(FromText(&j))
	return j, err
}

// ScanInt64 reads one number.
func ScanInt64(row Row) (n int64, err error) {
	err = row.Scan(&n)
	return n, err
}
