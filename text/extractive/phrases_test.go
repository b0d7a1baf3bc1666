package extractive

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTables: every table that is asked for is in phrases.txt, each of those is asked
// for, and each of its rows has words.
func TestTables(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\b(?:in|opening|whole)\("([^"]+)",`).FindAllStringSubmatch(string(text), -1) {
			asked[m[1]] = true
		}
	}
	for _, r := range rules {
		asked[r.table] = true
	}
	asked["allowing"], asked["sparing"] = true, true // by the variable table
	for name := range asked {
		if _, ok := sections()[name]; !ok {
			t.Errorf("there is no [%s]", name)
		}
	}
	for name, rows := range sections() {
		if strings.HasPrefix(name, "#") {
			continue // what the file begins with
		}
		if !asked[name] {
			t.Errorf("[%s] is never asked for", name)
		}
		for row := range strings.Lines(rows) {
			if row = strings.TrimSpace(row); row != "" && !strings.HasPrefix(row, "//") && len(compile(row).parts) == 0 {
				t.Errorf("[%s] has a row without words: %q", name, row)
			}
		}
	}
}
