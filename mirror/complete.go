package mirror

import (
	"context"
	"errors"
	"time"

	"mcp-memory/memory"
)

const (
	completePage = 500 // records that are looked at together
	foremost     = 500 // of the bank's best, which are looked at each time
)

// Complete writes what the files lack, such as what was saved by a process that died
// before it came to write, or before there were files. It reads what came since it was
// done last, and of all before the foremost: what was made important since.
func (s *Service) Complete(ctx context.Context, agent string) error {
	files := s.files(agent)
	from := files.Left(forms[0].name).Through
	for _, f := range forms {
		from = min(from, files.Left(f.name).Through)
	}
	put := make([][]memory.Record, len(forms))
	note := func(r memory.Record) {
		for i, f := range forms {
			if r.Live() && f.belongs(r) {
				put[i] = append(put[i], r)
			}
		}
	}
	through, err := s.newer(ctx, agent, from, note)
	if err != nil {
		return err
	}
	best, err := s.store.Salient(ctx, memory.Scope{Agent: agent, Project: memory.AllProjects}, s.clock.Now(), foremost)
	if err != nil {
		return err
	}
	for _, r := range best {
		note(r)
	}
	var errs []error
	for i, f := range forms {
		errs = append(errs, s.passTo(ctx, agent, files, f, put[i], func(e *settlement) { e.Through = through }))
	}
	return errors.Join(errs...)
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
