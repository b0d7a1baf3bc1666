package secrets_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"mcp-memory/text/secrets"
)

// TestSet: lines of two sets, of which only the dev halves were looked at for the patterns, are
// told apart.
func TestSet(t *testing.T) {
	for name, must := range map[string]struct{ found, wrong int }{"secrets.dev": {86, 1}, "secrets.held": {75, 3}, "own.dev": {96, 1},
		"own.held": {83, 1}} { // percent
		t.Run(name, func(t *testing.T) {
			file, err := os.Open("../../eval/sets/judgement/secrets/" + name + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			var all, told [2]int // those without a secret, those with one
			for lines := bufio.NewScanner(file); lines.Scan(); {
				var line struct {
					Case, Content, Sort string
					Secret              bool
				}
				if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
					t.Fatal(err)
				}
				sort := 0
				if line.Secret {
					sort = 1
				}
				all[sort]++
				seen := secrets.Find(line.Content)
				if seen != "" {
					told[sort]++
				}
				if line.Secret != (seen != "") && strings.HasSuffix(name, "dev") {
					t.Logf("%s %s: %s (seen: %s)", line.Case, line.Sort, line.Content, seen)
				}
			}
			t.Logf("found %d of %d, wrong %d of %d", told[1], all[1], told[0], all[0])
			if 100*told[1] < must.found*all[1] || 100*told[0] > must.wrong*all[0] {
				t.Error("too few are told apart")
			}
		})
	}
}
