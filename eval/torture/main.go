package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"mcp-memory/eval/bench"
	"mcp-memory/eval/child"
	"mcp-memory/internal/testbinary"
)

func main() { bench.Main("torture", run) }

// errLost is the end of a run in which something was lost.
var errLost = errors.New("something acknowledged is lost or half made")

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := bench.Flags("torture", stderr)
	minutes := flags.Float64("minutes", 1, "how long; every scenario has its first round in any case")
	seed := flags.Uint64("seed", 0, "what the rounds do (default: any)")
	binary := flags.String("binary", "", "the program (default: built from cmd/mcp-memory)")
	older := flags.String("older", "", "an older program, which takes part as such")
	var only bench.List
	flags.Var(&only, "only", "only this scenario; may be repeated")
	if err := bench.Parse(flags, args); err != nil {
		return err
	}
	for _, name := range only {
		if !slices.ContainsFunc(scenarios, func(s scenario) bool { return s.name == name }) {
			return fmt.Errorf("there is no scenario %q", name)
		}
	}
	if *seed == 0 {
		*seed = uint64(rand.Uint32())
	}
	dir, err := os.MkdirTemp("", "torture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := suite{dir: dir, seed: *seed, older: *older, usual: map[string]time.Duration{}, out: stdout,
		progress: progress(stderr, time.Duration(*minutes*float64(time.Minute)))}
	if *binary == "" {
		if *binary, err = testbinary.Build(ctx, dir, movedTag); err != nil {
			return err
		}
	}
	if s.program, err = child.New(ctx, dir, *binary); err != nil {
		return err
	}
	if s.older != "" {
		if s.older, err = filepath.Abs(s.older); err != nil {
			return err
		}
	}
	for _, one := range scenarios {
		if len(only) == 0 || slices.Contains(only, one.name) {
			s.rows = append(s.rows, &row{scenario: one})
		}
	}
	return s.run(ctx, time.Duration(*minutes*float64(time.Minute)))
}

// suite is a run of the program.
type suite struct {
	dir      string
	program  child.Program
	older    string // path of an older program, or empty
	seed     uint64
	rows     []*row
	bases    map[string]base          // banks that rounds begin with, by name
	usual    map[string]time.Duration // what a command takes when nobody kills it
	out      io.Writer
	progress func(done time.Duration, what string)
}

// row is what came of all rounds of a scenario.
type row struct {
	scenario
	rounds int
	tally
	skipped string // why there were none
}

// tally is what a round has done and seen.
type tally struct {
	kills        int
	pages        int // damaged
	acknowledged int // saves, erasures and states that were said to be on disk
	named        int // rows that a repair says are lost, of pages that were damaged
	lost         int // acknowledged and not there, or there again
	half         int // neither before nor after
}

func (t *tally) add(o tally) {
	t.kills += o.kills
	t.pages += o.pages
	t.acknowledged += o.acknowledged
	t.named += o.named
	t.lost += o.lost
	t.half += o.half
}

func (s *suite) run(ctx context.Context, length time.Duration) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	begun := time.Now()
	for n := 0; n == 0 || time.Since(begun) < length; n++ {
		for _, r := range s.rows {
			if n > 0 && time.Since(begun) >= length || r.skipped != "" {
				continue
			}
			s.progress(time.Since(begun), fmt.Sprintf("%s: %d kills", r.name, s.sum().kills))
			if err := s.round(ctx, r); err != nil {
				return errors.Join(err, s.report())
			}
		}
	}
	s.progress(0, "")
	return s.report()
}

// round does one round of a scenario in a directory of its own.
func (s *suite) round(ctx context.Context, row *row) error {
	dir, err := os.MkdirTemp(s.dir, row.name+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	stream := uint64(row.rounds)
	for _, c := range row.name {
		stream = stream*131 + uint64(c)
	}
	r := &round{suite: s, chance: rand.New(rand.NewPCG(s.seed, stream)), dir: dir}
	err = row.play(ctx, r)
	var skip skipError
	if errors.As(err, &skip) {
		row.skipped = string(skip)
		return nil
	}
	row.rounds++
	row.add(r.tally)
	for _, what := range r.wrong {
		fmt.Fprintf(s.out, "%s, seed %d, round %d: %s\n", row.name, s.seed, row.rounds, what)
	}
	if err != nil {
		return fmt.Errorf("%s, seed %d, round %d: %w", row.name, s.seed, row.rounds, err)
	}
	return nil
}

// skipError says why a scenario cannot be played here.
type skipError string

func (e skipError) Error() string { return string(e) }

func (s *suite) sum() (t tally) {
	for _, r := range s.rows {
		t.add(r.tally)
	}
	return t
}

func (s *suite) report() error {
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "scenario\trounds\tkills\tpages damaged\tacknowledged\tnamed by repair\tlost\thalf made\t")
	line := func(name string, rounds int, c tally) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, rounds, c.kills, c.pages, c.acknowledged, c.named, c.lost, c.half)
	}
	rounds := 0
	for _, r := range s.rows {
		line(r.name, r.rounds, r.tally)
		rounds += r.rounds
	}
	all := s.sum()
	line("all", rounds, all)
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range s.rows {
		if r.skipped != "" {
			fmt.Fprintf(s.out, "not played: %s: %s\n", r.name, r.skipped)
		}
	}
	fmt.Fprintf(s.out, "seed %d\n", s.seed)
	if all.lost > 0 || all.half > 0 {
		return errLost
	}
	return nil
}

// progress shows on a terminal how far a run has come; no length is its end.
func progress(w io.Writer, length time.Duration) func(time.Duration, string) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func(time.Duration, string) {}
	}
	bar := progressbar.NewOptions64(int64(length), progressbar.OptionSetWriter(w), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetElapsedTime(true))
	return func(done time.Duration, what string) {
		if what == "" {
			_ = bar.Finish() // only for the eye
			return
		}
		bar.Describe(what)
		_ = bar.Set64(min(int64(done), int64(length)-1))
	}
}
