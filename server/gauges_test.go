package server

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"mcp-memory/memory"
)

// countedBanks is a store that counts how often it is asked.
type countedBanks struct {
	asked  int
	broken error
}

func (c *countedBanks) Agents(context.Context) ([]string, error) {
	c.asked++
	return []string{"ann", "bob"}, c.broken
}

func (c *countedBanks) Stats(_ context.Context, agent string) (memory.Stats, error) {
	n := map[string]int{"ann": 1, "bob": 10}[agent]
	return memory.Stats{
		Records: n, Turns: 2 * n, Vectors: 3 * n, VectorsQueued: 4 * n, VectorsFailed: 5 * n, DatabaseBytes: int64(100 * c.asked),
	}, nil
}

func (c *countedBanks) Busy() time.Duration { return 1500 * time.Millisecond }

// TestBankGauges: banks are counted together, again after a while, and what was
// counted stays where counting fails.
func TestBankGauges(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	banks := &countedBanks{}
	gauges := BankGauges(banks, func() time.Time { return now })
	counts := func(bytes int) string {
		return fmt.Sprintf("[{mcp_memory_database_write_seconds_total 1.5} {mcp_memory_records 11} {mcp_memory_turns 22} {mcp_memory_vectors 33} "+
			"{mcp_memory_vectors_queued 44} {mcp_memory_vectors_failed 55} {mcp_memory_database_bytes %d}]", bytes)
	}
	for _, step := range []struct {
		later  time.Duration
		broken error
		bytes  int // the database is 100 bytes larger at each count
	}{
		{0, nil, 100},
		{countEvery - 1, nil, 100},
		{1, nil, 200},
		{countEvery, errors.New("no reading today"), 200},
		{0, nil, 400},
	} {
		now, banks.broken = now.Add(step.later), step.broken
		got, err := gauges(t.Context())
		if fmt.Sprint(got) != counts(step.bytes) || !errors.Is(err, step.broken) {
			t.Errorf("after %v: %v, %v\nwant %s, %v", step.later, got, err, counts(step.bytes), step.broken)
		}
	}
}
