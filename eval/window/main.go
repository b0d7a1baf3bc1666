package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"mcp-memory/eval/bench"
)

func main() { bench.Main("window", run) }

// options are the flags; see the package document.
type options struct {
	data    string
	cases   bench.List
	turns   int
	window  int
	reserve int
	model   string
	limit   int
	all     bool

	assistant bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := bench.Flags("window", stderr)
	flags.StringVar(&o.data, "data", "", "directory of sets")
	flags.Var(&o.cases, "case", "SET/NAME of a conversation; may be repeated")
	flags.IntVar(&o.turns, "turns", 300, "turns to stream")
	flags.IntVar(&o.window, "window", 8000, "tokens of the model's window")
	flags.IntVar(&o.reserve, "reserve", 4096, "of these, tokens kept free for the answer")
	flags.StringVar(&o.model, "model", "", "whose tokenizer counts")
	flags.IntVar(&o.limit, "limit", 10, "results that are looked at")
	flags.BoolVar(&o.assistant, "assistant", false, "report the second of two people as the assistant")
	flags.BoolVar(&o.all, "all", false, "show every append")
	if err := bench.Parse(flags, args); err != nil {
		return o, err
	}
	if o.data == "" {
		return o, bench.ErrNoData
	}
	if len(o.cases) == 0 {
		o.cases = bench.List{"locomo_dev/", "beam_100k_dev/"}
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	for _, name := range o.cases {
		set, name, _ := strings.Cut(name, "/")
		c, err := readCase(o.data, set, name, o.turns)
		if err != nil {
			return err
		}
		if err := measure(ctx, c, o, stdout); err != nil {
			return fmt.Errorf("measure %s/%s: %w", c.set, c.name, err)
		}
	}
	return nil
}
