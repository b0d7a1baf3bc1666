package main

import (
	"context"
	"errors"
	"io"
)

// errInterrupted is the end of a command that was told to end, as by Ctrl-C, while it waited
// for input.
var errInterrupted = errors.New("interrupted")

// input is stdin for a command that reads it. A terminal or a pipe from which nothing comes
// would hold a read for ever; here it ends with [errInterrupted] when the context does.
func (p *Program) input(ctx context.Context) io.Reader {
	return &interruptible{ctx: ctx, from: p.Stdin}
}

type interruptible struct {
	ctx    context.Context
	from   io.Reader
	buffer []byte
}

// Read implements [io.Reader]. After an end of the context the last read goes on beside, and
// what it brings is lost.
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
