package main

import (
	"context"
	"fmt"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/eval/metrics"
	"mcp-memory/text/tokens"
)

// serve takes the figures of one running server.
func (f *figures) serve(ctx context.Context, p child.Program, probes []probe) error {
	s, err := p.Start(ctx)
	if err != nil {
		return err
	}
	err = f.session(ctx, s, probes)
	if stopped := s.Stop(); err == nil {
		err = stopped
	}
	return s.Explain(err)
}

func (f *figures) session(ctx context.Context, s *child.Server, probes []probe) error {
	if err := timed(ctx, s.Initialize); err != nil {
		return err
	}
	err := timed(ctx, func(ctx context.Context) error {
		list, err := s.Tools(ctx)
		f.Tools, f.ToolTokens = len(list), toolTokens(list)
		return err
	})
	if err != nil {
		return err
	}
	time.Sleep(settle)
	if f.IdleMemory, err = s.Resident(); err != nil {
		return err
	}
	if err := f.ask(ctx, s, probes); err != nil {
		return err
	}
	if f.RecallMemory, err = s.Resident(); err != nil {
		return err
	}
	return f.save(ctx, s)
}

// ask recalls every question once; the first is of a kind of its own, for
// nothing is cached yet.
func (f *figures) ask(ctx context.Context, s *child.Server, probes []probe) error {
	var took []time.Duration
	answered, found := 0, 0
	for i, one := range append([]probe{{question: "What should I know before I start?"}}, probes...) {
		var answer struct {
			Results []struct {
				ExternalID string `json:"external_id"`
			} `json:"results"`
		}
		begin := time.Now()
		err := timed(ctx, func(ctx context.Context) error {
			return s.Use(ctx, "memory_recall", map[string]any{"query": one.question}, &answer)
		})
		if err != nil {
			return err
		}
		if i == 0 {
			f.FirstRecall = millis(time.Since(begin))
			continue
		}
		took = append(took, time.Since(begin))
		if one.answer == "" {
			continue
		}
		answered++
		for _, r := range answer.Results {
			if r.ExternalID == one.answer {
				found++
			}
		}
	}
	f.RecallP50 = millis(metrics.Percentile(took, 50))
	f.RecallP95 = millis(metrics.Percentile(took, 95))
	f.RecallP99 = millis(metrics.Percentile(took, 99))
	f.NeedlesFound = float64(found) / float64(max(1, answered))
	return nil
}

// save stores facts one by one; an answer means that they are durable.
func (f *figures) save(ctx context.Context, s *child.Server) error {
	var took []time.Duration
	g := newGenerator(7) // others than the imported ones
	for range saves {
		var answer struct {
			ID string `json:"id"`
		}
		content := g.fact()
		begin := time.Now()
		err := timed(ctx, func(ctx context.Context) error {
			return s.Use(ctx, "memory_save", map[string]any{"content": content}, &answer)
		})
		if err == nil && answer.ID == "" {
			err = fmt.Errorf("memory_save: the answer has no id")
		}
		if err != nil {
			return err
		}
		took = append(took, time.Since(begin))
	}
	f.SaveP50, f.SaveP95 = millis(metrics.Percentile(took, 50)), millis(metrics.Percentile(took, 95))
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
