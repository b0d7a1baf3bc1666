package mirror

import (
	"context"
	"errors"
	"time"

	"mcp-memory/memory"
)

const (
	completePage = 500 // records that are looked at together
	foremost     = 150 // of the bank's best, which are looked at each time
)

// Complete writes what the files lack, such as what was saved by a process that died
// before it came to write, or before there were files. It reads what came since it was
// done last, of all before the foremost facts that are marked: what was made important
// since; and as many of the open to-dos as may have a line.
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
		if r.Kind != memory.KindFact || marked(r) { // texts stay as they were: reading them costs time and memory
			note(put, r)
		}
	}
	if put[0].Todos, err = s.openTodos(ctx, agent); err != nil {
		return err
	}
	return s.passAll(ctx, agent, files, put, func(e *settlement) { e.Through = through })
}

// passAll makes all files and the bank say the same; put is by the numbers of forms.
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

// all is what each file has to have.
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

// note adds a record to what the files have to have that it belongs to.
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

// newer calls note for the records that hold and came after one by its number, and
// returns the number of the last.
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
