package rows_test

import (
	"strings"
	"testing"

	"mcp-memory/db/rows"
)

func TestAPhraseIsBounded(t *testing.T) {
	for _, whole := range []string{"", "harbour", "red green blue", "vat_rate_bp", "ü-1"} {
		if got := rows.Phrase(whole); got != whole {
			t.Errorf("%q of %q", got, whole)
		}
	}
	for _, pattern := range []string{"a@", "a ", "é.", "日 ", "1-", "@", "abc"} {
		got := rows.Phrase(strings.Repeat(pattern, 16000))
		if n := strings.Count(got, pattern); len(got) > 4<<10 || n > 4<<10/len(pattern) || len(got) == 0 ||
			strings.TrimSpace(pattern) != "@" && pattern != "abc" && n > 64 {
			t.Errorf("%d times %q", n, pattern)
		}
	}
}
