package postgres

// An index that begins with the project gives its order within one project only. In a query for
// several projects PostgreSQL would read and sort all their records, so such a query walks the
// index once for each project.
const (
	// theseProjects selects the projects that an array names, allProjects those in which an agent
	// has live records.
	theseProjects = `(SELECT DISTINCT unnest(?::text[]) AS project)`
	allProjects   = `(SELECT DISTINCT project FROM record_counts WHERE agent = ? AND state = 0)`
)

// firstOfEach returns the FROM of a query for records (alias d): of each of the projects the first
// in an order that meet a condition. The query's arguments are those of projects, the agent, those
// of condition, and how many records to take of each project.
func firstOfEach(projects, condition, order string) string {
	return ` FROM ` + projects + ` p CROSS JOIN LATERAL (
		SELECT * FROM records d WHERE d.agent = ? AND d.project = p.project` + condition + order + ` LIMIT ?) d`
}
