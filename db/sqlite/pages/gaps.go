package pages

import "encoding/binary"

// MaxCount is the number of pages up to which the first byte tells a page of a tree
// from others: those begin with the number of a page.
const MaxCount = 1 << 24

// ClearGaps zeroes what a page of a tree does not use, where remains of deleted rows
// lie, and reports whether that changed anything. Pages of other kinds, and those that make no sense,
// stay as they are. first says that it is page 1; reserved is how many bytes at the end are not SQLite's.
func ClearGaps(p []byte, first bool, reserved int) (changed bool) {
	usable := len(p) - reserved
	at := 0
	if first {
		at = 100
	}
	header := 8
	switch p[at] {
	case IndexInterior, TableInterior:
		header = 12
	case IndexLeaf, TableLeaf:
	default:
		return false
	}
	cells := int(binary.BigEndian.Uint16(p[at+3:]))
	content := int(binary.BigEndian.Uint16(p[at+5:]))
	if content == 0 {
		content = 1 << 16
	}
	gap := at + header + 2*cells
	if gap > content || content > usable {
		return false
	}
	type span struct{ from, to int }
	spans := []span{{gap, content}}
	for block, last := int(binary.BigEndian.Uint16(p[at+1:])), content; block != 0; {
		if block < last || block+4 > usable {
			return false
		}
		size := int(binary.BigEndian.Uint16(p[block+2:]))
		if size < 4 || block+size > usable {
			return false
		}
		spans = append(spans, span{block + 4, block + size})
		last, block = block+size, int(binary.BigEndian.Uint16(p[block:]))
	}
	for i := range cells { // a cell in a gap: the page is not what it seems
		cell := int(binary.BigEndian.Uint16(p[at+header+2*i:]))
		if cell < content || cell >= usable {
			return false
		}
	}
	for _, s := range spans {
		changed = Clear(p[s.from:s.to]) || changed
	}
	return changed
}

// IsMap reports whether a page of a file that incremental vacuum works on says where other pages are used: it is
// no page of a tree, but may look like one.
func IsMap(first []byte, n int64) bool {
	const largestRoot, reserved, entry, lockByte = 52, 20, 5, 1 << 30
	if len(first) < 100 || binary.BigEndian.Uint32(first[largestRoot:]) == 0 || n < 2 {
		return false
	}
	every := int64(len(first)-int(first[reserved]))/entry + 1
	at := 2 + (n-2)/every*every
	if at == lockByte/int64(len(first))+1 { // SQLite does not use that page
		at++
	}
	return n == at
}

// Clear zeroes bytes and reports whether that changed anything.
func Clear(p []byte) (changed bool) {
	for _, b := range p {
		if b != 0 {
			clear(p)
			return true
		}
	}
	return false
}
