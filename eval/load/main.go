package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"mcp-memory/eval/bench"
	"mcp-memory/eval/child"
)

func main() { bench.Main("load", run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := bench.Flags("load", stderr)
	records := flags.Int("records", 10_000, "facts to import first")
	binary := flags.String("binary", "", "the program to measure (default: built from cmd/mcp-memory)")
	asJSON := flags.Bool("json", false, "print JSON")
	erased := flags.Int("erase", 0, "instead, erase this many long texts of them for good, and measure saves beside it")
	database := flags.String("database", "",
		"beside the file, measure on the PostgreSQL server at this URL as well; its database has to be empty")
	hooks := flags.Bool("hooks", false, "instead, call hooks as hosts do, each a process of its own")
	var without variants
	flags.Var(&without, "without",
		"instead, ask in this process with everything and without these signals; may be repeated, several by commas")
	if err := bench.Parse(flags, args); err != nil {
		return err
	}
	if *records < 1 || *erased < 0 || *erased >= *records {
		return fmt.Errorf("usage: load --records N [--binary PATH] [--json] [--without SIGNAL] [--erase LESS] [--hooks] [--database URL], with N of at least 1")
	}
	dir, err := os.MkdirTemp("", "load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := child.New(ctx, dir, *binary)
	if err != nil {
		return err
	}
	if *hooks {
		all, err := measureHooks(ctx, p, *records)
		if err == nil {
			printHooks(stdout, *records, all)
		}
		return err
	}
	if *erased > 0 {
		return measureBeside(ctx, p, *records, *erased, stdout, stderr)
	}
	if len(without) > 0 {
		probes, err := (&figures{}).load(ctx, p, *records)
		if err != nil {
			return err
		}
		return without.compare(ctx, p.Data, probes, stdout)
	}
	sides := []*side{{name: "file", program: p}}
	if *database != "" {
		other, err := onServer(ctx, p, *database)
		if err != nil {
			return err
		}
		sides = append(sides, other)
	}
	if err := measure(ctx, sides, *records, stderr); err != nil {
		return err
	}
	switch {
	case *asJSON:
		return printJSON(stdout, sides)
	case len(sides) > 1:
		return printBeside(stdout, sides[0].figures, sides[1].figures)
	}
	printTable(stdout, sides[0].figures)
	return nil
}

// printJSON prints figures and table of the file, and the figures of a server.
func printJSON(w io.Writer, sides []*side) error {
	out := struct {
		Figures figures  `json:"figures"`
		Table   []row    `json:"table"`
		Server  *figures `json:"server,omitempty"`
	}{Figures: sides[0].figures, Table: rows(sides[0].figures)}
	if len(sides) > 1 {
		out.Server = &sides[1].figures
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	return encoder.Encode(out)
}
