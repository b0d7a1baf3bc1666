package contextwindow

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
)

// answerTimeout is how long one summarizer may take for one answer. A long
// history is several requests, and a local model may read each for minutes.
const answerTimeout = 20 * time.Minute

// firstAnswer asks summarizers in order and returns the first usable answer. Each failure is
// logged, and the job's Fallback says who took whose place. If all fail it returns
// [memory.CodeUnavailable]: the job has to wait.
func firstAnswer[T any](ctx context.Context, r *attempt, summarizers []memory.Summarizer,
	ask func(context.Context, memory.Summarizer) (T, error)) (T, error) {
	var none T
	var errs []error
	for _, d := range summarizers {
		answer, err := askWithin(ctx, d, ask)
		if err == nil {
			if len(errs) > 0 {
				r.work.Fallback = fmt.Sprintf("%s gave no usable answer, %s took its place", summarizers[0].Name(), d.Name())
			}
			return answer, nil
		}
		if ctx.Err() != nil {
			return none, ctx.Err()
		}
		r.log.WarnContext(ctx, "shorten a conversation", "summarizer", d.Name(), "error", err)
		errs = append(errs, fmt.Errorf("%s: %w", d.Name(), err))
	}
	return none, memory.Errorf(memory.CodeUnavailable, "no summariser answers").
		WithHint("nothing was dropped; it is tried again").WithCause(errors.Join(errs...))
}

// askWithin calls ask, and cancels it after answerTimeout if the summarizer is not local.
func askWithin[T any](ctx context.Context, d memory.Summarizer, ask func(context.Context, memory.Summarizer) (T, error)) (T, error) {
	if !d.Local() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, answerTimeout)
		defer cancel()
	}
	return ask(ctx, d)
}

// local returns the summarizers that a caller may wait for.
func local(summarizers []memory.Summarizer) []memory.Summarizer {
	return slices.DeleteFunc(slices.Clone(summarizers), func(d memory.Summarizer) bool { return !d.Local() })
}

// checkFacts returns those of a summarizer's facts that are usable, with their values in range:
// they are untrusted. Each of the known facts is replaced by one fact at most. An error says that
// there are facts and none is usable.
func checkFacts(facts []memory.Extracted, turns []memory.Turn, known []memory.KnownFact) ([]found, error) {
	indexes := map[int]bool{}
	for _, t := range turns {
		indexes[t.Index] = true
	}
	replaceable := map[string]bool{} // ids of known facts that no fact replaces yet
	for _, k := range known {
		replaceable[k.ID] = true
	}
	var list []found
	seen := map[string]bool{}
	for _, f := range facts[:min(len(facts), maxFacts)] {
		content := strings.TrimSpace(f.Content)
		same := memory.SameContent(content)
		if content == "" || seen[same] || memory.CheckText("fact", content, maxFactBytes) != nil {
			continue
		}
		seen[same] = true
		importance := f.Importance
		if math.IsNaN(importance) {
			importance = memory.DefaultImportance
		}
		importance = min(1, max(0, importance))
		item := found{Content: content, Type: f.Type, Category: categoryOf(f.Type), Importance: &importance, Turn: -1}
		if !slices.Contains(memory.FactTypes(), f.Type) {
			item.Type = memory.FactOther
		}
		if indexes[f.Turn] {
			item.Turn = f.Turn
		}
		if replaceable[f.Replaces] {
			item.Replaces, replaceable[f.Replaces] = f.Replaces, false
		}
		if y := f.OccurredAt.Year(); !f.OccurredAt.IsZero() && y >= 1 && y <= 9999 {
			item.OccurredAt = memory.StoredTime(f.OccurredAt)
		}
		list = append(list, item)
	}
	if len(facts) > 0 && len(list) == 0 {
		return nil, errors.New("none of the facts can be used")
	}
	return list, nil
}

// categoryOf returns the category for facts of a type; empty leaves it to the classifier.
func categoryOf(t memory.FactType) string {
	switch t {
	case memory.FactPreference, memory.FactIdentity, memory.FactDecision, memory.FactEvent:
		return string(t)
	case memory.FactCommitment:
		return "goal"
	}
	return ""
}

// checkSummary returns a summarizer's text cut to limit tokens; an error if it is blank, not
// UTF-8, or cannot be cut so short.
func checkSummary(c memory.TokenCounter, text string, limit int) (string, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\x00", ""))
	if text == "" || !utf8.ValidString(text) {
		return "", errors.New("the summary is not a text")
	}
	if text = truncate(c, text, limit); text == "" {
		return "", errors.New("the summary does not fit")
	}
	return text, nil
}
