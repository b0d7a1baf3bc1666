package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"mcp-memory/eval/bench"
)

func main() { bench.Main("judgement", run) }

// options are the flags; see the package document.
type options struct {
	data, sets, only    bench.List
	misses, json, judge bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := bench.Flags("judgement", stderr)
	flags.Var(&o.data, "data", "directory of the development sets; may be repeated")
	flags.Var(&o.sets, "sets", "directory of further sets; may be repeated")
	flags.Var(&o.only, "only", "row to measure; may be repeated: "+strings.Join(rowKeys(), ", "))
	flags.BoolVar(&o.misses, "misses", false, "print each failed case with what came back; of the held half none")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.BoolVar(&o.judge, "judge", false, "fail where a must is not reached by what is not held out")
	if err := bench.Parse(flags, args); err != nil {
		return o, err
	}
	switch {
	case len(o.data)+len(o.sets) == 0:
		return o, bench.ErrNoData
	case slices.ContainsFunc(o.only, func(key string) bool { return !slices.Contains(rowKeys(), key) }):
		return o, fmt.Errorf("--only %s: one of %s", o.only.String(), strings.Join(rowKeys(), ", "))
	}
	return o, nil
}

func (o options) wants(key string) bool { return len(o.only) == 0 || slices.Contains(o.only, key) }

// columns measures every source, as many at a time as there are processors: each has a store of its own.
func (o options) columns(ctx context.Context) ([]column, error) {
	sources := o.sources()
	columns, errs := make([]column, len(sources)), make([]error, len(sources))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i, source := range sources {
		free <- struct{}{}
		wait.Go(func() {
			columns[i], errs[i] = o.column(ctx, source)
			<-free
		})
	}
	wait.Wait()
	return columns, errors.Join(errs...)
}

func (o options) column(ctx context.Context, source source) (column, error) {
	sets, err := source.read()
	if err != nil {
		return column{}, err
	}
	t, err := measure(ctx, sets, o)
	if err != nil {
		return column{}, fmt.Errorf("measure %s: %w", source.name, err)
	}
	if source.held || !o.misses {
		t.misses = nil
	}
	return column{source.name, source.held, t}, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	columns, err := o.columns(ctx)
	if err != nil {
		return err
	}
	report := newReport(columns, o)
	if o.json {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", " ")
		err = encoder.Encode(report)
	} else {
		printReport(stdout, report)
	}
	if err == nil && o.judge && len(report.Failed) > 0 {
		err = fmt.Errorf("below must: %s", strings.Join(report.Failed, ", "))
	}
	return err
}
