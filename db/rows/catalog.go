package rows

import "mcp-memory/memory"

// Catalog is a [memory.CatalogFilter] in SQL. Its query starts at the table of the kind's details if
// the filter asks about them, else at the records of the kind, within the projects if these are
// named: each way has an index.
type Catalog struct {
	// Order is the ORDER BY of the records (alias d).
	Order string
	// Walk are the conditions for the records of a single project, which an index has in the
	// order Order; empty where the list cannot be read project by project.
	Walk Conditions

	details *DetailTable
	detail  Conditions // on details (alias x)
	record  Conditions // on records (alias d)
}

// NewCatalog translates a filter. It fails if the filter asks what the kind does not have, which is
// a mistake of the program.
func NewCatalog(f memory.CatalogFilter) (Catalog, error) {
	c := Catalog{Order: ` ORDER BY d.event_at DESC, d.seq DESC`, details: DetailsOf(f.Kind)}
	if err := c.detail.Details(f); err != nil {
		return c, err
	}
	c.record.Add("d.kind = ?", string(f.Kind))
	In(&c.record, "d.project", f.Projects)
	c.record.Valid(f)
	if err := c.record.Behind(f); err != nil {
		return c, err
	}
	switch {
	case f.Kind == memory.KindDiary:
		c.Order = ` ORDER BY (SELECT date FROM diary_details y WHERE y.agent = d.agent AND y.id = d.id) DESC NULLS LAST, d.event_at DESC, d.seq DESC`
	case len(c.detail.List) == 0 && len(f.Projects) > 0:
		c.Walk.Add("d.kind = ?", string(f.Kind))
		c.Walk.Valid(f)
		return c, c.Walk.Behind(f)
	}
	return c, nil
}

// From returns FROM and WHERE of a query for an agent's records, and its arguments. join is the
// backend's keyword between details and records (" JOIN"); index, which may be empty, follows the
// alias of records if the query does not start at details (" INDEXED BY ...").
func (c Catalog) From(agent, join, index string) (from string, args []any) {
	args = append(append([]any{agent}, c.detail.Args...), c.record.Args...)
	if len(c.detail.List) == 0 {
		return ` FROM records d` + index + ` WHERE d.agent = ?` + c.record.SQL(), args
	}
	return ` FROM ` + c.details.Name + ` x` + join + ` records d ON d.agent = x.agent AND d.id = x.id WHERE x.agent = ?` +
		c.detail.SQL() + c.record.SQL(), args
}

// Total derives from the number of records found on a page how many there are without Limit and
// Offset: a page that is not full is the last. known is false if they have to be counted.
func Total(f memory.CatalogFilter, found int) (total int, known bool) {
	return f.Offset + found, f.Uncounted || found != f.Limit && (found > 0 || f.Offset == 0)
}
