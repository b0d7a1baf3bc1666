package semantics

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

const (
	headerSize = 28
	magic      = "SEMV"
	version    = 1
	codeBits   = 4
)

// Why [Decode] rejects a file. Its error wraps one of these.
var (
	ErrFormat   = errors.New("not a version 1 semantic table") // the header is of another format
	ErrSize     = errors.New("wrong file size")                // too short, or too long
	ErrChecksum = errors.New("wrong checksum")                 // some byte has changed
	ErrWords    = errors.New("damaged word list")              // wrong length, invalid or double word
	ErrValues   = errors.New("damaged numbers")                // a scale not above 0, or a code 0
)

// Decode checks a table file and opens it. The table uses data directly, so
// data must not change afterwards.
func Decode(data []byte) (*Table, error) {
	t, wordArea, err := decodeHeader(data)
	if err != nil {
		return nil, err
	}
	if sum := crc32.ChecksumIEEE(data[headerSize:]); sum != binary.LittleEndian.Uint32(data[24:]) {
		return nil, ErrChecksum
	}
	if err := t.indexWords(data[headerSize : headerSize+wordArea]); err != nil {
		return nil, err
	}
	if err := t.measureRows(); err != nil {
		return nil, err
	}
	return t, nil
}

// decodeHeader reads the header and finds the scales and codes. It returns
// the size of the word area in bytes.
func decodeHeader(data []byte) (t *Table, wordArea int, err error) {
	le := binary.LittleEndian
	switch {
	case len(data) < headerSize:
		return nil, 0, fmt.Errorf("%w: %d bytes", ErrSize, len(data))
	case string(data[:4]) != magic, le.Uint16(data[4:]) != version, data[6] != codeBits, data[7] != 0, le.Uint16(data[14:]) != 0:
		return nil, 0, ErrFormat
	}
	rows, dim, words := uint64(le.Uint32(data[8:])), uint64(le.Uint16(data[12:])), uint64(le.Uint32(data[16:]))
	if dim == 0 || dim%2 != 0 || rows > math.MaxInt32 {
		return nil, 0, fmt.Errorf("%w: %d rows of %d values", ErrFormat, rows, dim)
	}
	// No overflow: at most 2^31 rows of 2^15 bytes.
	if want := headerSize + words + 4*rows + rows*dim/2; uint64(len(data)) != want {
		return nil, 0, fmt.Errorf("%w: %d bytes, want %d", ErrSize, len(data), want)
	}
	rare := math.Float32frombits(le.Uint32(data[20:]))
	if !positive(rare) {
		return nil, 0, fmt.Errorf("%w: rare %v", ErrValues, rare)
	}
	scales := data[headerSize+words:]
	return &Table{
		dim:    int(dim),
		rare:   rare,
		scales: scales[:4*rows],
		codes:  scales[4*rows:],
	}, int(words), nil
}

// indexWords reads the word list and builds the index of its words.
func (t *Table) indexWords(words []byte) error {
	rows := t.Len()
	t.index = newIndex(words, rows)
	at := 0
	for id := range rows {
		if at >= len(words) || at+1+int(words[at]) > len(words) {
			return fmt.Errorf("%w: word %d overruns it", ErrWords, id)
		}
		word := words[at+1 : at+1+int(words[at])]
		if !t.index.add(int32(id), uint32(at), word) {
			return fmt.Errorf("%w: word %d is empty, not ASCII or there twice", ErrWords, id)
		}
		at += 1 + len(word)
	}
	if at != len(words) {
		return fmt.Errorf("%w: %d bytes left over", ErrWords, len(words)-at)
	}
	return nil
}

// measureRows checks scales and codes, and computes the length of every row of
// codes, by which cosines are divided.
func (t *Table) measureRows() error {
	// One look-up for each byte. A code 0, which is never written, counts so
	// much that no sum of valid codes reaches it.
	const refused = 1 << 24
	var squares [256]uint64
	for b := range squares {
		low, high := b&15, b>>4
		squares[b] = uint64((low-8)*(low-8) + (high-8)*(high-8))
		if low == 0 || high == 0 {
			squares[b] = refused
		}
	}
	t.norms = make([]float32, t.Len())
	for id := range t.norms {
		sum := uint64(0)
		for _, b := range t.row(id) {
			sum += squares[b]
		}
		if sum >= refused || !positive(t.scale(id)) {
			return fmt.Errorf("%w: row %d", ErrValues, id)
		}
		t.norms[id] = float32(math.Sqrt(float64(sum)))
	}
	return nil
}

func positive(x float32) bool { return x > 0 && x <= math.MaxFloat32 }
