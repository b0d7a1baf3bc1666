package recall

import (
	"cmp"
	"context"
	"slices"

	"mcp-memory/memory"
)

// withArchive returns an answer completed by archived records that self-care has set aside, if the
// answer is not sure or one of its first results is a summary, which stands for such records. What
// somebody forgot stays forgotten.
func (s *Service) withArchive(ctx context.Context, r Request, answer Answer) (Answer, error) {
	if r.Filter.IncludeArchived {
		return answer, nil
	}
	summary := slices.ContainsFunc(answer.Results[:min(leastShown, len(answer.Results))],
		func(one Result) bool { return one.Kind == memory.KindSummary })
	if !summary && answer.Confidence.Sure() {
		return answer, nil
	}
	if !summary {
		// Self-care that set something aside has left summaries. Counting them takes no search.
		if made, err := s.store.CountRecords(ctx, r.Scope.Agent, memory.KindSummary); err != nil || made == 0 {
			return answer, err
		}
	}
	again := r // without summaries, which say the same as what they were made of
	again.Corpora, again.Trace = []memory.Corpus{memory.Memories}, nil
	again.Filter.IncludeArchived, again.Looked = true, true
	if len(again.Filter.Kinds) == 0 {
		again.Filter.Kinds = slices.DeleteFunc(memory.Kinds(), func(k memory.Kind) bool { return k == memory.KindSummary })
	}
	whole, err := s.Recall(ctx, again)
	if err != nil {
		return answer, err
	}
	archived := func(one Result) bool { return !one.ArchivedAt.IsZero() }
	forgotten := func(one Result) bool { return archived(one) && one.ArchiveWhy != memory.WhySelfCare }
	if len(whole.Results) > 0 && forgotten(whole.Results[0]) { // its confidence is that of a record that is not shown
		whole.Confidence = answer.Confidence
	}
	whole.Results = slices.DeleteFunc(whole.Results, forgotten)
	if !slices.ContainsFunc(whole.Results, archived) {
		return answer, nil
	}
	first, then := whole, slices.DeleteFunc(slices.Clone(answer.Results), func(one Result) bool { return one.Kind != memory.KindSummary })
	if answer.Confidence.Sure() || !(r.Corpora == nil || slices.Equal(r.Corpora, again.Corpora)) { // what it was made of comes behind
		first, then = answer, slices.DeleteFunc(whole.Results, func(one Result) bool { return !archived(one) })
	}
	first.Agenda = answer.Agenda
	return s.joined(r, first, then), nil
}

// joined returns an answer with further results behind its own, as many as the request's limit and
// budget of tokens leave room for; the best of them takes the last place if all are taken.
func (s *Service) joined(r Request, first Answer, then []Result) Answer {
	first.Missed = nil
	if len(then) == 0 {
		return first
	}
	limit := cmp.Or(r.Limit, DefaultLimit)
	kept := min(len(first.Results), max(1, limit-1))
	results := slices.Clone(first.Results[:kept])
	for _, one := range then[:min(len(then), limit-kept)] {
		n := s.tokens.Count(one.Content)
		if r.Tokens > 0 && first.TotalTokens+n > r.Tokens {
			break
		}
		results, first.TotalTokens = append(results, one), first.TotalTokens+n
	}
	if len(results) == kept { // there was no room
		results = first.Results
	}
	first.Results = results
	return first
}
