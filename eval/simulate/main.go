package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"mcp-memory/eval/bench"
)

func main() { bench.Main("simulate", run) }

// world is what is simulated.
type world struct {
	banks    int
	requests int     // that count; half as many again come before
	rate     float64 // a second, of all banks
	zipf     float64 // exponent of the activity of banks
	saves    int     // percent of the requests
	memory   int64   // bytes for indexes, of each server
	cores    int     // of each server
	seed     uint64
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := bench.Flags("simulate", stderr)
	var w world
	flags.IntVar(&w.banks, "banks", 10_000_000, "how many there are")
	flags.IntVar(&w.requests, "requests", 1_000_000, "that are counted; as many come before to fill the caches")
	flags.Float64Var(&w.rate, "rate", 2000, "requests a second of all")
	flags.Float64Var(&w.zipf, "zipf", 1.05, "exponent of Zipf's law, over 1: how much more the busiest banks ask than others")
	flags.IntVar(&w.saves, "saves", 30, "percent of the requests that save; the others recall")
	megabytes := flags.Int64("memory", 2048, "MB of each server for indexes")
	flags.IntVar(&w.cores, "cores", 4, "of each server")
	flags.Uint64Var(&w.seed, "seed", 1, "of all chance")
	if err := bench.Parse(flags, args); err != nil {
		return err
	}
	w.memory = *megabytes << 20
	if w.banks < 1 || w.requests < 1 || w.rate <= 0 || w.zipf <= 1 || w.saves < 0 || w.saves > 100 || w.memory < 1 || w.cores < 1 {
		return errors.New("banks, requests, memory and cores are at least 1, rate is over 0, zipf over 1, saves a percentage")
	}
	begun := time.Now()
	costs, err := measure(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "measured in %.1f s:\n\n| memories of a bank | first recall ms | further ms | index KB |\n|---|---|---|---|\n",
		time.Since(begun).Seconds())
	for _, c := range costs.recalls {
		fmt.Fprintf(stdout, "| %.0f | %.2f | %.2f | %.0f |\n", c.records, c.first*1000, c.further*1000, c.bytes/1024)
	}
	fmt.Fprintf(stdout, "\na save takes %.2f ms; %d banks, %.0f requests a second, %d %% saves, %d MB for indexes a server\n\n",
		costs.save*1000, w.banks, w.rate, w.saves, *megabytes)
	fmt.Fprintln(stdout,
		"| servers | a token's requests go to | found in memory % | indexes MB a server | p50 ms | p95 ms | p99 ms | busy % |\n|---|---|---|---|---|---|---|---|")
	for _, servers := range []int{1, 2, 4, 8, 16, 32} {
		for _, pinned := range []bool{true, false} {
			if servers == 1 && !pinned {
				continue
			}
			o := w.simulate(costs, servers, pinned)
			to := map[bool]string{true: "one server", false: "any"}[pinned]
			fmt.Fprintf(stdout, "| %d | %s | %.1f | %.0f | %.2f | %.2f | %.2f | %.0f |\n", servers, to, o.hits*100, o.megabytes, o.p50*1000,
				o.p95*1000, o.p99*1000, o.busy*100)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	fmt.Fprintf(stdout, "\n%.1f s in all\n", time.Since(begun).Seconds())
	return nil
}
