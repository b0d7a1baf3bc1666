package rows

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// ActionColumns are the columns of table actions after agent: ScanAction reads them, ActionValues
// gives their values.
const ActionColumns = `id, project, session, at, kind, text, dir, host, about, asked, outcome, exit_code, took, tail, hunks, text_sum, size`

// ScanAction reads ActionColumns.
func ScanAction(row Row) (a memory.Action, err error) {
	var took, sum, size int64
	err = row.Scan(&a.ID, &a.Project, &a.Session, FromMicros(&a.At), &a.Kind, &a.Text, &a.Dir, &a.Host, &a.About, &a.Asked,
		&a.Outcome, &a.Exit, &took, &a.Tail, &a.Hunks, &sum, &size)
	a.Took = time.Duration(took) * time.Millisecond
	return a, of(err, "action", a.ID)
}

// ActionValues gives the values of ActionColumns.
func ActionValues(a memory.Action) []any {
	return []any{a.ID, a.Project, a.Session, Micros(a.At), string(a.Kind), a.Text, a.Dir, a.Host, a.About, a.Asked,
		int64(a.Outcome), int64(a.Exit), a.Took.Milliseconds(), a.Tail, a.Hunks, actionSum(a.Text), int64(a.Bytes())}
}

// actionSum returns a hash of an action's text, by which the text is looked up: the texts themselves
// are too long for an index.
func actionSum(text string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return int64(h.Sum64())
}

// ActionTexts is an SQL expression for the texts of an action that may repeat what a memory said, in
// one string.
const ActionTexts = `text || ' ' || about || ' ' || asked || ' ' || tail`

// The statements of the log are the same for both databases; ?1 is the agent.
const (
	InsertAction = `INSERT INTO actions (agent, ` + ActionColumns +
		`) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18
		WHERE EXISTS (SELECT 1 FROM banks WHERE agent = ?1) ON CONFLICT (agent, id) DO NOTHING RETURNING id`
	PruneActions = `DELETE FROM actions WHERE agent = ?1 AND id IN (SELECT id FROM (
		SELECT id, sum(size) OVER (ORDER BY at DESC, id DESC) AS total FROM actions WHERE agent = ?1 AND project = ?2) sized WHERE total > ?3) RETURNING id`
)

// SelectActions returns the query for the actions that a filter allows: of one project, or of all if
// project is nil. f.Projects is not looked at; see [EachProject].
func SelectActions(agent string, project *string, f memory.ActionFilter) (query string, args []any) {
	query, args = `SELECT `+ActionColumns+` FROM actions WHERE agent = ?`, []any{agent}
	if project != nil {
		query, args = query+` AND project = ?`, append(args, *project)
	}
	if f.Session != "" {
		query, args = query+` AND session = ?`, append(args, f.Session)
	}
	if f.Text != "" {
		query, args = query+` AND text_sum = ? AND text = ?`, append(args, actionSum(f.Text), f.Text)
	}
	query += ` ORDER BY at DESC, id DESC`
	if f.Limit > 0 {
		query, args = query+` LIMIT ?`, append(args, f.Limit)
	}
	return query, args
}

// EachProject calls read once for each different name in projects; if projects is nil, once with nil
// for all of them.
func EachProject(projects []string, read func(project *string) error) error {
	if projects == nil {
		return read(nil)
	}
	for i, name := range projects {
		if slices.Contains(projects[:i], name) {
			continue
		}
		if err := read(&projects[i]); err != nil {
			return err
		}
	}
	return nil
}

// NewestActions sorts actions that were read project by project, newest first, and cuts them to the
// filter's limit.
func NewestActions(list []memory.Action, f memory.ActionFilter) []memory.Action {
	if len(f.Projects) > 1 {
		slices.SortFunc(list, func(a, b memory.Action) int { return cmp.Or(b.At.Compare(a.At), strings.Compare(b.ID, a.ID)) })
	}
	if f.Limit > 0 && len(list) > f.Limit {
		list = list[:f.Limit]
	}
	return list
}
