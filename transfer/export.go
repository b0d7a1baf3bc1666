package transfer

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"mcp-memory/memory"
)

// Export writes an agent's bank as a bundle: what is archived and superseded
// included, vectors left out. progress, which may be nil, is told now and then
// how many lines and bytes were written. Errors are the store's and those of w.
//
// Not in a bundle: the older of very many runs of a procedure, further external ids of one record, which sessions have
// recalled it, undos, and the keys of repeatable calls.
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
	err = deps.Store.EachTurn(ctx, agent, func(t memory.Turn) error {
		report.Turns++
		return out.put(lineOfTurn(t))
	})
	if err != nil {
		return report, err
	}
	report.Read = report.Records + report.Turns
	if err := out.put(footerLine{typeFooter, report.Records, report.Turns}); err != nil {
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
