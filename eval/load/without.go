package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"mcp-memory/embed/encoder/minilm"
	"mcp-memory/eval/metrics"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// withoutIndex is what [recall.Signals] does not list, because it does not
// change what is found first: the in-process index.
const withoutIndex = "index"

// withoutEncoder is the signal without which a bank need not be encoded first, some
// milliseconds a record: so the encoder takes part where a variant leaves it out.
const withoutEncoder = "encoder"

const (
	// compared is how many questions each variant is asked.
	compared = 300
	// warming is how many are asked before anything counts.
	warming = 20
)

// loaded is whose records were imported.
var loaded = memory.Scope{Agent: "default"}

// variants are the values of --without: each is a list of signals, separated
// by commas, that go missing together.
type variants []string

func (v *variants) String() string { return strings.Join(*v, " ") }

func (v *variants) Set(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if name != withoutIndex && !slices.Contains(recall.Signals(), name) {
			return fmt.Errorf("one of %s and %s", strings.Join(recall.Signals(), ", "), withoutIndex)
		}
	}
	*v = append(*v, list)
	return nil
}

// variant answers with everything, or without some signals.
type variant struct {
	name    string
	service *recall.Service
	took    []time.Duration
	cpu     time.Duration
	needles int // questions with an answer
	first   int // of them: it was the first result
	ten     int // it was among the first ten
	same    int // questions whose first ten results are those of the first variant
}

// compare asks the questions of a bank in this process, each with everything
// and then without what each variant names, and prints what that does. They
// take turns, so that other work on the machine slows all of them alike.
func (v variants) compare(ctx context.Context, path string, probes []probe, out io.Writer) error {
	options := testbank.Options{Dir: path, Clock: time.Now}
	if minilm.Available() && slices.ContainsFunc(v,
		func(list string) bool { return slices.Contains(strings.Split(list, ","), withoutEncoder) }) {
		options.Encoder = minilm.New()
	}
	bank, err := testbank.Open(ctx, options)
	if err != nil {
		return err
	}
	defer bank.Store.Close()
	if err := bank.Encode(ctx); err != nil {
		return err
	}
	var all []*variant
	for _, list := range append([]string{""}, v...) {
		without := slices.DeleteFunc(strings.Split(list, ","), func(name string) bool { return name == "" || name == withoutIndex })
		o := bank.RecallOptions()
		o.Without, o.Once = without, strings.Contains(list, withoutIndex)
		one := &variant{name: list, service: recall.New(o)}
		if err := one.service.Warm(ctx, loaded.Agent); err != nil {
			return err
		}
		all = append(all, one)
	}
	for _, p := range probes[:min(warming, len(probes))] { // what the first questions read from the disk
		for _, one := range all {
			if _, err := one.ask(ctx, p); err != nil {
				return err
			}
		}
	}
	for _, one := range all {
		*one = variant{name: one.name, service: one.service}
	}
	for i, p := range probes[:min(compared, len(probes))] {
		if err := askInTurn(ctx, all, i, p); err != nil {
			return err
		}
	}
	return printVariants(out, all)
}

// askInTurn asks every variant one question, another one first each time.
func askInTurn(ctx context.Context, all []*variant, turn int, p probe) error {
	answers := make([][]string, len(all))
	for k := range all {
		n := (turn + k) % len(all)
		found, err := all[n].ask(ctx, p)
		if err != nil {
			return fmt.Errorf("ask without %s: %w", all[n].name, err)
		}
		answers[n] = found
	}
	for n, one := range all {
		if slices.Equal(answers[n], answers[0]) {
			one.same++
		}
	}
	return nil
}

// ask returns the names of the first ten results.
func (v *variant) ask(ctx context.Context, p probe) ([]string, error) {
	begin, used := time.Now(), cpuTime()
	answer, err := v.service.Recall(ctx, recall.Request{Query: p.question, Scope: loaded})
	if err != nil {
		return nil, err
	}
	v.took, v.cpu = append(v.took, time.Since(begin)), v.cpu+cpuTime()-used
	var names []string
	for _, r := range answer.Results {
		names = append(names, r.ExternalID)
	}
	if p.answer == "" {
		return names, nil
	}
	v.needles++
	switch place := slices.Index(names, p.answer); {
	case place == 0:
		v.first++
		v.ten++
	case place > 0:
		v.ten++
	}
	return names, nil
}

func printVariants(out io.Writer, all []*variant) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "in process, without\tCPU, mean\tp50\tp95\tneedle first\tin the first ten\tsame first ten\t")
	for _, v := range all {
		share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
		mean := v.cpu / time.Duration(max(1, len(v.took)))
		fmt.Fprintf(t, "%s\t%.2f ms\t%.2f ms\t%.2f ms\t%.1f %%\t%.1f %%\t%.1f %%\t\n", v.name, millis(mean),
			millis(metrics.Percentile(v.took, 50)),
			millis(metrics.Percentile(v.took, 95)), share(v.first, v.needles), share(v.ten, v.needles), share(v.same, len(v.took)))
	}
	return t.Flush()
}
