package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/eval/sets"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// measure streams a conversation and prints its tables.
func measure(ctx context.Context, c *conversation, o options, w io.Writer) (err error) {
	s, err := open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.close(ctx); err == nil {
			err = closed
		}
	}()
	fmt.Fprintf(w, "# %s/%s: %d turns, window %d − %d tokens\n\n", c.set, c.name, len(c.items), o.window, o.reserve)
	if err := s.stream(ctx, c, o, w); err != nil {
		return err
	}
	s.now = c.items[len(c.items)-1].At.AddDate(0, 0, 1)
	names := map[string]string{} // id of a turn → its item
	turns, err := s.Store.Turns(ctx, agent, c.name, 0, 0)
	if err != nil {
		return err
	}
	for _, t := range turns {
		names[t.ID] = t.ExternalID
	}
	if err := s.originals(ctx, turns, o, w); err != nil {
		return err
	}
	return s.questions(ctx, c, names, o, w)
}

// stream appends the turns one by one.
func (s *system) stream(ctx context.Context, c *conversation, o options, w io.Writer) error {
	fmt.Fprintf(w, "| append | before | after | turns | action | facts | ms |\n|--:|--:|--:|--:|---|--:|--:|\n")
	var took []time.Duration
	highest, facts := 0.0, 0
	for i, it := range c.items {
		if at := it.At.Time; !at.IsZero() {
			s.now = at
		}
		begin := time.Now()
		r, err := s.window.Append(ctx, contextwindow.AppendRequest{
			Scope: scope, Session: c.name, Messages: []contextwindow.Message{o.message(c, it)},
			Total: o.window, Reserve: &o.reserve, Model: o.model, Source: "measured",
		})
		if err != nil {
			return fmt.Errorf("append %d: %w", i+1, err)
		}
		spent := time.Since(begin)
		took = append(took, spent)
		highest = max(highest, r.Utilization.Percent)
		facts += len(r.FactsSaved)
		if o.all || r.Before.Percent >= 60 || r.Action != contextwindow.ActionNone {
			fmt.Fprintf(w, "| %d | %.1f %% | %.1f %% | %d | %s | %d | %.1f |\n", i+1, r.Before.Percent, r.Utilization.Percent,
				r.Utilization.TurnsInContext, r.Action, len(r.FactsSaved), float64(spent.Microseconds())/1000)
		}
	}
	slices.Sort(took)
	fmt.Fprintf(w, "\nHighest utilisation after an append %.1f %%; %d facts; an append takes %.1f ms (p50), %.1f ms (p95).\n",
		highest, facts,
		float64(took[len(took)/2].Microseconds())/1000, float64(took[len(took)*95/100].Microseconds())/1000)
	return nil
}

// message is an item as a host reports it: people are users with a name, or
// whoever speaks second is the assistant with one.
func (o options) message(c *conversation, it sets.Item) contextwindow.Message {
	m := contextwindow.Message{Role: memory.Role(it.Speaker), Content: it.Text, TS: it.At.Time, ExternalID: it.ID}
	if slices.Contains(memory.Roles(), m.Role) {
		return m
	}
	m.Role, m.Name = memory.RoleUser, it.Speaker
	if o.assistant && it.Speaker != c.items[0].Speaker {
		m.Role = memory.RoleAssistant
	}
	return m
}

// search asks as memory_search does.
func (s *system) search(ctx context.Context, query string, limit int) ([]recall.Result, error) {
	query = string([]rune(query)[:min(len([]rune(query)), 4000)])
	answer, err := s.Recall.Recall(ctx, recall.Request{
		Query: query, Scope: scope, Corpora: memory.Corpora(), Limit: limit, MinScore: recall.Floor, Now: s.now,
	})
	return answer.Results, err
}

// originals looks for every turn by its own words. One without a word that
// says anything cannot be asked for.
func (s *system) originals(ctx context.Context, turns []memory.Turn, o options, w io.Writer) error {
	found, silent := 0, 0
	for _, t := range turns {
		results, err := s.search(ctx, t.Content, o.limit)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(results, func(r recall.Result) bool { return r.ID == t.ID || slices.Contains(r.Duplicates, t.ID) }) {
			found++
		} else if len(results) == 0 {
			silent++
		}
	}
	fmt.Fprintf(w, "Of %d original turns, %d are among the first %d results for their own words; %d have no word to ask for.\n", len(turns),
		found, o.limit, silent)
	return nil
}

// questions asks what one turn answers.
func (s *system) questions(ctx context.Context, c *conversation, names map[string]string, o options, w io.Writer) error {
	strict, wide := 0, 0
	for _, q := range c.questions {
		results, err := s.search(ctx, q.Question, o.limit)
		if err != nil {
			return err
		}
		isGold := func(id string) bool { return slices.Contains(q.Gold, names[id]) }
		turn := slices.ContainsFunc(results, func(r recall.Result) bool {
			return isGold(r.ID) || slices.ContainsFunc(r.Duplicates, isGold)
		})
		fact := slices.ContainsFunc(results, func(r recall.Result) bool { return isGold(sourceOf(r.Record)) })
		if turn {
			strict++
		}
		if turn || fact {
			wide++
		}
	}
	if n := len(c.questions); n > 0 {
		fmt.Fprintf(w, "Of %d questions, %d (%.0f %%) have evidence among the first %d results; %d (%.0f %%) with facts counted.\n\n",
			n, strict, 100*float64(strict)/float64(n), o.limit, wide, 100*float64(wide)/float64(n))
	}
	return nil
}

// sourceOf is the id of the turn that a fact was found in.
func sourceOf(r memory.Record) string {
	var from struct {
		Turn string `json:"turn"`
	}
	if json.Unmarshal(r.Provenance, &from) != nil {
		return ""
	}
	return from.Turn
}
