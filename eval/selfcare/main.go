package main

import (
	"context"
	"fmt"
	"io"

	"mcp-memory/eval/bench"
	"mcp-memory/eval/sets"
	"mcp-memory/memory"
	"mcp-memory/text/extractive"
)

func main() { bench.Main("selfcare", run) }

// options are the flags; see the package document.
type options struct {
	data  string
	facts int
	limit int
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := bench.Flags("selfcare", stderr)
	flags.StringVar(&o.data, "data", "", "directory of sets")
	flags.IntVar(&o.facts, "facts", 2000, "facts to load at least, if the sets have as many")
	flags.IntVar(&o.limit, "limit", 10, "results of a question")
	if err := bench.Parse(flags, args); err != nil {
		return o, err
	}
	switch {
	case o.data == "":
		return o, bench.ErrNoData
	case o.limit < 1 || o.limit > 100:
		return o, fmt.Errorf("--limit is from 1 to 100")
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	facts, questions, err := read(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d facts, %d questions with evidence, in percent of the questions among the first %d results:\n", len(facts),
		len(questions), o.limit)
	fmt.Fprintf(stdout, "%-16s %6s %10s %8s %8s %7s %8s %8s %8s %8s %7s\n",
		"banks", "calls", "summaries", "tokens", "after", "before", "covered", "told", "archive", "undone", "ms")
	for _, l := range []struct {
		name   string
		bankOf func(caseName string) string
	}{
		{"one bank", func(string) string { return "all" }},
		{"one a case", func(name string) string { return name }},
	} {
		r, err := measure(ctx, facts, questions, l.bankOf, o)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%-16s %6d %10d %8d %8d %7.1f %8.1f %8.1f %8.1f %8.1f %7d\n",
			l.name, r.calls, r.summaries, r.before, r.after, r.found, r.covered, r.told, r.archive, r.undone, r.took.Milliseconds())
	}
	return nil
}

// read returns the facts of all sets of facts with their questions, and as many
// extracted ones as are wanted beside them.
func read(ctx context.Context, o options) (facts []sets.Item, questions []sets.Query, err error) {
	names, conversations, err := findSets(o.data)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		items, err := sets.Items(o.data, name)
		if err != nil {
			return nil, nil, err
		}
		for _, it := range items {
			it.ID = it.Case + " " + it.ID
			facts = append(facts, it)
		}
		asked, err := sets.Queries(o.data, name)
		if err != nil {
			return nil, nil, err
		}
		for _, q := range asked {
			for i := range q.Gold {
				q.Gold[i] = q.Case + " " + q.Gold[i]
			}
			if len(q.Gold) > 0 {
				questions = append(questions, q)
			}
		}
	}
	for i := len(conversations) - 1; i >= 0 && len(facts) < o.facts; i-- { // the last by name are of other people
		more, err := extracted(ctx, o, conversations[i], o.facts-len(facts))
		if err != nil {
			return nil, nil, err
		}
		facts = append(facts, more...)
	}
	return facts, questions, nil
}

// extracted finds up to n facts in a set of conversations, session by session.
func extracted(ctx context.Context, o options, name string, n int) ([]sets.Item, error) {
	items, err := sets.Items(o.data, name)
	if err != nil {
		return nil, err
	}
	var facts []sets.Item
	d := extractive.New(extractive.Options{})
	for len(items) > 0 && len(facts) < n {
		end := 1
		for end < len(items) && items[end].Case == items[0].Case && items[end].Session == items[0].Session {
			end++
		}
		var turns []memory.Turn
		for i, it := range items[:end] {
			turns = append(turns,
				memory.Turn{Session: it.Session, Index: i, Role: memory.Role(it.Role), Speaker: it.Speaker, Content: it.Text,
					SaidAt: it.At.Time})
		}
		found, err := d.Extract(ctx, memory.ExtractRequest{Turns: turns})
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			it := items[f.Turn]
			it.ID, it.Text = fmt.Sprintf("%s %s %d", name, it.Case, len(facts)), f.Content
			it.Case = name + " " + it.Case
			facts = append(facts, it)
		}
		items = items[end:]
	}
	return facts[:min(n, len(facts))], nil
}
