package remember

import (
	"testing"
	"time"
)

// A step has as many records as fit into a turn by what the one before took, at least one, and at most twice as many.
func TestNextStep(t *testing.T) {
	for _, c := range []struct {
		records int
		took    time.Duration
		want    int
	}{
		{4, eraseTurn, 4}, {4, 2 * eraseTurn, 2}, {4, time.Second, 1}, {1, time.Second, 1},
		{4, eraseTurn / 10, 8}, {1, 0, 2}, {3, eraseTurn * 3 / 4, 4},
	} {
		if got := nextStep(c.records, c.took); got != c.want {
			t.Errorf("after %d in %v: %d, not %d", c.records, c.took, got, c.want)
		}
	}
}
