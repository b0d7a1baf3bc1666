package contextwindow

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/analysis"
	"mcp-memory/text/injected"
	"mcp-memory/text/worth"
)

// Bounds on the messages and sentences in which the user asks to forget something, or ends a rule.
// What is longer is a text that was handed over.
const (
	maxAskedBytes    = 1000
	maxSentenceBytes = 200
)

// eachSentence calls fn for each sentence in the job's short messages of the user, but for questions
// and quotations.
func (r *attempt) eachSentence(fn func(t memory.Turn, n int, sentence string) error) error {
	for _, t := range r.span(r.work.From, r.work.To) {
		text := strings.TrimSpace(injected.Without(t.Content))
		if t.Role != memory.RoleUser || len(text) > maxAskedBytes {
			continue
		}
		for n, sentence := range analysis.Sentences(text) {
			if sentence = strings.TrimSpace(sentence); len(sentence) > maxSentenceBytes || strings.ContainsAny(sentence, "?>\"`“„|{") {
				continue
			}
			if err := fn(t, n, sentence); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetAsked forgets what the user asked to forget. Done again it finds nothing more to forget.
func (r *attempt) forgetAsked(ctx context.Context) error {
	scope := memory.Scope{Agent: r.agent, Project: r.window.Project, Session: r.session}
	return r.eachSentence(func(t memory.Turn, _ int, sentence string) error {
		_, err := r.remember.ForgetAsked(ctx, scope, sentence, t.SaidAt)
		return err
	})
}

// withoutEnded returns the facts without the rules, bans and tasks that a later sentence of the user
// in the same turns ends, see [worth.Ends].
func (r *attempt) withoutEnded(facts []found) ([]found, error) {
	rules := make([]worth.Rule, len(facts))
	for i, f := range facts {
		rules[i] = worth.ReadRule(f.Content)
	}
	ended := make([]bool, len(facts))
	err := r.eachSentence(func(t memory.Turn, _ int, sentence string) error {
		later := worth.ReadRule(sentence)
		for i, f := range facts {
			ended[i] = ended[i] || f.Turn >= 0 && f.Turn < t.Index && later.Ends(rules[i])
		}
		return nil
	})
	var left []found
	for i, f := range facts {
		if !ended[i] {
			left = append(left, f)
		}
	}
	return left, err
}

// endings returns requests to save the sentences of the user by which a remembered rule is over
// and of which no fact was made that says so.
func (r *attempt) endings(ctx context.Context) (list []remember.SaveRequest, err error) {
	scope := memory.Scope{Agent: r.agent, Project: r.window.Project, Session: r.session}
	err = r.eachSentence(func(t memory.Turn, n int, sentence string) error {
		ended, err := r.remember.Ended(ctx, scope, sentence, t.SaidAt)
		if err != nil {
			return err
		}
		known := func(rule memory.Record) bool {
			return slices.ContainsFunc(r.work.Facts, func(f found) bool { return worth.Ends(f.Content, rule.Content) })
		}
		if ended = slices.DeleteFunc(ended, known); len(ended) == 0 {
			return nil
		}
		provenance, err := json.Marshal(map[string]any{"session": r.session, "turn": t.ID, "index": t.Index})
		list = append(list, remember.SaveRequest{
			Content: "The user: " + sentence, Category: "preference", Source: memory.SourceAgent, OccurredAt: t.SaidAt,
			Provenance: provenance, IdempotencyKey: fmt.Sprintf("%s/ends/%d/%d", r.id, t.Index, n), Quiet: true, Again: true,
		})
		return err
	})
	return list, err
}
