package rows

import (
	"encoding/json"

	"mcp-memory/memory"
)

// ToldColumns are the columns of table told after agent.
const ToldColumns = `id, project, session, via, query, results, tokens, at`

// ScanTold reads ToldColumns.
func ScanTold(row Row) (t memory.Told, err error) {
	var results string
	if err = row.Scan(&t.ID, &t.Project, &t.Session, &t.Via, &t.Query, &results, &t.Tokens, FromMicros(&t.At)); err == nil {
		err = json.Unmarshal([]byte(results), &t.Results)
	}
	return t, of(err, "entry", t.ID)
}

// ToldValues gives the values of ToldColumns.
func ToldValues(t memory.Told) ([]any, error) {
	if t.Results == nil {
		t.Results = []memory.ToldResult{}
	}
	results, err := json.Marshal(t.Results)
	return []any{t.ID, t.Project, t.Session, t.Via, t.Query, string(results), t.Tokens, Micros(t.At)}, err
}

// LastID is a text that comes after every id in byte order.
const LastID = "\U0010FFFF"

// The statements of the log are the same for both databases; ?1 is the agent.
const (
	InsertTold = `INSERT INTO told (agent, ` + ToldColumns +
		`) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE EXISTS (SELECT 1 FROM banks WHERE agent = ?1)`
	NewestTold = `SELECT ` + ToldColumns + ` FROM told WHERE agent = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3`
	PruneTold  = `DELETE FROM told WHERE agent = ?1 AND id IN (SELECT id FROM told WHERE agent = ?1 AND at < ?2 ORDER BY id LIMIT ?3) RETURNING id`
)
