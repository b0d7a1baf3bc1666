package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"mcp-memory/eval/bench"
	"mcp-memory/eval/sets"
	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/extractive"
)

func main() { bench.Main("extraction", run) }

// options are the flags; see the package document.
type options struct {
	data   string
	sets   bench.List
	sample int
	missed int
	max    int
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := bench.Flags("extraction", stderr)
	flags.StringVar(&o.data, "data", "", "directory of sets")
	flags.Var(&o.sets, "set", "start of the names of the sets to measure; may be repeated (default all)")
	flags.IntVar(&o.sample, "sample", 0, "facts to show of each set, evenly spread")
	flags.IntVar(&o.missed, "missed", 0, "observations to show that no fact covers")
	flags.IntVar(&o.max, "max", 0, "facts of a session at most; 0 is no limit")
	if err := bench.Parse(flags, args); err != nil {
		return o, err
	}
	switch {
	case o.data == "":
		return o, bench.ErrNoData
	case o.sample < 0 || o.missed < 0 || o.max < 0:
		return o, fmt.Errorf("--sample, --missed and --max are 0 or more")
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	names, err := setsOfTurns(o.data, o.sets)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%-16s %-10s %6s %8s %8s %7s %7s %9s %6s %7s %6s\n",
		"set", "facts are", "facts", "covered", "at 50 %", "alone", "relev.", "both", "/turn", "bytes", "ms")
	for _, name := range names {
		cases, err := read(o.data, name)
		if err != nil {
			return err
		}
		if err := measure(ctx, name, cases, o, stdout); err != nil {
			return err
		}
	}
	return nil
}

// ways are what facts may be made of; the first is what is measured, the others
// show what copying gives.
var ways = []struct {
	name string
	make func(context.Context, []sets.Item, int) ([]fact, error)
}{
	{"extracted", extracted},
	{"turns", whole},
	{"sentences", cut},
}

func measure(ctx context.Context, name string, cases []*testCase, o options, stdout io.Writer) error {
	var samples []fact
	var missed []string
	kinds := map[string]*figures{}
	for i, way := range ways {
		sum := figures{}
		var took time.Duration
		for _, c := range cases {
			var facts []fact
			start := time.Now()
			for _, session := range c.sessions {
				found, err := way.make(ctx, session, o.max)
				if err != nil {
					return err
				}
				facts = append(facts, found...)
			}
			took += time.Since(start)
			lost := judge(c, facts, &sum)
			if i == 0 {
				byKind(c, facts, kinds)
				samples, missed = append(samples, facts...), append(missed, lost...)
			}
		}
		print(stdout, name, way.name, sum, took)
		if sum.Observations == 0 {
			break // nothing to compare with
		}
	}
	printKinds(stdout, kinds)
	show(stdout, samples, o.sample, func(f fact) string { return fmt.Sprintf("  %-16s %s", f.kind, f.text) })
	show(stdout, missed, o.missed, func(s string) string { return "  missed: " + s })
	return nil
}

func print(w io.Writer, set, way string, f figures, took time.Duration) {
	gold := func(n, of int) string {
		if f.Observations == 0 || of == 0 {
			return "–"
		}
		return fmt.Sprintf("%.1f", 100*float64(n)/float64(of))
	}
	fmt.Fprintf(w, "%-16s %-10s %6d %8s %8s %7.1f %7s %9s %6.2f %7.0f %6d\n", set, way, f.Facts,
		gold(f.Covered, f.Observations), gold(f.Half, f.Observations), 100*float64(f.Alone)/float64(max(1, f.Facts)),
		gold(f.Relevant, f.Facts), gold(f.Good, f.Facts), float64(f.Facts)/float64(max(1, f.Turns)),
		float64(f.Bytes)/float64(max(1, f.Facts)), took.Milliseconds())
}

// byKind adds up the facts of each type.
func byKind(c *testCase, facts []fact, kinds map[string]*figures) {
	byName := map[string][]fact{}
	for _, f := range facts {
		name, _, _ := strings.Cut(f.kind, " ")
		byName[name] = append(byName[name], f)
	}
	for name, some := range byName {
		if kinds[name] == nil {
			kinds[name] = &figures{}
		}
		judge(c, some, kinds[name])
	}
}

func printKinds(w io.Writer, kinds map[string]*figures) {
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		print(w, "", name, *kinds[name], 0)
	}
}

// show prints n of all, evenly spread.
func show[T any](w io.Writer, all []T, n int, line func(T) string) {
	n = min(n, len(all))
	for i := range n {
		fmt.Fprintln(w, line(all[i*len(all)/n]))
	}
}

func extracted(ctx context.Context, session []sets.Item, limit int) ([]fact, error) {
	found, err := extractive.New(extractive.Options{}).Extract(ctx, memory.ExtractRequest{Turns: turns(session), Max: limit})
	facts := make([]fact, len(found))
	for i, f := range found {
		facts[i] = fact{f.Content, f.Turn, fmt.Sprintf("%s %.2f", f.Type, f.Importance)}
	}
	return facts, err
}

func whole(_ context.Context, session []sets.Item, _ int) ([]fact, error) {
	var facts []fact
	for _, it := range session {
		facts = append(facts, fact{text: it.Speaker + ": " + it.Text, turn: it.Seq})
	}
	return facts, nil
}

func cut(_ context.Context, session []sets.Item, _ int) ([]fact, error) {
	var facts []fact
	for _, it := range session {
		for _, s := range analysis.Sentences(it.Text) {
			facts = append(facts, fact{text: it.Speaker + ": " + strings.TrimSpace(s), turn: it.Seq})
		}
	}
	return facts, nil
}
