package transfer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"mcp-memory/memory"
)

// Export writes an agent's bank as a bundle: memories, conversations, to-dos, the calendar and
// actions, including what is archived, superseded and done. progress may be nil. It is called now
// and then with the numbers of lines and bytes written. What is damaged in the store is listed in
// Report.Damaged and the rest is exported. Other errors are the store's and those of w.
//
// A bundle does not contain: vectors, which the import computes; the oldest runs of a procedure
// with very many; which sessions have recalled a record (it has how often and when last); removed
// events; what can be undone, and the results of repeatable calls; neural links; open context
// windows and their events; and background work in progress.
func Export(ctx context.Context, deps Deps, agent string, w io.Writer, progress func(lines, bytes int64)) (Report, error) {
	report := Report{Format: Bundle}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	actions, err := deps.Store.Actions(ctx, agent, memory.ActionFilter{})
	if err := report.forgive("actions", err); err != nil {
		return report, err
	}
	version := bundleVersion
	if len(actions) > 0 {
		version = bundleWithActions
	}
	out := newLineWriter(w, progress)
	err = out.put(headerLine{typeHeader, version, agent, deps.Clock().UTC(), schemaVersion})
	if err != nil {
		return report, err
	}
	err = deps.Store.EachRecord(ctx, agent, func(r memory.Record) error {
		runs, err := runsOf(ctx, deps.Store, r)
		if err := report.forgive("runs of "+r.ID, err); err != nil {
			return err
		}
		report.noteDamage("record", r.ID, r.Damaged)
		report.Records++
		return out.put(lineOfRecord(r, runs))
	})
	if err := report.forgive("records", err); err != nil {
		return report, err
	}
	aliases := 0
	err = deps.Store.EachAlias(ctx, agent, func(externalID, id string) error {
		aliases++
		return out.put(bundledAlias{typeAlias, externalID, id})
	})
	if err := report.forgive("names", err); err != nil {
		return report, err
	}
	err = deps.Store.EachTurn(ctx, agent, func(t memory.Turn) error {
		report.noteDamage("turn", t.ID, t.Damaged)
		report.Turns++
		return out.put(lineOfTurn(t))
	})
	if err := report.forgive("turns", err); err != nil {
		return report, err
	}
	if err := report.forgive("plans", putPlans(ctx, deps.Store, agent, out, &report)); err != nil {
		return report, err
	}
	if err := putActions(actions, out, &report); err != nil {
		return report, err
	}
	report.Read = report.Records + report.Turns + report.Todos + report.Events + report.Actions
	if err := out.put(footerLine{typeFooter, report.Records, aliases, report.Turns, report.Todos, report.Events,
		report.Actions}); err != nil {
		return report, err
	}
	return report, out.flush()
}

// forgive returns nil for an error that says that something in the store is damaged, and adds it to
// Report.Damaged. It returns any other error.
func (r *Report) forgive(what string, err error) error {
	if !errors.Is(err, memory.ErrDamaged) {
		return err
	}
	var some *memory.Unreadable
	if !errors.As(err, &some) || len(some.IDs) == 0 {
		r.Damaged = append(r.Damaged, what+" cannot be read")
		return nil
	}
	for _, id := range some.IDs {
		r.Damaged = append(r.Damaged, what+": "+id+" cannot be read")
	}
	return nil
}

func (r *Report) noteDamage(what, id string, damaged bool) {
	if damaged {
		r.Damaged = append(r.Damaged, what+" "+id+" is not what was saved")
	}
}

// lineWriter writes JSON values, one a line.
type lineWriter struct {
	w        *bufio.Writer
	json     *json.Encoder
	progress func(lines, bytes int64)
	lines    int64
	bytes    int64
}

func newLineWriter(w io.Writer, progress func(lines, bytes int64)) *lineWriter {
	l := &lineWriter{w: bufio.NewWriterSize(w, 256<<10), progress: progress}
	l.json = json.NewEncoder(l)
	l.json.SetEscapeHTML(false)
	return l
}

// Write implements [io.Writer] for the encoder and counts the bytes.
func (l *lineWriter) Write(p []byte) (int, error) {
	n, err := l.w.Write(p)
	l.bytes += int64(n)
	return n, err
}

func (l *lineWriter) put(line any) error {
	if err := l.json.Encode(line); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	if l.lines++; l.lines%memory.MaxBatch == 0 {
		l.progress(l.lines, l.bytes)
	}
	return nil
}

// putText writes a line that is encoded already.
func (l *lineWriter) putText(line []byte) error {
	if _, err := l.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	return nil
}

func (l *lineWriter) flush() error {
	if err := l.w.Flush(); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	l.progress(l.lines, l.bytes)
	return nil
}
