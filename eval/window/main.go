package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil:
	case err == flag.ErrHelp:
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "window:", err)
		os.Exit(1)
	}
}

// options are the flags; see the package document.
type options struct {
	data    string
	cases   list
	turns   int
	window  int
	reserve int
	model   string
	limit   int
	all     bool

	assistant bool
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("window", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.data, "data", "", "directory of sets")
	flags.Var(&o.cases, "case", "SET/NAME of a conversation; may be repeated")
	flags.IntVar(&o.turns, "turns", 300, "turns to stream")
	flags.IntVar(&o.window, "window", 8000, "tokens of the model's window")
	flags.IntVar(&o.reserve, "reserve", 4096, "of these, tokens kept free for the answer")
	flags.StringVar(&o.model, "model", "", "whose tokenizer counts")
	flags.IntVar(&o.limit, "limit", 10, "results that are looked at")
	flags.BoolVar(&o.assistant, "assistant", false, "report the second of two people as the assistant")
	flags.BoolVar(&o.all, "all", false, "show every append")
	if err := flags.Parse(args); err != nil {
		return o, flag.ErrHelp
	}
	if o.data == "" || flags.NArg() > 0 {
		return o, fmt.Errorf("--data is missing, or there is an argument too many")
	}
	if len(o.cases) == 0 {
		o.cases = list{"locomo_dev/", "beam_100k_dev/"}
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
