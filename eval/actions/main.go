package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/eval/bench"
)

func main() { bench.Main("actions", run) }

// What has to be reached, in percent: right among three, of each kind; lines that are
// useful of those that are said, and calls that get one of those that deserve it.
var must = map[string]float64{"how": 90, "fix": 85, "blame": 85}

const mustUseful, mustSaid = 90, 60

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := bench.Flags("actions", stderr)
	sets := flags.String("data", filepath.Join("eval", "sets", "actions"), "directory of the set")
	binary := flags.String("binary", "", "built program; without it one is built")
	target := flags.String("write", "", "only write the transcripts, below this home")
	misses := flags.Bool("misses", false, "print what was not right")
	judge := flags.Bool("judge", false, "fail where a must is not reached")
	if err := bench.Parse(flags, args); err != nil {
		return err
	}
	if *target != "" {
		home, err := filepath.Abs(*target)
		if err != nil {
			return err
		}
		scripts, err := readScripts(*sets, home)
		if err != nil {
			return err
		}
		return write(scripts, home, home)
	}
	dir, err := os.MkdirTemp("", "mcp-memory-actions-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := newWorld(ctx, dir, *sets, *binary)
	if err != nil {
		return err
	}
	if err := w.load(ctx); err != nil {
		return err
	}
	told := io.Discard
	if *misses {
		told = stdout
	}
	below, err := w.measure(ctx, *sets, stdout, told)
	if err == nil && *judge && len(below) > 0 {
		err = fmt.Errorf("below must: %s", strings.Join(below, ", "))
	}
	return err
}

// measure asks all and prints how it went. It returns what is below its must.
func (w *world) measure(ctx context.Context, sets string, stdout, told io.Writer) (below []string, err error) {
	kinds := []struct {
		name string
		ask  func(context.Context, question) (mark, error)
	}{{"how", w.how}, {"fix", w.fix}, {"blame", w.blame}}
	fmt.Fprintf(stdout, "| kind | half | questions | right first | among %d | must |\n|---|---|---|---|---|---|\n", among)
	for _, k := range kinds {
		all, err := readQuestions(filepath.Join(sets, k.name+".txt"))
		if err != nil {
			return nil, err
		}
		for _, half := range []string{"own", "held", "fresh"} {
			var first, three, count int
			for _, q := range all {
				if q.half != half {
					continue
				}
				m, err := k.ask(ctx, q)
				if err != nil {
					return nil, err
				}
				count++
				first += one(m.first)
				three += one(m.three)
				if !m.three {
					fmt.Fprintf(told, "%s %s, %s: %s\n   wanted %v %q without %q, got %s\n", half, k.name, q.project, q.ask, q.gold,
						q.words, q.never, m.shown)
				}
			}
			fmt.Fprintf(stdout, "| %s | %s | %d | %.1f %% | %.1f %% | %.0f %% |\n", k.name, half, count, percent(first, count),
				percent(three, count), must[k.name])
			if percent(three, count) < must[k.name] {
				below = append(below, k.name+" "+half)
			}
		}
	}
	more, err := w.before(ctx, filepath.Join(sets, "calls.txt"), stdout, told)
	return append(below, more...), err
}

// before makes all calls, each in a session of its own, and those before which
// something was said once more in the same.
func (w *world) before(ctx context.Context, path string, stdout, told io.Writer) (below []string, err error) {
	all, err := readCalls(path)
	if err != nil {
		return nil, err
	}
	var lines, useful, deserve, got, repeated int
	var times []time.Duration
	for i, c := range all {
		session := "before-" + made(fmt.Sprint(i, c.what), 8)
		line, took, err := w.said(ctx, c, session)
		if err != nil {
			return nil, err
		}
		times = append(times, took)
		deserve += one(!c.silent)
		right := line != "" && !c.silent && fits(line, c.words)
		lines += one(line != "")
		useful += one(right)
		got += one(right)
		if (line != "") == c.silent || line != "" && !right {
			fmt.Fprintf(told, "before %s %s %s: %s\n   wanted %q, got %q\n", c.host, c.project, c.tool, c.what, c.words, line)
		}
		if line == "" {
			continue
		}
		again, _, err := w.said(ctx, c, session)
		if err != nil {
			return nil, err
		}
		repeated += one(again != "")
	}
	if len(times) == 0 {
		return nil, errors.New("no calls")
	}
	slices.Sort(times)
	fmt.Fprintf(stdout,
		"before %d calls: %d lines, %.1f %% useful (must %d); of %d that deserve one %.1f %% get it (must %d); said again in a session: %d; %d ms (p50), %d ms (p95)\n",
		len(all), lines, percent(useful, lines), mustUseful, deserve, percent(got, deserve),
		mustSaid, repeated, times[len(times)/2].Milliseconds(), times[len(times)*95/100].Milliseconds())
	if percent(useful, lines) < mustUseful {
		below = append(below, "before: useful lines")
	}
	if percent(got, deserve) < mustSaid {
		below = append(below, "before: calls that deserve a line")
	}
	if repeated > 0 {
		below = append(below, "before: said again")
	}
	return below, nil
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func percent(some, all int) float64 { return 100 * float64(some) / float64(max(1, all)) }
