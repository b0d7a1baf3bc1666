package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	if err := bench.Parse(flags, args); err != nil {
		return err
	}
	p.time = time.Duration(*seconds) * time.Second
	if p.records < 1 || p.clients < 1 || p.saves < 0 || p.saves > 100 || p.time <= 0 {
		return errors.New("records, clients and seconds are at least 1, saves is a percentage")
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
	return p.measure(ctx, dir, stdout)
}

func (p plan) measure(ctx context.Context, dir string, out io.Writer) error {
	s := &service{binary: p.binary, data: filepath.Join(dir, "data"), address: "127.0.0.1:0"}
	begun := time.Now()
	if err := s.fill(ctx, dir, p.records); err != nil {
		return fmt.Errorf("fill the store: %w", err)
	}
	fmt.Fprintf(out, "%d facts imported in %.1f s\n", p.records, time.Since(begun).Seconds())
	if err := s.start(ctx); err != nil {
		return err
	}
	defer s.kill()
	crew := newCrew(s, p)
	if err := crew.warm(ctx); err != nil {
		return err
	}
	crew.work(ctx, out)
	if err := crew.report(out); err != nil {
		return err
	}
	if err := crew.checkSaved(ctx, out); err != nil {
		return err
	}
	return s.end()
}
