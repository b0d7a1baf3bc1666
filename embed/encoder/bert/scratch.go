package bert

import "mcp-memory/embed/encoder"

// scratch is the memory that a vector is made in. It is large beside what else a
// text needs, so it is used again.
type scratch struct {
	encoder.Workspace
	tokens, queryKeyValue, inner, out, mixed []float32
}

// kept is the number of pieces up to which the memory is kept for the next text.
const kept = 64

// borrow returns memory for some pieces. What is in it is left from before. One waits
// for the next text: a pool would lose it to the garbage collector, which runs often
// while little is in memory.
func (n *Network) borrow(pieces int) *scratch {
	s := n.spare.Swap(nil)
	if s == nil { // another text is being encoded
		s = new(scratch)
	}
	s.tokens, s.out, s.mixed = encoder.Room(s.tokens, pieces*n.Width),
		encoder.Room(s.out, pieces*n.Width), encoder.Room(s.mixed, pieces*n.Width)
	s.queryKeyValue, s.inner = encoder.Room(s.queryKeyValue, pieces*3*n.Width), encoder.Room(s.inner, pieces*n.Inner)
	return s
}

// giveBack keeps the memory for the next text, unless it is large.
func (n *Network) giveBack(s *scratch) {
	if cap(s.tokens) <= kept*n.Width {
		n.spare.Store(s)
	}
}
