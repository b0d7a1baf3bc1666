// Command tables writes the tables of docs/evaluation.md from what the
// measuring programs printed.
//
//	go run ./eval/retrieval --json --data DIR >r.json
//	go run ./eval/retrieval --json --baseline --data DIR >b.json
//	go run ./eval/judgement --json --data DIR --sets DIR >j.json
//	go run ./eval/tables --retrieval r.json --baseline b.json --judgement j.json
//
// What it needs of those files it keeps in eval/results; without arguments it
// writes the tables again from there. `bash eval/results/measure.sh DIR` does all of it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

const (
	page    = "docs/evaluation.md"
	results = "eval/results"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("tables", flag.ContinueOnError)
	retrieval := flags.String("retrieval", "", "what eval/retrieval --json printed")
	baseline := flags.String("baseline", "", "what it printed with --baseline")
	judgement := flags.String("judgement", "", "what eval/judgement --json printed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *retrieval != "" {
		if err := keep[[]set](*retrieval, "retrieval.json"); err != nil {
			return err
		}
	}
	if *baseline != "" {
		if err := keep[[]set](*baseline, "baseline.json"); err != nil {
			return err
		}
	}
	if *judgement != "" {
		if err := keep[judged](*judgement, "judgement.json"); err != nil {
			return err
		}
	}
	measured, err := read(results)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	written, err := fill(string(text), measured.tables())
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, []byte(written), 0o644)
}

// keep reads what a program printed and stores what the tables need of it.
func keep[T any](from, name string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if data, err = json.MarshalIndent(value, "", " "); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(results, name), append(data, '\n'), 0o644)
}

// read returns what is kept in a directory.
func read(dir string) (m figures, err error) {
	for name, into := range map[string]any{"retrieval.json": &m.ours, "baseline.json": &m.plain, "judgement.json": &m.judged} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return m, err
		}
		if err := json.Unmarshal(data, into); err != nil {
			return m, fmt.Errorf("%s: %w", name, err)
		}
	}
	return m, nil
}
