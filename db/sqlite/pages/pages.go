// Package pages reads SQLite files page by page, without SQLite: what one damaged
// page keeps SQLite from reaching is still there to be read. It only reads, trusts
// nothing that it reads, and knows just what salvaging rows takes; the format is
// https://www.sqlite.org/fileformat2.html.
package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// ErrDamaged is wrapped by errors about what cannot be what it should be.
var ErrDamaged = errors.New("damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
}

// The kinds of pages of trees.
const (
	IndexInterior = 2
	TableInterior = 5
	IndexLeaf     = 10
	TableLeaf     = 13
)

// File is a database file without its log. Safe for concurrent use.
type File struct {
	r        io.ReaderAt
	pageSize int
	usable   int // bytes of a page that hold data
	count    uint32
}

// DefaultPageSize is taken for that of a file whose header is damaged.
const DefaultPageSize = 4096

// New reads a file of a size in bytes. A header that says nonsense is passed over.
func New(r io.ReaderAt, size int64) *File {
	f := &File{r: r, pageSize: DefaultPageSize, usable: DefaultPageSize}
	header := make([]byte, 100)
	if _, err := r.ReadAt(header, 0); err == nil && string(header[:15]) == "SQLite format 3" {
		n := int(binary.BigEndian.Uint16(header[16:]))
		if n == 1 {
			n = 1 << 16
		}
		if n >= 512 && n&(n-1) == 0 {
			f.pageSize, f.usable = n, n
			if reserved := int(header[20]); n-reserved >= 480 {
				f.usable = n - reserved
			}
		}
	}
	f.count = uint32(min(size/int64(f.pageSize), math.MaxUint32-1))
	return f
}

// Count is how many pages there are; their numbers begin with 1.
func (f *File) Count() uint32 { return f.count }

// Version returns the schema version and the application id of the header.
func (f *File) Version() (schema, application uint32, err error) {
	p, err := f.Page(1)
	if err != nil {
		return 0, 0, err
	}
	return binary.BigEndian.Uint32(p[60:]), binary.BigEndian.Uint32(p[68:]), nil
}

// Page returns a page's bytes.
func (f *File) Page(n uint32) ([]byte, error) {
	if n < 1 || n > f.count {
		return nil, damaged("there is no page %d", n)
	}
	p := make([]byte, f.pageSize)
	if _, err := f.r.ReadAt(p, int64(n-1)*int64(f.pageSize)); err != nil {
		return nil, fmt.Errorf("read page %d: %w", n, err)
	}
	return p, nil
}

// Tree is a page of a tree.
type Tree struct {
	Kind     byte
	Children []uint32 // of an interior page, in order
	Cells    []Cell   // rows, or entries of an index; those that can be read
	Lost     int      // cells that cannot be read
	Chains   []uint32 // overflow pages of all cells
}

// Cell is a row of a table, or an entry of an index.
type Cell struct {
	Rowid  int64 // of a table
	Values []any // nil, int64, float64, string or []byte
	// Partial says that the values at the end are missing, because the overflow
	// pages that have them are damaged.
	Partial bool
}

// Tree reads a page of a tree. [ErrDamaged] if it cannot be one.
func (f *File) Tree(n uint32) (*Tree, error) {
	p, err := f.Page(n)
	if err != nil {
		return nil, err
	}
	at := 0
	if n == 1 {
		at = 100
	}
	t := &Tree{Kind: p[at]}
	header := 8
	switch t.Kind {
	case IndexInterior, TableInterior:
		header = 12
	case IndexLeaf, TableLeaf:
	default:
		return nil, damaged("page %d is of no kind", n)
	}
	cells := int(binary.BigEndian.Uint16(p[at+3:]))
	pointers := at + header
	if pointers+2*cells > f.usable {
		return nil, damaged("page %d has %d cells", n, cells)
	}
	for i := range cells {
		offset := int(binary.BigEndian.Uint16(p[pointers+2*i:]))
		if offset < pointers+2*cells || offset >= f.usable {
			t.Lost++
			continue
		}
		if err := f.cell(t, p[offset:f.usable]); err != nil {
			t.Lost++
		}
	}
	if header == 12 {
		t.Children = append(t.Children, binary.BigEndian.Uint32(p[at+8:]))
	}
	if cells > 0 && t.Lost == cells {
		return nil, damaged("no cell of page %d can be read", n)
	}
	return t, nil
}

// cell reads what begins with b, into t.
func (f *File) cell(t *Tree, b []byte) error {
	if t.Kind == IndexInterior || t.Kind == TableInterior {
		if len(b) < 4 {
			return damaged("a cell is cut off")
		}
		child := binary.BigEndian.Uint32(b)
		if child < 1 || child > f.count {
			return damaged("there is no page %d", child)
		}
		t.Children = append(t.Children, child)
		if b = b[4:]; t.Kind == TableInterior {
			return nil
		}
	}
	length, n := varint(b)
	if n == 0 || length > math.MaxInt32 {
		return damaged("a cell has no length")
	}
	b = b[n:]
	var c Cell
	most := f.usable - 35
	if t.Kind == TableLeaf {
		rowid, n := varint(b)
		if n == 0 {
			return damaged("a row has no number")
		}
		c.Rowid, b = int64(rowid), b[n:]
	} else {
		most = (f.usable-12)*64/255 - 23
	}
	payload, chain, whole := f.payload(b, int(length), most)
	t.Chains = append(t.Chains, chain...)
	var err error
	if c.Values, err = decode(payload, whole); err != nil {
		return err
	}
	c.Partial = !whole
	t.Cells = append(t.Cells, c)
	return nil
}

// payload returns a cell's content with what is in overflow pages, which of these
// there are, and whether all of it could be read.
func (f *File) payload(b []byte, length, most int) (payload []byte, chain []uint32, whole bool) {
	if length <= most {
		return b[:min(length, len(b))], nil, length <= len(b)
	}
	least := (f.usable-12)*32/255 - 23
	here := least + (length-least)%(f.usable-4)
	if here > most {
		here = least
	}
	if here+4 > len(b) {
		return b[:min(here, len(b))], nil, false
	}
	payload = append(make([]byte, 0, min(length, 1<<20)), b[:here]...)
	next := binary.BigEndian.Uint32(b[here:])
	for len(payload) < length {
		p, err := f.Page(next)
		if err != nil || len(chain) > int(f.count) {
			return payload, chain, false
		}
		chain = append(chain, next)
		payload = append(payload, p[4:4+min(f.usable-4, length-len(payload))]...)
		next = binary.BigEndian.Uint32(p)
	}
	return payload, chain, next == 0
}

// decode reads a record. Of one that is not whole it returns the values that are.
func decode(b []byte, whole bool) ([]any, error) {
	size, n := varint(b)
	if n == 0 || size < uint64(n) || size > uint64(len(b)) {
		return nil, damaged("a record has no header")
	}
	types, body := b[n:size], b[size:]
	var values []any
	for len(types) > 0 {
		kind, n := varint(types)
		if n == 0 {
			return nil, damaged("a record's header is cut off")
		}
		types = types[n:]
		value, length, err := decodeValue(kind, body)
		if err != nil {
			if whole {
				return nil, err
			}
			return values, nil
		}
		values, body = append(values, value), body[length:]
	}
	if whole && len(body) > 0 {
		return nil, damaged("a record is longer than its values")
	}
	return values, nil
}

// widths of integers by their kind.
var widths = [...]int{0, 1, 2, 3, 4, 6, 8}

func decodeValue(kind uint64, b []byte) (value any, length int, err error) {
	switch {
	case kind == 0:
		return nil, 0, nil
	case kind <= 6:
		w := widths[kind]
		if len(b) < w {
			return nil, 0, damaged("a number is cut off")
		}
		n := int64(int8(b[0]))
		for _, x := range b[1:w] {
			n = n<<8 | int64(x)
		}
		return n, w, nil
	case kind == 7:
		if len(b) < 8 {
			return nil, 0, damaged("a number is cut off")
		}
		return math.Float64frombits(binary.BigEndian.Uint64(b)), 8, nil
	case kind == 8 || kind == 9:
		return int64(kind - 8), 0, nil
	case kind < 12:
		return nil, 0, damaged("there is no kind %d of value", kind)
	}
	size := (kind - 12) / 2
	if size > uint64(len(b)) {
		return nil, 0, damaged("a value is cut off")
	}
	if kind%2 == 0 {
		return append([]byte{}, b[:size]...), int(size), nil
	}
	return string(b[:size]), int(size), nil
}

// varint reads a number of SQLite's variable length; n is 0 if there is none.
func varint(b []byte) (x uint64, n int) {
	for i, c := range b {
		if i == 8 {
			return x<<8 | uint64(c), 9
		}
		x = x<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return x, i + 1
		}
	}
	return 0, 0
}

// Free returns the pages that are not in use, as far as the list of them can be read.
func (f *File) Free() map[uint32]bool {
	free := map[uint32]bool{}
	first, err := f.Page(1)
	if err != nil {
		return free
	}
	for trunk := binary.BigEndian.Uint32(first[32:]); trunk != 0 && !free[trunk]; {
		p, err := f.Page(trunk)
		if err != nil {
			break
		}
		free[trunk] = true
		leaves := binary.BigEndian.Uint32(p[4:])
		if int64(leaves) > int64(f.usable/4-2) {
			break
		}
		for i := range leaves {
			free[binary.BigEndian.Uint32(p[8+4*i:])] = true
		}
		trunk = binary.BigEndian.Uint32(p)
	}
	return free
}
