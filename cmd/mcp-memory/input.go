package main

import (
	"context"
	"errors"
	"io"
)

// errInterrupted ends a command that was interrupted, as by Ctrl-C, while it waited for input.
var errInterrupted = errors.New("interrupted")

// input returns stdin for a command. A read from a terminal or pipe may block for ever. This reader
// ends with [errInterrupted] when ctx is done.
func (p *Program) input(ctx context.Context) io.Reader {
	return &interruptible{ctx: ctx, from: p.Stdin}
}

type interruptible struct {
	ctx    context.Context
	from   io.Reader
	buffer []byte
}

// Read implements [io.Reader]. When ctx is done, the last read still goes on in the background, and
// its result is lost.
func (r *interruptible) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, errInterrupted
	}
	if len(r.buffer) < len(b) {
		r.buffer = make([]byte, len(b))
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	part := r.buffer[:len(b)]
	go func() {
		n, err := r.from.Read(part)
		done <- result{n, err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, errInterrupted
	case read := <-done:
		return copy(b, part[:read.n]), read.err
	}
}
