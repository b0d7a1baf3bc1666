package recall

import (
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/salience"
)

func TestLiteral(t *testing.T) {
	for _, c := range []struct {
		content string
		parts   []string
		want    float64
	}{
		{"", nil, 0},
		{"anything", nil, 0},
		{"See ERR-42.", []string{"ERR-42"}, 1},
		{"see err-42", []string{"ERR-42"}, 1},
		{"See ERR-4.", []string{"ERR-42"}, 0},
		{"ferries", []string{"ferr", "harbourside"}, 4.0 / 15}, // by their length
		{"ferr harbourside", []string{"ferr", "harbourside"}, 1},
	} {
		if got := literal(c.content, c.parts); !near(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.parts, c.content, got, c.want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for _, c := range []struct {
		query, content string
		want           bool
	}{
		{"Old ferries never sink", "they say that old  ferries never sink, do they", true},
		{"Old ferries never sink", "old ferries rarely sink", false},
		{"old ferries", "we saw old ferries there", false}, // two words prove nothing
		{"old ferries", "Old Ferries", true},               // but for the whole
	} {
		q, err := understanding(nil).understand(t.Context(), Request{Query: c.query})
		if got := quoted(c.content, q); got != c.want || err != nil {
			t.Errorf("%q in %q: %v, %v", c.query, c.content, got, err)
		}
	}
}

func TestStale(t *testing.T) {
	second := time.Second
	for name, c := range map[string]struct {
		edit func(r *memory.Record)
		want bool
	}{
		"as it was":           {func(*memory.Record) {}, false},
		"corrected":           {func(r *memory.Record) { r.SupersededBy = "x" }, true},
		"true until now":      {func(r *memory.Record) { r.ValidUntil = noon }, true},
		"true for a second":   {func(r *memory.Record) { r.ValidUntil = noon.Add(second) }, false},
		"true from now":       {func(r *memory.Record) { r.ValidFrom = noon }, false},
		"true in a second":    {func(r *memory.Record) { r.ValidFrom = noon.Add(second) }, true},
		"archived is no lie":  {func(r *memory.Record) { r.ArchivedAt = noon.Add(-second) }, false},
		"corrects is no flaw": {func(r *memory.Record) { r.Supersedes = "x" }, false},
	} {
		one := &candidate{Document: memory.Document{Record: memory.Record{CreatedAt: noon.Add(-time.Hour), Content: "The ferry is blue."}}}
		c.edit(&one.Record)
		q := question{Request: Request{Query: "the ferry", Now: noon}}
		if measure(one, q, salience.Default()); one.stale != c.want {
			t.Errorf("%s: stale is %v", name, one.stale)
		}
		// As of a moment the filter has seen to it.
		q.Filter.AsOf = noon
		if measure(one, q, salience.Default()); one.stale {
			t.Errorf("%s: stale as of then", name)
		}
	}
}

// What is measured of a document goes to its own feature.
func TestMeasureFillsInEveryFeature(t *testing.T) {
	one := &candidate{Document: memory.Document{Record: memory.Record{
		Content: "The blue ferry sank twice.", Importance: 0.4, CreatedAt: noon, OccurredAt: noon.AddDate(0, 0, -30),
	}}}
	q, err := understanding(nil).understand(t.Context(), Request{Query: "blue ferry sank"})
	if err != nil {
		t.Fatal(err)
	}
	measure(one, q, salience.Default())
	if f := one.features; f.literal != 1 || f.verbatim != 1 || !near(f.salience, 0.4) || !near(f.recency, 0.5) || f.stale {
		t.Errorf("%+v", f)
	}
}
