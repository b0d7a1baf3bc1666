package uselite

import (
	"sync"

	"mcp-memory/embed/encoder"
)

// scratch is the memory that a vector is made in. It is large beside what else a
// question needs, so that of questions is used again.
type scratch struct {
	encoder.Workspace
	tokens, residual, normed, qkv, out, hidden []float32
}

// kept is the number of pieces up to which the memory is kept for the next text: about 1 MB.
const kept = 32

var pool = sync.Pool{New: func() any { return makeScratch(kept) }}

// borrow returns memory for some pieces. What is in it is left from before.
func borrow(pieces int) *scratch {
	if pieces > kept {
		return makeScratch(pieces)
	}
	s := pool.Get().(*scratch)
	s.cut(pieces)
	return s
}

// giveBack keeps the memory for the next text, unless it is large.
func (s *scratch) giveBack() {
	if cap(s.tokens) <= kept*narrow {
		pool.Put(s)
	}
}

func makeScratch(pieces int) *scratch {
	return &scratch{
		tokens: make([]float32, pieces*narrow), residual: make([]float32, pieces*wide), normed: make([]float32, pieces*wide),
		qkv: make([]float32, pieces*3*wide), out: make([]float32, pieces*wide), hidden: make([]float32, pieces*inner),
	}
}

// cut brings it to the length of some pieces, of which it has the room.
func (s *scratch) cut(pieces int) {
	s.tokens, s.residual, s.normed = s.tokens[:pieces*narrow], s.residual[:pieces*wide], s.normed[:pieces*wide]
	s.qkv, s.out, s.hidden = s.qkv[:pieces*3*wide], s.out[:pieces*wide], s.hidden[:pieces*inner]
}
