package encoder

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Pack is a file of tensors. It is read in place: of the rounded matrices only the parts that are
// used come into memory.
//
//	0   the bytes "MENC", then three little-endian numbers of 32 bits:
//	4   the version, 1
//	8   CRC-32 (IEEE) of all bytes from 16 on
//	12  the length of the header
//	16  the header: JSON, name → [Entry]
//	…   the data of the entries
type Pack struct {
	entries map[string]Entry
	data    []byte
	file    io.ReaderAt // nil if data is set
	begin   int64       // where the data begins in the file
}

// Entry describes one tensor in the header.
type Entry struct {
	Kind    string `json:"kind"` // one of the kinds below
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
	At      int    `json:"at"` // bytes from the end of the header
}

// Kinds of tensors.
const (
	KindRounded = "int8" // rows·columns weights, then a float32 scale for each row
	// two weights in a byte, the first in its low half, each plus 8; then scales as in int8
	KindHalved = "int4"
	KindFloats = "float32" // rows·columns values
	KindBytes  = "bytes"   // rows·columns bytes
)

const (
	packMagic   = "MENC"
	packVersion = 1
	packHeader  = 16
	halfZero    = 8 // the code of 0 in four bits
)

// size returns the length of the entry's data in bytes, -1 for an impossible entry.
func (e Entry) size() int {
	if e.Rows <= 0 || e.Columns <= 0 || e.Rows > 1<<24 || e.Columns > 1<<24 || e.At < 0 {
		return -1
	}
	switch n := e.Rows * e.Columns; e.Kind {
	case KindRounded:
		return n + 4*e.Rows
	case KindHalved:
		return n/2 + 4*e.Rows
	case KindFloats:
		return 4 * n
	case KindBytes:
		return n
	}
	return -1
}

// OpenPack reads the header of a file that is in memory. The error says what is wrong with the
// file. The checksum is not compared; see [CheckPack].
func OpenPack(file []byte) (*Pack, error) {
	if len(file) < packHeader || string(file[:4]) != packMagic {
		return nil, fmt.Errorf("not a file of tensors")
	}
	if v := binary.LittleEndian.Uint32(file[4:]); v != packVersion {
		return nil, fmt.Errorf("a file of tensors of version %d, not %d", v, packVersion)
	}
	n := int64(binary.LittleEndian.Uint32(file[12:]))
	if n > int64(len(file)-packHeader) {
		return nil, fmt.Errorf("a header of %d bytes in a file of %d", n, len(file))
	}
	p := &Pack{data: file[packHeader+n:]}
	return p, p.readHeader(file[packHeader:packHeader+n], len(p.data))
}

// readHeader reads the entries of a file that has size bytes of data.
func (p *Pack) readHeader(header []byte, size int) error {
	if err := json.Unmarshal(header, &p.entries); err != nil {
		return fmt.Errorf("read the header of tensors: %w", err)
	}
	for name, e := range p.entries {
		if n := e.size(); n < 0 || e.At > size-n {
			return fmt.Errorf("tensor %s does not fit into the file", name)
		}
	}
	return nil
}

// ReadPack is [OpenPack] for a file of size bytes that is not in memory: a tensor is read when it
// is asked for, a row of a [Table] when it is needed. It compares the checksum, for which it reads
// the whole file once.
func ReadPack(file io.ReaderAt, size int64) (*Pack, error) {
	var start [packHeader]byte
	if _, err := file.ReadAt(start[:], 0); err != nil || string(start[:4]) != packMagic {
		return nil, fmt.Errorf("not a file of tensors")
	}
	if v := binary.LittleEndian.Uint32(start[4:]); v != packVersion {
		return nil, fmt.Errorf("a file of tensors of version %d, not %d", v, packVersion)
	}
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, io.NewSectionReader(file, packHeader, size-packHeader)); err != nil {
		return nil, err
	}
	if sum.Sum32() != PackSum(start[:]) {
		return nil, errDamaged
	}
	header := make([]byte, min(int64(binary.LittleEndian.Uint32(start[12:])), size-packHeader))
	if _, err := file.ReadAt(header, packHeader); err != nil {
		return nil, err
	}
	p := &Pack{file: file, begin: packHeader + int64(len(header))}
	return p, p.readHeader(header, int(size-p.begin))
}

var errDamaged = errors.New("the file of tensors is damaged: its checksum differs")

// PackSum returns the checksum that a file's header has, 0 if the file is too short for one.
func PackSum(file []byte) uint32 {
	if len(file) < packHeader {
		return 0
	}
	return binary.LittleEndian.Uint32(file[8:])
}

// CheckPack compares the checksum of a file with its header, for which it reads the whole file.
func CheckPack(file []byte) error {
	if _, err := OpenPack(file); err != nil {
		return err
	}
	if crc32.ChecksumIEEE(file[packHeader:]) != PackSum(file) {
		return errDamaged
	}
	return nil
}

// find returns the entry and the bytes of a tensor of the given kind.
func (p *Pack) find(name, kind string) (Entry, []byte, error) {
	e, ok := p.entries[name]
	if !ok || e.Kind != kind {
		return e, nil, fmt.Errorf("there is no tensor %s of %s", name, kind)
	}
	b, err := p.bytes(e.At, e.size())
	return e, b, err
}

// bytes returns n bytes of the data, from byte at on.
func (p *Pack) bytes(at, n int) ([]byte, error) {
	if p.file == nil {
		return p.data[at:][:n], nil
	}
	b := make([]byte, n)
	_, err := p.file.ReadAt(b, p.begin+int64(at))
	return b, err
}

// Table returns a rounded matrix, of 8 bits or 4, that has the given size and whose rows are read
// one by one.
func (p *Pack) Table(name string, rows, columns int) (*Table, error) {
	e, ok := p.entries[name]
	if !ok || e.Kind != KindRounded && e.Kind != KindHalved || e.Rows != rows || e.Columns != columns || columns%2 != 0 {
		return nil, fmt.Errorf("there is no table %s of %d rows of %d values", name, rows, columns)
	}
	t := &Table{pack: p, at: e.At, bytes: columns, halved: e.Kind == KindHalved}
	if t.halved {
		t.bytes = columns / 2
	}
	scales, err := p.bytes(e.At+rows*t.bytes, 4*rows)
	if err != nil {
		return nil, err
	}
	t.scales = ReadFloats(scales)
	return t, nil
}

// Table is a rounded matrix that is left in its file. Its methods may be called at the same time.
type Table struct {
	pack   *Pack
	at     int
	bytes  int // of a row
	halved bool
	scales []float32
}

// Row stores row r in out, which has room for it. The error is that of reading the file.
func (t *Table) Row(r int, out []float32) error {
	b, err := t.pack.bytes(t.at+r*t.bytes, t.bytes)
	if err != nil {
		return err
	}
	scale := t.scales[r]
	if t.halved {
		for i, two := range b {
			out[2*i] = float32(int(two&15)-halfZero) * scale
			out[2*i+1] = float32(int(two>>4)-halfZero) * scale
		}
		return nil
	}
	for i, w := range b {
		out[i] = float32(int8(w)) * scale
	}
	return nil
}

// Matrix returns a matrix of 8 bits that has the given size.
func (p *Pack) Matrix(name string, rows, columns int) (*Matrix8, error) {
	e, b, err := p.find(name, KindRounded)
	if err != nil {
		return nil, err
	}
	if e.Rows != rows || e.Columns != columns {
		return nil, fmt.Errorf("tensor %s has %d×%d values, not %d×%d", name, e.Rows, e.Columns, rows, columns)
	}
	return NewMatrix8(b[:rows*columns], ReadFloats(b[rows*columns:]), columns)
}

// Floats returns the values of a float32 tensor that has n of them.
func (p *Pack) Floats(name string, n int) ([]float32, error) {
	_, b, err := p.find(name, KindFloats)
	if err == nil && len(b) != 4*n {
		err = fmt.Errorf("tensor %s has %d values, not %d", name, len(b)/4, n)
	}
	if err != nil {
		return nil, err
	}
	return ReadFloats(b), nil
}

// Bytes returns the content of a tensor of bytes.
func (p *Pack) Bytes(name string) ([]byte, error) {
	_, b, err := p.find(name, KindBytes)
	return b, err
}
