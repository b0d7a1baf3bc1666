package postgres

// Where a query sorts by an index that begins with the project, a server walks it for one project only;
// of several it would read and sort all records. So each project is walked for itself.
const (
	// theseProjects are the sources of such walks that an array names, and allProjects
	// those in which an agent has live records.
	theseProjects = `(SELECT DISTINCT unnest(?::text[]) AS project)`
	allProjects   = `(SELECT DISTINCT project FROM record_counts WHERE agent = ? AND state = 0)`
)

// firstOfEach is the FROM of a query for records (alias d): of each project of a source the first in an
// order, under a condition. Its arguments: that of the source, the agent, those of the condition, and how
// many of each project.
func firstOfEach(projects, condition, order string) string {
	return ` FROM ` + projects + ` p CROSS JOIN LATERAL (
		SELECT * FROM records d WHERE d.agent = ? AND d.project = p.project` + condition + order + ` LIMIT ?) d`
}
