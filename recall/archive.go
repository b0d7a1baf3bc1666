package recall

import (
	"cmp"
	"context"
	"slices"

	"mcp-memory/memory"
)

// withArchive looks into what self-care has set aside where an answer is not sure, or where
// a summary stands in it for what it was made of. What somebody forgot stays forgotten.
func (s *Service) withArchive(ctx context.Context, r Request, answer Answer) (Answer, error) {
	if r.Filter.IncludeArchived {
		return answer, nil
	}
	summary := slices.ContainsFunc(answer.Results[:min(leastShown, len(answer.Results))], func(one Result) bool { return one.Kind == memory.KindSummary })
	if !summary && answer.Confidence.Sure() {
		return answer, nil
	}
	if !summary {
		f := memory.Filter{Agent: r.Scope.Agent, Projects: r.Scope.Readable(), Kinds: []memory.Kind{memory.KindSummary}}
		if made, err := s.store.Newest(ctx, memory.Memories, f, 0, 1); err != nil || len(made) == 0 {
			return answer, err
		}
	}
	again := r // without summaries, which say the same as what they were made of
	again.Filter.IncludeArchived, again.Looked = true, true
	if len(again.Filter.Kinds) == 0 {
		again.Filter.Kinds = slices.DeleteFunc(memory.Kinds(), func(k memory.Kind) bool { return k == memory.KindSummary })
	}
	whole, err := s.Recall(ctx, again)
	if err != nil {
		return answer, err
	}
	forgotten := func(one Result) bool { return !one.ArchivedAt.IsZero() && one.ArchiveWhy != memory.WhySelfCare }
	if len(whole.Results) > 0 && forgotten(whole.Results[0]) { // it was sure of what is not shown
		whole.Confidence = answer.Confidence
	}
	whole.Results = slices.DeleteFunc(whole.Results, forgotten)
	archived := func(one Result) bool { return !one.ArchivedAt.IsZero() }
	if !slices.ContainsFunc(whole.Results, archived) {
		return answer, nil
	}
	first, then := whole, answer.Results
	if answer.Confidence.Sure() { // the summary tells it; what it was made of comes behind
		first, then = answer, slices.DeleteFunc(whole.Results, func(one Result) bool { return !archived(one) })
	} else {
		then = slices.DeleteFunc(slices.Clone(then), func(one Result) bool { return one.Kind != memory.KindSummary })
	}
	limit := cmp.Or(r.Limit, DefaultLimit)
	kept := min(len(first.Results), limit-min(1, len(then))) // the best of the others has a place
	first.Results = slices.Concat(first.Results[:kept], then[:min(len(then), limit-kept)])
	first.Missed, first.Agenda = nil, answer.Agenda
	return first, nil
}
