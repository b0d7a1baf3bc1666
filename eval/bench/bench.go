// Package bench is what the programs of eval have in common: how they start,
// read their flags and open the bank that they measure.
package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
)

// Main runs a program until it is done or interrupted, and ends the process:
// with 1 if it fails and with 2 if its flags cannot be read.
func Main(name string, run func(ctx context.Context, args []string, stdout, stderr io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Flags returns an empty set of flags for a program.
func Flags(name string, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	return flags
}

// Parse reads a command line that has flags only. What is wrong with a flag is
// shown where the flags are; then the error is [flag.ErrHelp].
func Parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unknown argument %q", flags.Arg(0))
	}
	return nil
}

// ErrNoData says that the sets to measure are missing on the command line.
var ErrNoData = errors.New("--data is missing: name the directory of the sets")

// List is a flag that may be repeated.
type List []string

// String implements [flag.Value].
func (l *List) String() string { return strings.Join(*l, ",") }

// Set implements [flag.Value].
func (l *List) Set(s string) error { *l = append(*l, s); return nil }

// Bank is an empty bank in a temporary directory.
type Bank struct{ *testbank.Bank }

// Open opens an empty bank, with what the first question would wait for made
// before. The caller closes it.
func Open(ctx context.Context, clock memory.Clock) (Bank, error) {
	dir, err := os.MkdirTemp("", "mcp-memory-eval-")
	if err != nil {
		return Bank{}, err
	}
	b, err := testbank.Open(ctx, testbank.Options{Dir: dir, Clock: clock, Encoder: Encoder()})
	if err != nil {
		return Bank{}, errors.Join(WithCause(err), os.RemoveAll(dir))
	}
	bank := Bank{b}
	if err := b.Tokens.Warm(); err != nil {
		return Bank{}, errors.Join(err, bank.Close())
	}
	return bank, nil
}

// Close removes the bank.
func (b Bank) Close() error { return errors.Join(b.Store.Close(), os.RemoveAll(b.Dir)) }

// WithCause shows what an error hides from users: here the user is whoever
// develops the program.
func WithCause(err error) error {
	var e *memory.Error
	if errors.As(err, &e) && e.Err != nil {
		return errors.Join(err, e.Err)
	}
	return err
}
