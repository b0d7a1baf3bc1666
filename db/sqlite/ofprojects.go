package sqlite

// SQLite uses the order of an index that begins with the project only for a single project; for
// several it would read and sort all their records. So queries read the first records of each
// project by the index, and sort those.
const (
	// theseProjects selects the projects that a JSON array names, allProjects those in which an
	// agent has live records; each has one argument.
	theseProjects = `(SELECT DISTINCT value AS project FROM json_each(?))`
	allProjects   = `(SELECT DISTINCT project FROM record_counts WHERE agent = ? AND state = 0)`
)

// firstOfEach returns the FROM of a query for records (alias d): for each project that projects
// selects, the first ones in order, by an index that begins with agent and project, to which
// condition applies. Its arguments are that of projects, the agent, those of condition, and how
// many of each project.
func firstOfEach(projects, index, condition, order string) string {
	return ` FROM ` + projects + ` p CROSS JOIN records d ON d.seq IN (
		SELECT d.seq FROM records d INDEXED BY ` + index + ` WHERE d.agent = ? AND d.project = p.project` + condition + order + ` LIMIT ?)`
}
