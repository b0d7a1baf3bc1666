package memorytool_test

import (
	"os"
	"testing"

	"mcp-memory/internal/testfiles"
)

func TestMain(m *testing.M) { os.Exit(testfiles.Both(m)) }
