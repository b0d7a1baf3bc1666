package transfer

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"mcp-memory/memory"
)

// Export writes an agent's bank as a bundle: memories, conversations, to-dos and
// the calendar, what is archived, superseded and done included. progress, which may be nil, is told now and then
// how many lines and bytes were written. Errors are the store's and those of w.
//
// Not in a bundle: vectors, which the import makes; the older of very many runs
// of a procedure; which sessions have recalled a record (how often and when last
// is in it); events that were removed; what can be undone, and the results of
// repeatable calls; neural links, open context windows and their events, and
// work in progress.
func Export(ctx context.Context, deps Deps, agent string, w io.Writer, progress func(lines, bytes int64)) (Report, error) {
	report := Report{Format: Bundle}
	stats, err := deps.Store.Stats(ctx, agent)
	if err != nil {
		return report, err
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	out := newLineWriter(w, progress)
	err = out.put(headerLine{typeHeader, bundleVersion, agent, deps.Clock().UTC(), stats.SchemaVersion})
	if err != nil {
		return report, err
	}
	err = deps.Store.EachRecord(ctx, agent, func(r memory.Record) error {
		runs, err := runsOf(ctx, deps.Store, r)
		if err != nil {
			return err
		}
		report.Records++
		return out.put(lineOfRecord(r, runs))
	})
	if err != nil {
		return report, err
	}
	aliases := 0
	err = deps.Store.EachAlias(ctx, agent, func(externalID, id string) error {
		aliases++
		return out.put(bundledAlias{typeAlias, externalID, id})
	})
	if err != nil {
		return report, err
	}
	err = deps.Store.EachTurn(ctx, agent, func(t memory.Turn) error {
		report.Turns++
		return out.put(lineOfTurn(t))
	})
	if err != nil {
		return report, err
	}
	if err := putPlans(ctx, deps.Store, agent, out, &report); err != nil {
		return report, err
	}
	report.Read = report.Records + report.Turns + report.Todos + report.Events
	if err := out.put(footerLine{typeFooter, report.Records, aliases, report.Turns, report.Todos, report.Events}); err != nil {
		return report, err
	}
	return report, out.flush()
}

// lineWriter writes JSON, one value a line.
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

// Write implements [io.Writer] for the encoder, to count the bytes.
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

func (l *lineWriter) flush() error {
	if err := l.w.Flush(); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	l.progress(l.lines, l.bytes)
	return nil
}
