package transfer

import (
	"context"
	"errors"
	"io"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// maxBatchBytes is the size at which a batch is written early, to bound memory.
const maxBatchBytes = 8 << 20

// pipeline reads and checks lines in the calling goroutine, and writes batches in another, one
// batch behind.
type pipeline struct {
	loader   loader
	lines    *jsonl.Reader
	skipBad  bool
	progress func(lines, bytes int64)

	report     Report // Skipped and Bad; the rest is added at the end
	batchStart int    // number of the first line of the batch
	batchBytes int
}

// step is a batch to be written, with how far the file was read.
type step struct {
	write        write
	lines, bytes int64
}

func (p *pipeline) run(ctx context.Context) (Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	steps := make(chan step, 1)
	var stored Report
	failed := make(chan error, 1)
	go func() {
		err := p.writeAll(ctx, steps, &stored)
		if err != nil {
			cancel() // stops the reader
		}
		failed <- err
	}()
	readErr := p.readAll(ctx, steps)
	close(steps)
	err := <-failed // batches before a broken line are still written
	p.report.add(stored)
	p.report.Read = p.report.Created + p.report.Updated + p.report.Revived + p.report.Forgotten + p.report.Duplicates + p.report.Skipped
	if err == nil {
		err = readErr
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = errCancelled(err)
	}
	return p.report, err
}

func errCancelled(cause error) error {
	return memory.Errorf(memory.CodeUnavailable, "the import was cancelled or took too long").
		WithHint("what was imported is kept; import the same again to go on").WithCause(cause)
}

func (p *pipeline) writeAll(ctx context.Context, steps <-chan step, stored *Report) error {
	for s := range steps {
		done, err := s.write(ctx)
		if err != nil {
			return err
		}
		stored.add(done)
		if p.progress != nil {
			p.progress(s.lines, s.bytes)
		}
	}
	return nil
}

func (p *pipeline) readAll(ctx context.Context, steps chan<- step) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := p.lines.Next()
		if err == io.EOF {
			break
		}
		if err := p.take(ctx, line, err); err != nil {
			return err
		}
		if p.loader.size() >= memory.MaxBatch || p.batchBytes >= maxBatchBytes {
			if err := p.send(ctx, steps); err != nil {
				return err
			}
		}
	}
	if err := p.loader.end(); err != nil {
		if err := p.bad(err); err != nil {
			return err
		}
	}
	return p.send(ctx, steps)
}

// take passes a line to the loader. err is the error of reading it.
func (p *pipeline) take(ctx context.Context, line []byte, err error) error {
	if p.loader.size() == 0 {
		p.batchStart, p.batchBytes = p.lines.Number(), 0
	}
	if err == nil {
		p.batchBytes += len(line)
		err = p.loader.add(ctx, line)
	} else if err != jsonl.ErrLongLine && err != jsonl.ErrEncoding {
		return err
	}
	if err == nil {
		return nil
	}
	return p.bad(err)
}

// bad reports a broken line. It returns the error of the import, or nil with skipBad.
func (p *pipeline) bad(err error) error {
	var stop fatal
	if errors.As(err, &stop) {
		return stop.error
	}
	reason := err.Error()
	var known *memory.Error
	if errors.As(err, &known) {
		reason = known.Message
	}
	line := p.lines.Number()
	if len(p.report.Bad) < reportedBadLines {
		p.report.Bad = append(p.report.Bad, BadLine{Line: line, Reason: reason})
	}
	if p.skipBad {
		p.report.Skipped++
		return nil
	}
	start := line
	if p.loader.size() > 0 {
		start = p.batchStart
	}
	return memory.Errorf(memory.CodeInvalidArgument, "line %d: %s", line, reason).
		WithHint("nothing from line %d on was imported; mend the line and import the file again, or skip broken lines", start)
}

// send passes the batch to the writer.
func (p *pipeline) send(ctx context.Context, steps chan<- step) error {
	if p.loader.size() == 0 {
		return nil
	}
	s := step{p.loader.cut(ctx), int64(p.lines.Number()), p.lines.RawBytes()}
	select {
	case steps <- s:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
