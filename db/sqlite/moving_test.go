package sqlite

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// TestEveryColumnIsCarried: what is not carried to another store is made anew there.
func TestEveryColumnIsCarried(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"),
		Options{Embedder: memory.Fingerprint{Model: "m", Dimensions: 4}, Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	derived := []string{"record_slots", "slots_due", "checksums_due", "record_counts"}
	tables, err := queryAll(t.Context(), s.read, rows.ScanText, tablesOfAgents)
	if err != nil {
		t.Fatal(err)
	}
	carried := map[string][]string{}
	for _, c := range rows.Carried() {
		carried[c.Name] = c.Columns
	}
	for _, table := range append(tables, "banks", "tokens") {
		if slices.Contains(derived, table) {
			continue
		}
		columns, err := queryAll(t.Context(), s.read, rows.ScanText, `SELECT name FROM pragma_table_info(?) WHERE name <> 'agent'`, table)
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range columns {
			own := table == "banks" && slices.Contains([]string{"bank", "changes", "rewrites"}, column)
			if !own && !slices.Contains(carried[table], column) {
				t.Errorf("%s.%s is not carried", table, column)
			}
		}
		delete(carried, table)
	}
	if len(carried) > 0 {
		t.Errorf("there are no tables %v", carried)
	}
}
