package mirror

import (
	"context"
	"errors"
	"time"

	"mcp-memory/memory"
)

const (
	completePage = 500 // records that are looked at together
	foremost     = 150 // most salient records of the bank, which are looked at each time
)

// Complete writes what the files lack, for example because a process died before it wrote, or
// because there were no files when it was saved. It reads the records that came since the last
// Complete. Of older ones it looks at the foremost, without facts that belong into MEMORY.md by
// their text alone: an update may have made the others important. It also writes as many open
// to-dos as may have a line.
func (s *Service) Complete(ctx context.Context, agent string) error {
	files := s.files(agent)
	lefts := files.Lefts(ctx)
	from := lefts[forms[0].name].Through
	for _, f := range forms {
		if f.save != nil {
			from = min(from, lefts[f.name].Through)
		}
	}
	put := make([]Changes, len(forms))
	through, err := s.newer(ctx, agent, from, func(r memory.Record) { note(put, r) })
	if err != nil {
		return err
	}
	best, err := s.store.Salient(ctx, memory.Scope{Agent: agent, Project: memory.AllProjects}, s.clock.Now(), foremost)
	if err != nil {
		return err
	}
	for _, r := range best {
		if r.Kind != memory.KindFact || marked(r) { // texts do not change, and reading them costs time and memory
			note(put, r)
		}
	}
	if put[0].Todos, err = s.openTodos(ctx, agent); err != nil {
		return err
	}
	return s.passAll(ctx, agent, files, put, func(e *settlement) { e.Through = through })
}

// passAll is passTo for all files; put[i] is for the file of forms[i].
func (s *Service) passAll(ctx context.Context, agent string, files Files, put []Changes, say func(*settlement)) error {
	var errs []error
	for i, f := range forms {
		errs = append(errs, s.passTo(ctx, agent, files, f, put[i], say))
	}
	return errors.Join(errs...)
}

// Repair writes all that the files lack, of a bank of any age.
func (s *Service) Repair(ctx context.Context, agent string) error {
	all, err := s.all(ctx, agent)
	if err != nil {
		return err
	}
	return s.passAll(ctx, agent, s.files(agent), all, func(*settlement) {})
}

// all returns what each file has to have of the whole bank, by the numbers of forms.
func (s *Service) all(ctx context.Context, agent string) ([]Changes, error) {
	all := make([]Changes, len(forms))
	err := s.store.EachRecord(ctx, agent, func(r memory.Record) error {
		note(all, r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	all[0].Todos, err = s.openTodos(ctx, agent)
	return all, err
}

// note adds a record to put, which is by the numbers of forms, for each file that it belongs
// into.
func note(put []Changes, r memory.Record) {
	for i, f := range forms {
		put[i].Records = append(put[i].Records, f.of(Changes{Records: []memory.Record{r}}).Records...)
	}
}

// openTodos are the ids of the to-dos that are to have a line in MEMORY.md.
func (s *Service) openTodos(ctx context.Context, agent string) ([]string, error) {
	open, _, err := s.planning.Todos(ctx, agent, memory.TodoFilter{Status: memory.TodoPending}, maxTodos)
	return idsOf(open), err
}

// newer calls note for the records that hold and have a sequence number after from, and returns
// the last number that it read. After each page it rests as long as that took.
func (s *Service) newer(ctx context.Context, agent string, from int64, note func(memory.Record)) (through int64, err error) {
	for through = from; ; {
		begun := time.Now()
		page, err := s.store.After(ctx, memory.Memories, agent, through, completePage)
		if err != nil || len(page) == 0 {
			return through, err
		}
		seqs := make([]int64, len(page))
		for i, doc := range page {
			seqs[i] = doc.Seq
			through = max(through, doc.Seq)
		}
		found, err := s.store.Documents(ctx, memory.Memories, memory.Filter{Agent: agent, Now: s.clock.Now()}, seqs)
		if err != nil {
			return through, err
		}
		for _, doc := range found {
			note(doc.Record)
		}
		select { // nobody waits for this, and others want to work
		case <-ctx.Done():
			return through, ctx.Err()
		case <-time.After(time.Since(begun)):
		}
	}
}
