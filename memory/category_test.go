package memory_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
)

func TestNormalCategory(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "  ": "", "Goal": "goal", " to  do ": "to-do", "7th": "7th", "größe": "größe", "記憶": "記憶", "²x": "²x", "a_b-c": "a_b-c",
		strings.Repeat("語", 64): strings.Repeat("語", 64),
	} {
		if got, err := memory.NormalCategory(name); got != want || err != nil {
			t.Errorf("%q is %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"-a", "_a", "a.b", "a/b", "a\xff", "é̩", "a\x00", strings.Repeat("a", 65)} {
		if got, err := memory.NormalCategory(name); memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%q is %q, %v", name, got, err)
		}
	}
}
