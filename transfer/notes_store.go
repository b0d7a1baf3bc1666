package transfer

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer/jsonl"
)

// store writes what was read: first what is imported as it was exported, then what a person changed
// or added.
func (r *noteReader) store(ctx context.Context) error {
	// Reading was the first half of the progress.
	told := r.o.Progress
	if told == nil {
		told = func(int64, int64) {}
	}
	if err := r.storeBundle(ctx, told); err != nil {
		return err
	}
	for _, c := range r.changes {
		if err := r.whole.Update(ctx, c.update); err != nil {
			return inFile(c.file, err)
		}
		r.came(c.file, c.update.ID, NoteChanged)
		r.report.Updated++
		r.report.Records++
	}
	homes := slices.SortedFunc(maps.Keys(r.drafts), func(a, b noteHome) int {
		return cmp.Or(cmp.Compare(a.project, b.project), cmp.Compare(len(r.drafts[a].files), len(r.drafts[b].files)))
	})
	for _, home := range homes {
		first := 0
		for _, batch := range r.drafts[home].list {
			batch.Embed(ctx)
			results, err := r.whole.Save(ctx, batch)
			var of *remember.BatchError
			if errors.As(err, &of) {
				return inFile(r.drafts[home].files[first+of.Index], of.Err)
			}
			if err != nil {
				return err
			}
			r.report.add(savedFacts(results))
			for i, one := range results {
				r.saved(r.drafts[home], first+i, one)
			}
			first += batch.Len()
		}
	}
	told(0, r.total)
	return nil
}

// inFile adds the file name to an error.
func inFile(file string, err error) error {
	var known *memory.Error
	if !errors.As(err, &known) {
		return err
	}
	return memory.Errorf(known.Code, "%s: %s", file, known.Message).WithHint("%s", known.Hint).WithCause(err)
}

// storeBundle stores what was exported, by importing a bundle that exists only in a pipe.
func (r *noteReader) storeBundle(ctx context.Context, told func(lines, bytes int64)) error {
	if len(r.records)+len(r.plans)+len(r.sessions)+len(r.aliases) == 0 {
		return nil
	}
	in, out := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		out.CloseWithError(r.writeBundle(ctx, out))
	}()
	defer func() {
		in.Close() // ends writeBundle in any case
		<-ended
	}()
	lines, err := jsonl.NewReader(in)
	if err != nil {
		return err
	}
	loader := newBundleLoader(r.deps, r.o)
	var written int64
	run := pipeline{loader: loader, lines: lines, progress: func(_, bytes int64) {
		written = bytes
		told(0, min(r.total, r.total/2+written/2))
	}}
	report, err := run.run(ctx)
	r.report.add(report)
	return err
}

// writeBundle writes the bundle: records in order of their creation, then aliases, turns, to-dos
// and events.
func (r *noteReader) writeBundle(ctx context.Context, w io.Writer) error {
	out := newLineWriter(w, func(int64, int64) {})
	if err := out.put(headerLine{typeHeader, bundleVersion, r.o.Scope.Agent, r.deps.Clock().UTC(), 0}); err != nil {
		return err
	}
	footer := footerLine{Type: typeFooter}
	for _, line := range r.records {
		if err := out.putText(line.text); err != nil {
			return err
		}
		footer.Records++
	}
	for _, alias := range r.aliases {
		if err := out.put(alias); err != nil {
			return err
		}
		footer.Aliases++
	}
	for _, file := range r.sessions {
		_, err := r.eachTurn(file, func(line []byte) error {
			footer.Turns++
			return errors.Join(ctx.Err(), out.putText(line))
		}, func(int, error) error { return nil }) // reported by readSession
		if err != nil {
			return err
		}
	}
	for _, line := range r.plans {
		if err := out.putText(line.text); err != nil {
			return err
		}
		if line.id == noteTodo {
			footer.Todos++
		} else {
			footer.Events++
		}
	}
	if err := out.put(footer); err != nil {
		return err
	}
	return out.flush()
}
