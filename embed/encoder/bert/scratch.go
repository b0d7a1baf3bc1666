package bert

import "mcp-memory/embed/encoder"

// scratch is the memory in which a vector is computed. It is large, so it is reused.
type scratch struct {
	encoder.Workspace
	tokens, queryKeyValue, inner, out, mixed []float32
}

// kept is the number of pieces of a text up to which its scratch is kept for the next text.
const kept = 64

// borrow returns scratch for a number of pieces, with arbitrary content. Only one is kept for the
// next text, and not in a sync.Pool: the garbage collector, which runs often while there is little
// in memory, would empty that.
func (n *Network) borrow(pieces int) *scratch {
	s := n.spare.Swap(nil)
	if s == nil { // in use for another text, or none was kept
		s = new(scratch)
	}
	s.tokens, s.out, s.mixed = encoder.Room(s.tokens, pieces*n.Width),
		encoder.Room(s.out, pieces*n.Width), encoder.Room(s.mixed, pieces*n.Width)
	s.queryKeyValue, s.inner = encoder.Room(s.queryKeyValue, pieces*3*n.Width), encoder.Room(s.inner, pieces*n.Inner)
	return s
}

// giveBack keeps the scratch for the next text, unless it is large.
func (n *Network) giveBack(s *scratch) {
	if cap(s.tokens) <= kept*n.Width {
		n.spare.Store(s)
	}
}
