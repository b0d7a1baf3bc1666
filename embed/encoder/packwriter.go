package encoder

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math"
	"slices"
)

// PackWriter makes the content of a [Pack].
type PackWriter struct {
	entries map[string]Entry
	data    []byte
}

func (w *PackWriter) add(name string, e Entry) {
	if w.entries == nil {
		w.entries = map[string]Entry{}
	}
	e.At = len(w.data)
	w.entries[name] = e
}

// MatrixOf adds a matrix, rounded to 8 bits. read has to store row r in row; its error is returned.
func (w *PackWriter) MatrixOf(name string, rows, columns int, read func(r int, row []float32) error) error {
	return w.rows(name, Entry{Kind: KindRounded, Rows: rows, Columns: columns}, read, quantise)
}

// TableOf is MatrixOf for a [Table], rounded to 4 bits. Its rows must have an even number of
// values.
func (w *PackWriter) TableOf(name string, rows, columns int, read func(r int, row []float32) error) error {
	return w.rows(name, Entry{Kind: KindHalved, Rows: rows, Columns: columns}, read, halve)
}

func (w *PackWriter) rows(name string, e Entry, read func(r int, row []float32) error,
	round func(b []byte, row []float32) ([]byte, float32)) error {
	w.add(name, e)
	w.data = slices.Grow(w.data, e.size()) // not by doubling: the first matrix is most of some models
	row, scales := make([]float32, e.Columns), make([]float32, e.Rows)
	for r := range e.Rows {
		if err := read(r, row); err != nil {
			return err
		}
		w.data, scales[r] = round(w.data, row)
	}
	w.data = appendFloats(w.data, scales)
	return nil
}

// Floats adds values.
func (w *PackWriter) Floats(name string, values []float32) {
	w.add(name, Entry{Kind: KindFloats, Rows: 1, Columns: len(values)})
	w.data = appendFloats(w.data, values)
}

// Bytes adds bytes.
func (w *PackWriter) Bytes(name string, b []byte) {
	w.add(name, Entry{Kind: KindBytes, Rows: 1, Columns: len(b)})
	w.data = append(w.data, b...)
}

// File returns the content of the file.
func (w *PackWriter) File() ([]byte, error) {
	header, err := json.Marshal(w.entries)
	if err != nil {
		return nil, err
	}
	for len(header)%packHeader != 0 {
		header = append(header, ' ')
	}
	file := make([]byte, packHeader, packHeader+len(header)+len(w.data))
	copy(file, packMagic)
	file = append(append(file, header...), w.data...)
	binary.LittleEndian.PutUint32(file[4:], packVersion)
	binary.LittleEndian.PutUint32(file[8:], crc32.ChecksumIEEE(file[packHeader:]))
	binary.LittleEndian.PutUint32(file[12:], uint32(len(header)))
	return file, nil
}

// quantise appends a row rounded to 8 bits: its weight of the greatest absolute value becomes 127
// or -127.
func quantise(b []byte, row []float32) (_ []byte, scale float32) {
	var largest float32
	for _, x := range row {
		largest = max(largest, x, -x)
	}
	if largest == 0 {
		return append(b, make([]byte, len(row))...), 0
	}
	for _, x := range row {
		b = append(b, byte(int8(math.RoundToEven(float64(x)*math.MaxInt8/float64(largest)))))
	}
	return b, largest / math.MaxInt8
}

// halve appends a row rounded to 4 bits. Of some scales it takes the one with the least sum of
// squared errors. A large weight may be clipped, so that the others lose less. (The conversions to
// float64 keep compilers from fusing a multiplication and an addition, which would give other bits
// on some processors.)
func halve(b []byte, row []float32) (_ []byte, scale float32) {
	const most, tries, each = 7, 40, 0.0125
	var largest float32
	for _, x := range row {
		largest = max(largest, x, -x)
	}
	code := func(x, scale float32) int {
		if scale == 0 {
			return 0
		}
		return max(-most, min(most, int(math.RoundToEven(float64(x)/float64(scale)))))
	}
	least := math.Inf(1)
	for i := range tries {
		of := float32(float64(largest) * (1 - each*float64(i)) / most)
		lost := 0.0
		for _, x := range row {
			d := float64(x) - float64(float64(code(x, of))*float64(of))
			lost += float64(d * d)
		}
		if lost < least {
			least, scale = lost, of
		}
	}
	for i := 0; i < len(row); i += 2 {
		b = append(b, byte(code(row[i], scale)+halfZero)|byte(code(row[i+1], scale)+halfZero)<<4)
	}
	return b, scale
}

// appendFloats is the inverse of [ReadFloats].
func appendFloats(b []byte, values []float32) []byte {
	for _, x := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
