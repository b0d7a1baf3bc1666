package mirror_test

import (
	"flag"
	"os"
	"testing"

	"mcp-memory/internal/testfiles"
)

// TestMain has the properties checked a few times where nobody says how often: each
// opens a database. -rapid.checks=1000 is for a night.
func TestMain(m *testing.M) {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "rapid.checks" })
	if !said {
		_ = flag.Set("rapid.checks", "20")
	}
	os.Exit(testfiles.Both(m))
}
