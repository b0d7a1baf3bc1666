package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"mcp-memory/eval/bench"
	"mcp-memory/recall"
)

func main() { bench.Main("retrieval", run) }

// options are the flags; see the package document.
type options struct {
	data          bench.List
	sets          bench.List
	without       bench.List
	json          bool
	limit         int
	floor         float64
	floors        bool
	explain       string
	baseline      bool
	crossValidate bool
	parallel      int
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := bench.Flags("retrieval", stderr)
	flags.Var(&o.data, "data", "directory of sets, or a file of LongMemEval; may be repeated")
	flags.Var(&o.sets, "set", "start of the names of the sets to measure; may be repeated (default all)")
	flags.Var(&o.without, "without", "signal to leave out; may be repeated: "+strings.Join(recall.Signals(), ", "))
	flags.BoolVar(&o.json, "json", false, "print JSON, with every question's ranks")
	flags.IntVar(&o.limit, "limit", 20, "results asked for")
	flags.Float64Var(&o.floor, "floor", 0, "score that an answer to an abstention question must not exceed")
	flags.BoolVar(&o.floors, "floors", false, "show what floors up to 0.60 would silence and lose")
	flags.StringVar(&o.explain, "explain", "", "show the results of this question only")
	flags.BoolVar(&o.baseline, "baseline", false, "ask the text index alone")
	flags.BoolVar(&o.crossValidate, "cross-validate", false, "show the spread over the cases of each set")
	flags.IntVar(&o.parallel, "parallel", 1, "questions at a time; above 1 latency is not measured")
	if err := bench.Parse(flags, args); err != nil {
		return o, err
	}
	switch {
	case len(o.data) == 0:
		return o, bench.ErrNoData
	case o.limit < 1 || o.limit > recall.MaxLimit:
		return o, fmt.Errorf("--limit is %d: a whole number from 1 to %d", o.limit, recall.MaxLimit)
	case slices.ContainsFunc(o.without, func(name string) bool { return !slices.Contains(recall.Signals(), name) }):
		return o, fmt.Errorf("--without %s: one of %s", o.without.String(), strings.Join(recall.Signals(), ", "))
	case o.parallel < 1:
		return o, fmt.Errorf("--parallel is %d: 1 or more", o.parallel)
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	sets, err := findSets(o.data, o.sets)
	if err != nil {
		return err
	}
	if o.explain != "" {
		return explain(ctx, sets, o, stdout)
	}
	var reports []setReport
	for _, source := range sets {
		set, err := source.read()
		if err != nil {
			return err
		}
		report, err := measure(ctx, set, o, stderr)
		if err != nil {
			return fmt.Errorf("measure %s: %w", source.name, err)
		}
		reports = append(reports, report)
		if !o.json {
			printReport(stdout, report)
		}
	}
	if o.json {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", " ")
		return encoder.Encode(reports)
	}
	printBars(stdout, reports)
	return nil
}
