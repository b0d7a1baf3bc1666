package recall

import (
	"cmp"
	"context"
	"slices"

	"mcp-memory/memory"
)

// Listing asks for what a bank holds, without a question.
type Listing struct {
	Scope   memory.Scope
	Corpora []memory.Corpus // nil is [memory.Memories]
	Filter  memory.Filter   // its agent, projects and moment come from the scope and the clock
	Limit   int             // 1 to [memory.MaxBatch]
	Offset  int             // how many to pass over
}

// List returns what passes the filter, the newest by arrival first, and whether
// there is more behind it. Only memories and conversations have an order of arrival:
// other corpora are passed over. Errors: [memory.CodeInvalidArgument] for a limit or
// offset out of range, and where no corpus is left.
func (s *Service) List(ctx context.Context, l Listing) (found []memory.Document, more bool, err error) {
	if l.Limit < 1 || l.Limit > memory.MaxBatch {
		return nil, false, memory.Errorf(memory.CodeInvalidArgument, "limit is %d", l.Limit).WithHint("1 to %d", memory.MaxBatch)
	}
	if l.Offset < 0 {
		return nil, false, memory.Errorf(memory.CodeInvalidArgument, "offset is %d", l.Offset).WithHint("0 or more")
	}
	l.Filter.Agent, l.Filter.Projects = l.Scope.Agent, l.Scope.Readable()
	if l.Filter.Now.IsZero() {
		l.Filter.Now = s.clock()
	}
	if len(l.Corpora) == 0 {
		l.Corpora = []memory.Corpus{memory.Memories}
	}
	listed := slices.DeleteFunc(slices.Clone(l.Corpora), func(c memory.Corpus) bool { return !slices.Contains(memory.Corpora(), c) })
	if len(listed) == 0 {
		return nil, false, memory.Errorf(memory.CodeInvalidArgument, "query is empty, and %s has no newest to list", l.Corpora[0]).
			WithHint("ask a question or give some words; memories and conversations are listed without")
	}
	for _, corpus := range listed {
		seqs, err := s.store.Newest(ctx, corpus, l.Filter, l.Offset+l.Limit+1)
		if err != nil {
			return nil, false, err
		}
		if len(listed) == 1 {
			seqs = seqs[:max(0, len(seqs)-l.Offset)] // the last ones are the newest
		}
		documents, err := s.store.Documents(ctx, corpus, l.Filter, seqs)
		if err != nil {
			return nil, false, err
		}
		found = append(found, documents...)
	}
	slices.SortFunc(found, func(a, b memory.Document) int {
		if a.Corpus == b.Corpus {
			return cmp.Compare(b.Seq, a.Seq)
		}
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.Corpus, b.Corpus))
	})
	if len(listed) > 1 {
		found = found[min(l.Offset, len(found)):]
	}
	if len(found) > l.Limit {
		return found[:l.Limit], true, nil
	}
	return found, false, nil
}
