package server

import (
	"context"
	"sync"
	"time"

	"mcp-memory/memory"
)

// countEvery is the age at which the counts in the metrics are renewed. Counting costs more than a
// call.
const countEvery = 15 * time.Second

// Banks is the store that [BankGauges] counts.
type Banks interface {
	// Agents returns the owners of all banks.
	Agents(ctx context.Context) ([]string, error)
	// Stats counts one bank.
	Stats(ctx context.Context, agent string) (memory.Stats, error)
	// Busy returns the total time spent in writes.
	Busy() time.Duration
}

// BankGauges returns a function that returns the sums over all banks. It counts again if the last
// counts are 15 seconds old or older. If that fails, it returns the last counts with the error.
// Safe for concurrent use.
func BankGauges(banks Banks, clock memory.Clock) func(context.Context) ([]Gauge, error) {
	var (
		mu   sync.Mutex
		at   time.Time
		last []Gauge
	)
	return func(ctx context.Context) ([]Gauge, error) {
		mu.Lock()
		defer mu.Unlock()
		var err error
		if clock().Sub(at) >= countEvery {
			var counted []Gauge
			if counted, err = countBanks(ctx, banks); err == nil {
				last, at = counted, clock()
			}
		}
		busy := Gauge{Name: "mcp_memory_database_write_seconds_total", Value: banks.Busy().Seconds()}
		return append([]Gauge{busy}, last...), err
	}
}

func countBanks(ctx context.Context, banks Banks) ([]Gauge, error) {
	agents, err := banks.Agents(ctx)
	if err != nil {
		return nil, err
	}
	var sum memory.Stats
	for _, agent := range agents {
		one, err := banks.Stats(ctx, agent)
		if err != nil {
			return nil, err
		}
		sum.Records += one.Records
		sum.Turns += one.Turns
		sum.Vectors += one.Vectors
		sum.VectorsQueued += one.VectorsQueued
		sum.VectorsFailed += one.VectorsFailed
		sum.DatabaseBytes = one.DatabaseBytes
	}
	return []Gauge{
		{Name: "mcp_memory_records", Value: float64(sum.Records)},
		{Name: "mcp_memory_turns", Value: float64(sum.Turns)},
		{Name: "mcp_memory_vectors", Value: float64(sum.Vectors)},
		{Name: "mcp_memory_vectors_queued", Value: float64(sum.VectorsQueued)},
		{Name: "mcp_memory_vectors_failed", Value: float64(sum.VectorsFailed)},
		{Name: "mcp_memory_database_bytes", Value: float64(sum.DatabaseBytes)},
	}, nil
}
