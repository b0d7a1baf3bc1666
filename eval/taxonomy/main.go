package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy/training"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(2)
		}
		fmt.Fprintln(os.Stderr, "taxonomy:", err)
		os.Exit(1)
	}
}

// options are the flags; see the package document.
type options struct {
	data, table, write, set string
	missed                  bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("taxonomy", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.data, "data", "", "directory of labelled sets")
	flags.StringVar(&o.table, "table", "", "file of a semantic table (default the builtin one)")
	flags.StringVar(&o.write, "write", "", "directory to write the models to, trained with all sentences")
	flags.StringVar(&o.set, "set", "", "categories or scopes (default both)")
	flags.BoolVar(&o.missed, "missed", false, "show what of the labelled set is put elsewhere")
	if err := flags.Parse(args); err != nil {
		return o, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unknown argument %q", flags.Arg(0))
	}
	return o, nil
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	table := semantics.Builtin()
	if o.table != "" {
		if table, err = open(o.table); err != nil {
			return err
		}
	}
	for _, set := range training.Sets() {
		if o.set == "" || o.set == set.Name {
			if err := o.measure(set, table, stdout); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure trains the model of a set and shows how good it is.
func (o options) measure(set training.Set, table *semantics.Table, stdout io.Writer) error {
	sentences := set.Sentences()
	file := set.Model(sentences, table)
	if o.write != "" {
		if err := os.WriteFile(filepath.Join(o.write, set.Name+".model"), file, 0o644); err != nil {
			return fmt.Errorf("write the model: %w", err)
		}
		fmt.Fprintf(stdout, "%s: %d sentences, table of %d x %d, model of %d bytes\n", set.Name, len(sentences), table.Len(),
			table.Dim(), len(file))
	}
	show(stdout, fmt.Sprintf("%s, own sentences, %d-fold", set.Name, training.Parts), set.CrossValidate(sentences, table))
	if o.data == "" {
		return nil
	}
	pattern := map[string]string{"categories": "categories*.jsonl", "scopes": "scope*.jsonl"}[set.Name]
	paths, err := filepath.Glob(filepath.Join(o.data, pattern))
	if err != nil {
		return fmt.Errorf("find the sets: %w", err)
	}
	for _, path := range paths {
		told, err := labelled(path)
		if err != nil {
			return err
		}
		report := training.Report{Set: set}
		report.Apply(file, told, table)
		show(stdout, filepath.Base(path), report)
		for _, s := range told {
			one := training.Report{Set: set}
			if one.Apply(file, []training.Sentence{s}, table); o.missed && one.Right == 0 {
				fmt.Fprintf(stdout, "%-12s %s\n", s.Category, s.Text)
			}
		}
	}
	return nil
}

func open(path string) (*semantics.Table, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the table: %w", err)
	}
	table, err := semantics.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("open the table: %w", err)
	}
	return table, nil
}

// either is the scope of what may be global and may be the project's.
const either = "either"

func labelled(path string) ([]training.Sentence, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the set: %w", err)
	}
	defer file.Close()
	var set []training.Sentence
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var line struct {
			Content, Category, Scope string
			Hard                     bool
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d of the set: %w", len(set)+1, err)
		}
		if class := cmp.Or(line.Category, line.Scope); class != either {
			set = append(set, training.Sentence{Text: line.Content, Category: class, Hard: line.Hard})
		}
	}
	return set, lines.Err()
}

func show(w io.Writer, name string, r training.Report) {
	easy, hard := r.All-r.AllHard, r.AllHard
	fmt.Fprintf(w, "\n%s: %.1f %% of %d; easy %.1f of %d, hard %.1f of %d\n\n", name, percent(r.Right, r.All), r.All,
		percent(r.Right-r.RightHard, easy), easy, percent(r.RightHard, hard), hard)
	names := r.Set.Classes
	fmt.Fprintf(w, "%-12s", "")
	for _, n := range names {
		fmt.Fprintf(w, "%5.4s", n)
	}
	fmt.Fprintln(w)
	for i, row := range r.Confusion {
		fmt.Fprintf(w, "%-12s", names[i])
		for _, n := range row {
			fmt.Fprintf(w, "%5d", n)
		}
		fmt.Fprintln(w)
	}
}

func percent(part, all int) float64 { return 100 * float64(part) / float64(max(1, all)) }
