package rows

import (
	"fmt"
	"strings"

	"mcp-memory/memory"
)

// Conditions collects SQL conditions on documents (alias d), with a question mark for each argument.
type Conditions struct {
	List []string
	Args []any
}

// Add adds a condition.
func (w *Conditions) Add(condition string, args ...any) {
	w.List = append(w.List, condition)
	w.Args = append(w.Args, args...)
}

// SQL returns the conditions joined by AND, with a leading " AND ".
func (w *Conditions) SQL() string {
	if len(w.List) == 0 {
		return ""
	}
	return " AND " + strings.Join(w.List, " AND ")
}

// In adds column IN (values), unless there are none.
func In[T ~string](w *Conditions, column string, values []T) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = string(v)
	}
	w.Add(column+" IN ("+Placeholders(len(values))+")", args...)
}

// Placeholders returns n question marks, for a list of values.
func Placeholders(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

// TrueAt adds that a record's validity holds at a moment, which [Micros] gives.
func (w *Conditions) TrueAt(moment any) {
	w.Add("(d.valid_from IS NULL OR d.valid_from <= ?)", moment)
	w.Add("(d.valid_until IS NULL OR d.valid_until > ?)", moment)
}

// Times adds the conditions Since, Until and KnownAt of a filter.
func (w *Conditions) Times(c memory.Corpus, f memory.Filter) {
	event := "d.said_at"
	if c == memory.Memories {
		event = "d.event_at"
	}
	if !f.Since.IsZero() {
		w.Add(event+" >= ?", Micros(f.Since))
	}
	if !f.Until.IsZero() {
		w.Add(event+" < ?", Micros(f.Until))
	}
	if !f.KnownAt.IsZero() {
		w.Add("d.created_at <= ?", Micros(f.KnownAt))
	}
}

// Live adds what a filter asks of a record's state: whether it is archived, was
// corrected, and when it was true.
func (w *Conditions) Live(f memory.Filter) {
	w.not("archived_at", "archived_at", f, f.IncludeArchived)
	if !f.AsOf.IsZero() {
		w.TrueAt(Micros(f.AsOf))
		return // a record that was corrected later may have been true then
	}
	w.not("superseded_by", "superseded_at", f, f.IncludeSuperseded)
}

// not adds, unless included, that an event such as archiving has not happened to a record: its
// column is NULL. With KnownAt it suffices that it had not happened then, by the time in since.
func (w *Conditions) not(column, since string, f memory.Filter, included bool) {
	switch {
	case included:
	case f.KnownAt.IsZero():
		w.Add("d." + column + " IS NULL")
	default:
		w.Add("(d."+column+" IS NULL OR d."+since+" > ?)", Micros(f.KnownAt))
	}
}

// Valid adds that a record is true at AsOf, or else now, and that it is neither archived nor,
// without AsOf, superseded. With Every only AsOf counts, if it is set.
func (w *Conditions) Valid(f memory.CatalogFilter) {
	at := f.AsOf
	if !f.Every {
		w.Add("d.archived_at IS NULL")
		if at.IsZero() {
			w.Add("d.superseded_by IS NULL")
			at = f.Now
		}
	}
	if !at.IsZero() {
		w.TrueAt(Micros(at))
	}
}

// Behind adds that a record comes after the one named by f.Behind in the order of a list, newest
// event first. It fails for diary entries, which are in another order.
func (w *Conditions) Behind(f memory.CatalogFilter) error {
	if f.Behind == "" {
		return nil
	}
	if f.Kind == memory.KindDiary {
		return fmt.Errorf("catalog of kind %q behind a record", f.Kind)
	}
	w.Add("(d.event_at, d.seq) < (SELECT b.event_at, b.seq FROM records b WHERE b.agent = ? AND b.id = ?)", f.Agent, f.Behind)
	return nil
}

// catalogFields are the fields of a catalog's filter and, for each kind that has such a field, the
// SQL condition on its details (alias x), in the order in which they stand in a query.
var catalogFields = []struct {
	name  string
	value func(memory.CatalogFilter) string
	sql   map[memory.Kind]string
}{
	{"type", func(f memory.CatalogFilter) string { return f.Type }, map[memory.Kind]string{
		memory.KindSoul: "x.type = ?", memory.KindLearning: "x.type = ?", memory.KindRelationship: "x.type_key = ?",
	}},
	{"subject", func(f memory.CatalogFilter) string { return f.Subject }, map[memory.Kind]string{memory.KindTriple: "x.subject_key = ?"}},
	{"predicate", func(f memory.CatalogFilter) string { return f.Predicate },
		map[memory.Kind]string{memory.KindTriple: "x.predicate_key = ?"}},
	{"object", func(f memory.CatalogFilter) string { return f.Object }, map[memory.Kind]string{memory.KindTriple: "x.object_key = ?"}},
	{"party", func(f memory.CatalogFilter) string { return f.Party }, map[memory.Kind]string{memory.KindRelationship: "x.party_key = ?"}},
	{"name", func(f memory.CatalogFilter) string { return f.Name }, map[memory.Kind]string{memory.KindProcedure: "x.name_key = ?"}},
	{"first date", func(f memory.CatalogFilter) string { return f.From }, map[memory.Kind]string{memory.KindDiary: "x.date >= ?"}},
	{"last date", func(f memory.CatalogFilter) string { return f.To }, map[memory.Kind]string{memory.KindDiary: "x.date <= ?"}},
}

// Details adds the conditions of a catalog's filter on details (alias x). It fails if the filter
// asks about a field that the kind does not have, as a mistake of the program and not of its caller.
func (w *Conditions) Details(f memory.CatalogFilter) error {
	if !f.Kind.Valid() {
		return fmt.Errorf("catalog of kind %q", f.Kind)
	}
	for _, field := range catalogFields {
		value := field.value(f)
		if value == "" {
			continue
		}
		condition, ok := field.sql[f.Kind]
		if !ok {
			return fmt.Errorf("catalog of kind %q by %s", f.Kind, field.name)
		}
		w.Add(condition, memory.SameContent(value))
	}
	return nil
}
