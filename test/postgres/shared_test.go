//go:build postgres

package postgres

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/memory"
)

// TestShared: values of an agent are there until their time is over, and only for it.
func TestShared(t *testing.T) {
	s, _ := open(t)
	shared := s.(memory.Shared)
	share := func(agent string, keep time.Duration, keys ...string) {
		t.Helper()
		values := map[string]string{}
		for _, key := range keys {
			values[key] = "of " + agent
		}
		if err := shared.Share(t.Context(), agent, values, keep); err != nil {
			t.Fatal(err)
		}
	}
	has := func(agent, prefix string, want ...string) {
		t.Helper()
		got, err := shared.Shared(t.Context(), agent, prefix)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s has %v, %v; want %v", agent, got, err, want)
		}
		for _, key := range want {
			if got[key] != "of "+agent {
				t.Errorf("%s: %s is %q", agent, key, got[key])
			}
		}
	}
	share("ann", time.Hour, "a/1", "a/2", "b%/1", "b")
	share("bob", time.Hour, "a/1")
	share("ann", -time.Second, "a/old")
	has("ann", "a/", "a/1", "a/2")
	has("ann", "b%", "b%/1")
	has("bob", "", "a/1")
	has("eve", "")
	share("ann", -time.Second, "a/2")
	has("ann", "a/", "a/1")
	if err := shared.Unshare(t.Context(), "ann", "b"); err != nil {
		t.Fatal(err)
	}
	has("ann", "", "a/1")
	has("bob", "", "a/1")
	if changes, err := s.Changes(t.Context(), "ann"); err != nil || changes.Writes != 0 {
		t.Errorf("it counts as a change: %+v, %v", changes, err)
	}
}

// TestSpend: a bucket gives no more than it holds, whoever asks at the same time.
func TestSpend(t *testing.T) {
	s, url := open(t)
	another := openAt(t, url, 0)
	var given, refused atomic.Int64
	var callers sync.WaitGroup
	for i := range 8 {
		from := []memory.Store{s, another}[i%2].(memory.Shared)
		callers.Go(func() {
			for range 5 {
				wait, err := from.Spend(t.Context(), "ann", "rate", time.Hour, 10*time.Hour)
				switch {
				case err != nil:
					t.Error(err)
				case wait == 0:
					given.Add(1)
				case wait > time.Hour:
					t.Errorf("wait %v for one", wait)
				default:
					refused.Add(1)
				}
			}
		})
	}
	callers.Wait()
	if given.Load() != 10 || refused.Load() != 30 {
		t.Errorf("%d given, %d refused", given.Load(), refused.Load())
	}
	for _, bucket := range [][2]string{{"bob", "rate"}, {"ann", "other"}} {
		if wait, err := s.(memory.Shared).Spend(t.Context(), bucket[0], bucket[1], time.Hour, time.Hour); wait != 0 || err != nil {
			t.Errorf("%v: %v, %v", bucket, wait, err)
		}
	}
}
