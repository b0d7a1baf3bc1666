package rows

import "mcp-memory/memory"

// Catalog is what a [memory.CatalogFilter] asks of a bank, in SQL. A query starts at
// the details of a kind if something is asked about them, else at the records of the
// kind, in the projects if these are named: each has an index for it.
type Catalog struct {
	// Order is that of the records (alias d), as ORDER BY.
	Order string
	// Walk are the conditions under which the records of one project are found in
	// Order by an index; none where the projects cannot be walked one by one.
	Walk Conditions

	details *DetailTable
	detail  Conditions // on details (alias x)
	record  Conditions // on records (alias d)
}

// NewCatalog reads a filter. An error is a mistake of the program.
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

// From returns FROM and WHERE of a query for an agent's records. A backend may say how it joins
// them to details (" JOIN"), and name an index of theirs behind the alias where there are no details to start at.
func (c Catalog) From(agent, join, index string) (from string, args []any) {
	args = append(append([]any{agent}, c.detail.Args...), c.record.Args...)
	if len(c.detail.List) == 0 {
		return ` FROM records d` + index + ` WHERE d.agent = ?` + c.record.SQL(), args
	}
	return ` FROM ` + c.details.Name + ` x` + join + ` records d ON d.agent = x.agent AND d.id = x.id WHERE x.agent = ?` +
		c.detail.SQL() + c.record.SQL(), args
}

// Total tells by the page of a catalog that was found how many records there are
// without Limit and Offset; known is false where they have to be counted.
func Total(f memory.CatalogFilter, found int) (total int, known bool) {
	return f.Offset + found, f.Uncounted || found != f.Limit && (found > 0 || f.Offset == 0)
}
