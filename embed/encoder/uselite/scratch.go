package uselite

import (
	"sync/atomic"

	"mcp-memory/embed/encoder"
)

// scratch is the memory that a vector is made in. It is large beside what else a
// text needs, so it is used again.
type scratch struct {
	encoder.Workspace
	tokens, residual, normed, qkv, out, hidden []float32
}

// kept is the number of pieces up to which the memory is kept for the next text: 2 MB.
const kept = 64

// spare waits for the next text. A pool would lose it to the garbage collector, which runs often
// while little is in memory.
var spare atomic.Pointer[scratch]

// borrow returns memory for some pieces. What is in it is left from before.
func borrow(pieces int) *scratch {
	s := spare.Swap(nil)
	if s == nil { // another text is being encoded
		s = new(scratch)
	}
	s.tokens, s.residual, s.normed = room(s.tokens, pieces*narrow), room(s.residual, pieces*wide), room(s.normed, pieces*wide)
	s.qkv, s.out, s.hidden = room(s.qkv, pieces*3*wide), room(s.out, pieces*wide), room(s.hidden, pieces*inner)
	return s
}

// giveBack keeps the memory for the next text, unless it is large.
func (s *scratch) giveBack() {
	if cap(s.tokens) <= kept*narrow {
		spare.Store(s)
	}
}

// room returns a slice of n values, the given one if it has room for them.
func room(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}
