package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mcp-memory/eval/bench"
	"mcp-memory/internal/testbinary"
)

func main() { bench.Main("fleet", run) }

// plan is what to measure.
type plan struct {
	records, clients int
	saves            int // percent of the calls
	time             time.Duration
	kill             bool
	binary           string
	database         string // URL of a PostgreSQL server; "" is a file
	banks            int
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := bench.Flags("fleet", stderr)
	var p plan
	flags.IntVar(&p.records, "records", 50_000, "facts in the store before it begins")
	flags.IntVar(&p.clients, "clients", 64, "clients at once")
	flags.IntVar(&p.saves, "saves", 30, "percent of the calls that save; the others recall")
	seconds := flags.Int("seconds", 60, "how long")
	flags.BoolVar(&p.kill, "kill", false, "kill the server in the middle and start it again")
	flags.StringVar(&p.binary, "binary", "", "the program to measure (default: built from cmd/mcp-memory)")
	flags.StringVar(&p.database, "database", "",
		"URL of a PostgreSQL server, in a schema of its own that is dropped in the end (default: a file)")
	flags.IntVar(&p.banks, "banks", 1, "banks, each with so many records, its own token, and its requests at one server")
	counts := flags.String("servers", "1", "how many servers, one after the other with commas, on the same database")
	if err := bench.Parse(flags, args); err != nil {
		return err
	}
	p.time = time.Duration(*seconds) * time.Second
	if p.records < 1 || p.clients < 1 || p.saves < 0 || p.saves > 100 || p.time <= 0 {
		return errors.New("records, clients and seconds are at least 1, saves is a percentage")
	}
	var rounds []int
	for _, text := range strings.Split(*counts, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 || n > 1 && p.database == "" {
			return errors.New("servers are numbers from 1, and more than one need a database")
		}
		rounds = append(rounds, n)
	}
	if p.banks < 1 || p.kill && (len(rounds) > 1 || rounds[0] > 1) {
		return errors.New("banks are at least 1, and only a single server is killed")
	}
	dir, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if p.binary == "" {
		if p.binary, err = testbinary.Build(ctx, dir, ""); err != nil {
			return err
		}
	}
	return p.measure(ctx, dir, rounds, stdout)
}

// measure fills the banks and lets each number of servers serve them.
func (p plan) measure(ctx context.Context, dir string, rounds []int, out io.Writer) error {
	f := &fleet{plan: p, dir: dir}
	if p.database != "" {
		dropSchema, err := f.ownSchema(ctx)
		if err != nil {
			return err
		}
		defer dropSchema()
	}
	begun := time.Now()
	if err := f.fill(ctx); err != nil {
		return fmt.Errorf("fill the store: %w", err)
	}
	fmt.Fprintf(out, "%d facts in each of %d banks after %.1f s\n", p.records, p.banks, time.Since(begun).Seconds())
	first := 0.0
	for _, servers := range rounds {
		if len(rounds) > 1 {
			fmt.Fprintf(out, "\n%d servers\n", servers)
		}
		crew, err := f.round(ctx, servers, out)
		if err != nil {
			return err
		}
		if first == 0 {
			first = crew.rate()
		} else {
			fmt.Fprintf(out, "%.2f times the calls of the first round\n", crew.rate()/first)
		}
	}
	return nil
}

// round lets so many servers work until the time is over.
func (f *fleet) round(ctx context.Context, servers int, out io.Writer) (*crew, error) {
	defer f.kill()
	for n := range servers {
		s := &service{binary: f.plan.binary, data: filepath.Join(f.dir, fmt.Sprint("data", n)), database: f.database,
			address: "127.0.0.1:0"}
		if err := s.start(ctx); err != nil {
			return nil, err
		}
		f.services = append(f.services, s)
	}
	crew := newCrew(f)
	if err := crew.warm(ctx); err != nil {
		return nil, err
	}
	crew.work(ctx, out)
	if err := crew.report(out); err != nil {
		return nil, err
	}
	if err := crew.checkSaved(ctx, out); err != nil {
		return nil, err
	}
	return crew, f.end()
}
