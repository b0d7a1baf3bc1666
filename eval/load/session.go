package main

import (
	"context"
	"fmt"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/eval/metrics"
	"mcp-memory/text/tokens"
)

// serve takes the figures of running servers.
func serve(ctx context.Context, sides []*side, probes []probe) (err error) {
	for _, side := range sides {
		if side.server, err = side.program.Start(ctx); err != nil {
			return err
		}
		defer func() {
			if stopped := side.server.Stop(); err == nil {
				side.failed, err = stopped != nil, stopped
			}
			if side.failed { // what the other one said does not belong to it
				err = side.server.Explain(err)
			}
		}()
		if err = side.begin(ctx); err != nil {
			side.failed = true
			return err
		}
	}
	if err = ask(ctx, sides, probes); err != nil {
		return err
	}
	for _, side := range sides {
		if side.RecallMemory, err = side.server.Resident(); err != nil {
			side.failed = true
			return err
		}
	}
	return save(ctx, sides)
}

// begin takes the figures of a server that nobody has asked anything.
func (f *side) begin(ctx context.Context) error {
	if err := timed(ctx, f.server.Initialize); err != nil {
		return err
	}
	err := timed(ctx, func(ctx context.Context) error {
		list, err := f.server.Tools(ctx)
		f.Tools, f.ToolTokens = len(list), toolTokens(list)
		return err
	})
	if err != nil {
		return err
	}
	time.Sleep(settle)
	f.IdleMemory, err = f.server.Resident()
	return err
}

// ask recalls every question once; the first is of a kind of its own, for
// nothing is cached yet.
func ask(ctx context.Context, sides []*side, probes []probe) error {
	took, found, answered := make([][]time.Duration, len(sides)), make([]int, len(sides)), 0
	for n, one := range append([]probe{{question: "What should I know before I start?"}}, probes...) {
		if one.answer != "" {
			answered++
		}
		for i, side := range sides {
			took1, there, err := askOne(ctx, side.server, one)
			if err != nil {
				side.failed = true
				return err
			}
			if n == 0 {
				side.FirstRecall = millis(took1)
				continue
			}
			took[i] = append(took[i], took1)
			if there {
				found[i]++
			}
		}
	}
	for i, side := range sides {
		side.RecallP50 = millis(metrics.Percentile(took[i], 50))
		side.RecallP95 = millis(metrics.Percentile(took[i], 95))
		side.RecallP99 = millis(metrics.Percentile(took[i], 99))
		side.NeedlesFound = float64(found[i]) / float64(max(1, answered))
	}
	return nil
}

// askOne recalls a question, and tells how long that took and whether its answer is there.
func askOne(ctx context.Context, s *child.Server, one probe) (took time.Duration, found bool, err error) {
	var answer struct {
		Results []struct {
			ExternalID string `json:"external_id"`
		} `json:"results"`
	}
	begin := time.Now()
	err = timed(ctx, func(ctx context.Context) error {
		return s.Use(ctx, "memory_recall", map[string]any{"query": one.question}, &answer)
	})
	took = time.Since(begin)
	for _, r := range answer.Results {
		found = found || one.answer != "" && r.ExternalID == one.answer
	}
	return took, found, err
}

// save stores facts one by one; an answer means that they are durable.
func save(ctx context.Context, sides []*side) error {
	took := make([][]time.Duration, len(sides))
	g := newGenerator(7) // others than the imported ones
	for range saves {
		content := g.fact()
		for i, side := range sides {
			var answer struct {
				ID string `json:"id"`
			}
			begin := time.Now()
			err := timed(ctx, func(ctx context.Context) error {
				return side.server.Use(ctx, "memory_save", map[string]any{"content": content}, &answer)
			})
			if err == nil && answer.ID == "" {
				err = fmt.Errorf("memory_save: the answer has no id")
			}
			if err != nil {
				side.failed = true
				return err
			}
			took[i] = append(took[i], time.Since(begin))
		}
	}
	for i, side := range sides {
		side.SaveP50, side.SaveP95 = millis(metrics.Percentile(took[i], 50)), millis(metrics.Percentile(took[i], 95))
	}
	return nil
}

// toolTokens is what a tool list costs in a model's context.
func toolTokens(list []child.Tool) int {
	counter := tokens.NewCounter("cl100k_base")
	sum := 0
	for _, t := range list {
		sum += counter.Count(t.Name) + counter.Count(t.Description) + counter.Count(string(t.InputSchema))
	}
	return sum
}
