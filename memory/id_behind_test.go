package memory_test

import (
	"testing"
	"time"

	"mcp-memory/memory"
)

// TestIDsStandBehindWhatThereIs lets the clock be behind the one of an earlier process.
func TestIDsStandBehindWhatThereIs(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	at := func(shift time.Duration) *memory.IDs {
		return memory.NewIDs(func() time.Time { return now.Add(shift) })
	}
	ahead := at(30 * 24 * time.Hour).New()
	ids := at(0)
	ids.Behind(ahead)
	first, second := ids.New(), ids.New()
	if !(ahead < first && first < second) {
		t.Errorf("%s, then %s and %s", ahead, first, second)
	}
	plain := at(0).New()
	for _, other := range []string{"", "x", "ffffffff-ffff-7fff-bfff-ffffffffffff", "ffffffff-ffff-4fff-bfff-ffffffffffff",
		"zzzzzzzz-zzzz-7zzz-zzzz-zzzzzzzzzzzz", at(-time.Hour).New()} {
		ids := at(0)
		ids.Behind(other)
		if got := ids.New(); got[:13] != plain[:13] {
			t.Errorf("behind %q: %s, want the time of %s", other, got, plain)
		}
	}
}
