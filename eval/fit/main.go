// Command fit fits the weights by which recall ranks and judges results: of relevance, of
// sentences, of pairs of versions and of certainty. It asks the questions of all sets, fits each
// model to all of them, and reports each set with models that were fitted without it. The same sets
// and program give the same files.
//
//	go run ./eval/fit --data DIR... --loose DIR... --write recall
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mcp-memory/eval/bench"
	"mcp-memory/recall"
)

func main() { bench.Main("fit", run) }

type options struct {
	data, loose, without bench.List
	samples, into        string
	only                 string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	flags := bench.Flags("fit", stderr)
	flags.Var(&o.data, "data", "directory of sets; may be repeated")
	flags.Var(&o.loose, "loose",
		"directory of sets whose gold leaves out some of what answers, as that of conversations does: they fit relevance alone; may be repeated")
	flags.StringVar(&o.samples, "samples", "", "file to keep what was measured in, so that it need not be measured again; needs --only")
	flags.StringVar(&o.into, "write", "", "directory to write the weights into; none without")
	flags.StringVar(&o.only, "only", "", "fit one of relevance, sentences, pairs, certainty, with the others as they are")
	flags.Var(&o.without, "without", "feature or sign to leave out; may be repeated")
	if err := bench.Parse(flags, args); err != nil {
		return err
	}
	if o.samples != "" && o.only == "" {
		return errors.New("--samples needs --only: each model is fitted to what was measured with the ones before it")
	}
	models := recall.Fitted()
	for _, m := range []struct {
		name string
		file *string
		fit  func(io.Writer, []sample, []string) fittedModel
	}{
		{"relevance", &models.Relevance, fitRelevance},
		{"sentences", &models.Sentences, fitSentences},
		{"pairs", &models.Pairs, fitPairs},
		{"certainty", &models.Certainty, fitCertainty},
	} {
		if o.only != "" && o.only != m.name {
			continue
		}
		samples, err := o.measure(ctx, models, stderr)
		if err != nil {
			return err
		}
		samples = slices.DeleteFunc(samples, func(s sample) bool {
			return s.Loose && m.name != "relevance" || s.Among && m.name == "relevance"
		})
		fmt.Fprintf(stdout, "\n# %s\n\n", m.name)
		fitted := m.fit(stdout, samples, o.without)
		*m.file = fitted.file(m.name)
		if o.into != "" {
			if err := os.WriteFile(filepath.Join(o.into, m.name+".txt"), []byte(*m.file), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure asks all questions, or reads o.samples if that file exists.
func (o options) measure(ctx context.Context, models recall.Models, stderr io.Writer) (samples []sample, err error) {
	if _, err := os.Stat(o.samples); err == nil {
		return samplesOf(o.samples)
	}
	if len(o.data) == 0 {
		return nil, bench.ErrNoData
	}
	for i, dir := range slices.Concat(o.data, o.loose) {
		started := time.Now()
		var some []sample
		for _, words := range []bool{false, true} {
			more, err := measureIn(ctx, dir, models, words)
			if err != nil {
				return nil, err
			}
			some = append(some, more...)
		}
		for k := range some {
			some[k].Loose = i >= len(o.data)
		}
		fmt.Fprintf(stderr, "%s: %d questions in %v\n", dir, len(some), time.Since(started).Round(time.Second))
		samples = append(samples, some...)
	}
	if o.samples == "" {
		return samples, nil
	}
	f, err := os.Create(o.samples)
	if err != nil {
		return nil, err
	}
	w := json.NewEncoder(f)
	for _, one := range samples {
		if err := w.Encode(one); err != nil {
			return nil, err
		}
	}
	return samples, f.Close()
}

func measureIn(ctx context.Context, dir string, models recall.Models, words bool) (samples []sample, err error) {
	banks, err := read(filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), dir)
	if err != nil {
		return nil, err
	}
	s, err := open(ctx, models, words)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for i, b := range banks {
		agent := fmt.Sprintf("bank-%d", i)
		names, err := s.fill(ctx, agent, b)
		if err != nil {
			return nil, err
		}
		some, err := s.ask(ctx, agent, b, names)
		if err != nil {
			return nil, err
		}
		samples = append(samples, some...)
	}
	return samples, nil
}
