package docstest

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The binary has one budget: where it is measured, where it is enforced, and where it
// is written down.
func TestBinaryBudget(t *testing.T) {
	budgets := map[string]string{}
	for file, pattern := range map[string]string{
		".ci/run":              `(?m)^max_binary_mib=(\d+)$`,
		"eval/load/budgets.go": `(?m)^const binaryBudget = (\d+)$`,
		"docs/evaluation.md":   `(?m)^\| binary, .* \| (\d+) MiB \|$`,
	} {
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(pattern).FindSubmatch(text)
		if m == nil {
			t.Errorf("%s has no budget of the binary", file)
			continue
		}
		budgets[file] = string(m[1])
	}
	for file, budget := range budgets {
		if budget != budgets[".ci/run"] {
			t.Errorf("%s allows the binary %s MiB, .ci/run %s", file, budget, budgets[".ci/run"])
		}
	}
}
