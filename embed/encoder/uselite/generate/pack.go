package main

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math"

	"mcp-memory/embed/encoder"
)

// packWriter makes a file of tensors; [encoder.Pack] says what is in one.
type packWriter struct {
	entries map[string]encoder.Entry
	data    []byte
}

func (w *packWriter) add(name string, e encoder.Entry) {
	if w.entries == nil {
		w.entries = map[string]encoder.Entry{}
	}
	w.entries[name] = e
}

// matrix adds a matrix, given row by row, which it rounds to 8 bits.
func (w *packWriter) matrix(name string, weights []float32, columns int) {
	rounded, scales := quantise(weights, columns)
	w.add(name, encoder.Entry{Kind: encoder.KindRounded, Rows: len(scales), Columns: columns, At: len(w.data)})
	w.data = appendFloats(append(w.data, rounded...), scales)
}

// floats adds values.
func (w *packWriter) floats(name string, values []float32) {
	w.add(name, encoder.Entry{Kind: encoder.KindFloats, Rows: 1, Columns: len(values), At: len(w.data)})
	w.data = appendFloats(w.data, values)
}

// bytes adds bytes.
func (w *packWriter) bytes(name string, b []byte) {
	w.add(name, encoder.Entry{Kind: encoder.KindBytes, Rows: 1, Columns: len(b), At: len(w.data)})
	w.data = append(w.data, b...)
}

// file returns the file.
func (w *packWriter) file() ([]byte, error) {
	const version, start = 1, 16
	header, err := json.Marshal(w.entries)
	if err != nil {
		return nil, err
	}
	for len(header)%start != 0 {
		header = append(header, ' ')
	}
	file := make([]byte, start, start+len(header)+len(w.data))
	copy(file, "MENC")
	file = append(append(file, header...), w.data...)
	binary.LittleEndian.PutUint32(file[4:], version)
	binary.LittleEndian.PutUint32(file[8:], crc32.ChecksumIEEE(file[start:]))
	binary.LittleEndian.PutUint32(file[12:], uint32(len(header)))
	return file, nil
}

// quantise rounds a matrix, given row by row, to 8 bits: the largest weight of
// each row becomes 127 or -127.
func quantise(weights []float32, columns int) (rounded []byte, scales []float32) {
	rounded, scales = make([]byte, len(weights)), make([]float32, len(weights)/columns)
	for r := range scales {
		row := weights[r*columns:][:columns]
		var largest float32
		for _, x := range row {
			largest = max(largest, x, -x)
		}
		if largest == 0 {
			continue
		}
		scales[r] = largest / math.MaxInt8
		for c, x := range row {
			rounded[r*columns+c] = byte(int8(math.RoundToEven(float64(x) * math.MaxInt8 / float64(largest))))
		}
	}
	return rounded, scales
}

// appendFloats is the other way round of [encoder.ReadFloats].
func appendFloats(b []byte, values []float32) []byte {
	for _, x := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
