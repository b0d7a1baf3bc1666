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
	Before  int64           // 0, or the [memory.Document.Seq] before which the list goes on; of one corpus
}

// List returns what passes the filter, the newest by arrival first, and whether
// there is more behind it. Only memories and conversations have an order of arrival:
// other corpora are passed over, and those two are merged by when they were made.
// Errors: [memory.CodeInvalidArgument] for a limit or offset out of range, and where no
// corpus is left.
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
	if l.Before != 0 && len(listed) > 1 {
		return nil, false, memory.Errorf(memory.CodeInvalidArgument, "before is the place of a document in one corpus, not in %d",
			len(listed))
	}
	skip := l.Offset
	var lists [][]memory.Document
	for _, corpus := range listed {
		seqs, err := s.store.Newest(ctx, corpus, l.Filter, l.Before, skip+l.Limit+1)
		if err != nil {
			return nil, false, err
		}
		if len(listed) == 1 { // what is passed over is not read; the last ones are the newest
			seqs, skip = seqs[:max(0, len(seqs)-skip)], 0
		}
		documents, err := s.store.Documents(ctx, corpus, l.Filter, seqs)
		if err != nil {
			return nil, false, err
		}
		slices.SortFunc(documents, func(a, b memory.Document) int { return cmp.Compare(b.Seq, a.Seq) })
		lists = append(lists, documents)
	}
	found = newestOf(lists, skip+l.Limit+1)
	found = found[min(skip, len(found)):]
	if len(found) > l.Limit {
		return found[:l.Limit], true, nil
	}
	return found, false, nil
}

// newestOf merges lists, each in its own order of arrival: always the head that was
// created last comes next, of equals that of the first list, until there are so many.
func newestOf(lists [][]memory.Document, wanted int) (merged []memory.Document) {
	for len(merged) < wanted {
		newest := -1
		for i, list := range lists {
			if len(list) > 0 && (newest < 0 || list[0].CreatedAt.After(lists[newest][0].CreatedAt)) {
				newest = i
			}
		}
		if newest < 0 {
			break
		}
		merged, lists[newest] = append(merged, lists[newest][0]), lists[newest][1:]
	}
	return merged
}
