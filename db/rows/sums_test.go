package rows

import (
	"bytes"
	"testing"

	"mcp-memory/memory"
)

func TestKeys(t *testing.T) {
	var keys Keys
	for _, project := range []string{"", "a", "b", "b"} {
		for _, kind := range []memory.Kind{memory.KindFact, memory.KindSoul, memory.KindSoul} {
			for _, content := range []string{"", "Anna", "anna", "Bo", "Bo"} {
				if !bytes.Equal(keys.Of(project, kind, content), ContentKey(project, kind, content)) {
					t.Errorf("%q, %s, %q: the key of another content", project, kind, content)
				}
			}
		}
	}
}
