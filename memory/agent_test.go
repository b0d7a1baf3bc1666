package memory_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
)

func TestCheckAgent(t *testing.T) {
	for name, ok := range map[string]bool{
		"anna": true, "Änne-2_x@host.y": true, "7": true, strings.Repeat("a", 128): true,
		"": false, ".": false, "..": false, "a/b": false, `a\b`: false,
		"-a": false, "a b": false, "a\x00": false, strings.Repeat("a", 129): false,
		"con": false, "Nul": false, "aux.txt": false, "COM1": false, "lpt¹": false, "prn.": false, "ann.": false,
		"console": true, "con-1": true, "com10": true, "ann.b": true,
		strings.Repeat("語", 85): true, strings.Repeat("語", 86): false,
	} {
		if err := memory.CheckAgent(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}
