package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"mcp-memory/db"
	"mcp-memory/embed"
	"mcp-memory/eval/metrics"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/salience"
	"mcp-memory/semantics"
	"mcp-memory/taxonomy"
	"mcp-memory/tokens"
)

// withoutIndex is what [recall.Signals] does not list, because it does not
// change what is found first: the in-process index.
const withoutIndex = "index"

// compared is how many questions each variant is asked.
const compared = 300

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

// compare asks the questions of a bank in this process, with everything and
// then without what each variant names, and prints what that does.
func (v variants) compare(ctx context.Context, path string, probes []probe, out io.Writer) error {
	embedder, clock := embed.NewBuiltin(), time.Now
	store, err := db.Open(ctx, filepath.Join(path, "memory.db"), db.Options{Embedder: embedder.Fingerprint(), Clock: clock})
	if err != nil {
		return err
	}
	defer store.Close()
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "in process, without\tp50\tp95\tneedle first\tin the first ten\t")
	probes = probes[:min(compared, len(probes))]
	for _, list := range append([]string{""}, v...) {
		without := slices.DeleteFunc(strings.Split(list, ","), func(name string) bool { return name == "" || name == withoutIndex })
		s := recall.New(recall.Options{
			Store: store, Table: semantics.Builtin, Embedder: embedder, Salience: salience.Default(), Tokens: tokens.NewCounter(""),
			Categories: taxonomy.New(memory.DefaultCategories(), semantics.Builtin), Clock: clock, Log: slog.New(slog.DiscardHandler),
			Recalled: func(memory.Scope, []string) {}, Without: without, Once: strings.Contains(list, withoutIndex),
		})
		if err := askAll(ctx, s, list, probes, t); err != nil {
			return err
		}
	}
	return t.Flush()
}

// askAll asks everything once the index is made.
func askAll(ctx context.Context, s *recall.Service, name string, probes []probe, out io.Writer) error {
	var took []time.Duration
	var needles, first, ten int
	scope := memory.Scope{Agent: "default"}
	if err := s.Warm(ctx, scope.Agent); err != nil {
		return err
	}
	for _, one := range probes {
		begin := time.Now()
		answer, err := s.Recall(ctx, recall.Request{Query: one.question, Scope: scope})
		if err != nil {
			return errors.Join(fmt.Errorf("ask without %s", name), err)
		}
		took = append(took, time.Since(begin))
		if one.answer == "" {
			continue
		}
		needles++
		place := slices.IndexFunc(answer.Results, func(r recall.Result) bool { return r.ExternalID == one.answer })
		if place >= 0 {
			ten++
		}
		if place == 0 {
			first++
		}
	}
	share := func(n int) float64 { return 100 * float64(n) / float64(max(1, needles)) }
	fmt.Fprintf(out, "%s\t%.2f ms\t%.2f ms\t%.1f %%\t%.1f %%\t\n", name, millis(metrics.Percentile(took, 50)),
		millis(metrics.Percentile(took, 95)), share(first), share(ten))
	return nil
}
