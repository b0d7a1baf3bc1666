package web

import (
	"strconv"
	"testing"
	"time"

	"mcp-memory/access"
)

// Of more identities than are remembered, the one that asked longest ago is
// forgotten, and no other.
func TestRatesForgetTheOldest(t *testing.T) {
	now := time.Unix(1e9, 0)
	r := newRates(0.001, 1, func() time.Time { return now }, nil)
	for _, key := range []string{"busy", "oldest"} {
		if r.take(t.Context(), access.Identity{Token: key}) != 0 {
			t.Fatalf("%s cannot begin", key)
		}
	}
	for i := range maxRates - 1 {
		if r.take(t.Context(), access.Identity{Token: "busy"}) == 0 {
			t.Fatalf("busy was forgotten after %d others", i)
		}
		if r.take(t.Context(), access.Identity{Token: strconv.Itoa(i)}) != 0 {
			t.Fatalf("%d cannot begin", i)
		}
	}
	if r.take(t.Context(), access.Identity{Token: "busy"}) == 0 || r.take(t.Context(), access.Identity{Token: "1"}) == 0 {
		t.Error("more than one was forgotten")
	}
	if r.take(t.Context(), access.Identity{Token: "oldest"}) != 0 {
		t.Error("the oldest is remembered")
	}
}
