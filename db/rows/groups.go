package rows

import (
	"cmp"
	"maps"
	"slices"

	"mcp-memory/memory"
)

// The states of a record, which table record_counts counts separately.
const (
	StateLive = iota
	StateArchived
	StateSuperseded // but not archived
)

// StateSQL is an SQL expression for the state of a row of records.
const StateSQL = `CASE WHEN archived_at IS NOT NULL THEN 1 WHEN superseded_by IS NOT NULL THEN 2 ELSE 0 END`

// CountGroups fills the empty table record_counts by counting all records.
const CountGroups = `INSERT INTO record_counts (agent, project, kind, category, state, records)
	SELECT agent, project, kind, category, ` + StateSQL + `, count(*) FROM records GROUP BY 1, 2, 3, 4, 5`

// Group is the key by which the records of a bank are counted.
type Group struct {
	Project, Kind, Category string
	State                   int
}

// GroupOf returns the group of a record.
func GroupOf(r memory.Record) Group {
	g := Group{Project: r.Project, Kind: string(r.Kind), Category: r.Category}
	switch {
	case !r.ArchivedAt.IsZero():
		g.State = StateArchived
	case r.SupersededBy != "":
		g.State = StateSuperseded
	}
	return g
}

// GroupCounts collects by how much a transaction changes the count of each group, so that it writes
// each count once.
type GroupCounts map[Group]int

// Add notes n more records of a group.
func (c *GroupCounts) Add(g Group, n int) {
	if *c == nil {
		*c = GroupCounts{}
	}
	(*c)[g] += n
}

// Move notes that a record has gone from one group to another.
func (c *GroupCounts) Move(from, to Group) {
	if from != to {
		c.Add(from, -1)
		c.Add(to, 1)
	}
}

// Changed returns the groups whose count changes, in an order that is the same in all transactions.
func (c GroupCounts) Changed() []Group {
	groups := slices.SortedFunc(maps.Keys(c), func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Project, b.Project), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.State, b.State))
	})
	return slices.DeleteFunc(groups, func(g Group) bool { return c[g] == 0 })
}

// Write adds the collected changes to record_counts; exec runs a statement with question marks.
func (c GroupCounts) Write(agent string, exec func(sql string, args ...any) error) error {
	for _, g := range c.Changed() {
		err := exec(`INSERT INTO record_counts AS c (agent, project, kind, category, state, records) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (agent, project, kind, category, state) DO UPDATE SET records = c.records + excluded.records`,
			agent, g.Project, g.Kind, g.Category, g.State, c[g])
		if err == nil && c[g] < 0 {
			err = exec(`DELETE FROM record_counts WHERE agent = ? AND project = ? AND kind = ? AND category = ? AND state = ? AND records <= 0`,
				agent, g.Project, g.Kind, g.Category, g.State)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// MiscountedSQL returns a query with a row for each group whose count in record_counts is wrong;
// column more is how many more records there are. where restricts the agents ("WHERE agent = $1") or
// is empty.
func MiscountedSQL(where string) string {
	return `SELECT agent, project, kind, category, state, sum(n) AS more FROM (
	SELECT agent, project, kind, category, ` + StateSQL + ` AS state, count(*) AS n FROM records ` + where + ` GROUP BY 1, 2, 3, 4, 5
	UNION ALL SELECT agent, project, kind, category, state, -records FROM record_counts ` + where + `) x
	GROUP BY agent, project, kind, category, state HAVING sum(n) <> 0`
}

// GroupColumns are what ScanGroup reads of record_counts.
const GroupColumns = `project, kind, category, state, records`

// CountedGroup is a group with how many records it has.
type CountedGroup struct {
	Group
	Records int
}

// ScanGroup reads GroupColumns.
func ScanGroup(row Row) (g CountedGroup, err error) {
	return g, row.Scan(&g.Project, &g.Kind, &g.Category, &g.State, &g.Records)
}

// SumGroups sets the fields of st that count records, by the groups of a bank.
func SumGroups(groups []CountedGroup, st *memory.Stats) {
	st.ByKind, st.ByCategory, st.ByProject = map[string]int{}, map[string]int{}, map[string]int{}
	for _, g := range groups {
		switch g.State {
		case StateArchived:
			st.Archived += g.Records
		case StateSuperseded:
			st.Superseded += g.Records
		default:
			st.Records += g.Records
			st.ByKind[g.Kind] += g.Records
			st.ByCategory[g.Category] += g.Records
			st.ByProject[g.Project] += g.Records
		}
	}
}
