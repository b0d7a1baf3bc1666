package modelfile

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"

	"mcp-memory/memory"
)

// maxHeader is the longest header of a file that is read, in bytes. Models have headers of a few
// hundred.
const maxHeader = 16 << 20

// Broken returns the error for a file of a model that cannot be used: [memory.CodeInvalidArgument],
// with the file's name and what is wrong with it.
func Broken(file, format string, args ...any) *memory.Error {
	return memory.Errorf(memory.CodeInvalidArgument, "%s cannot be used: "+format, append([]any{file}, args...)...)
}

// Tensor describes a tensor in a file, whose values are read on demand.
type Tensor struct {
	Kind  string // F32, F16, …
	Shape []int64
	begin int64 // in bytes from the start of the file
	file  io.ReaderAt
}

// kindSizes are the kinds of values that are understood, with the bytes of a value.
var kindSizes = map[string]int64{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1, "I64": 8, "I32": 4, "U32": 4, "U16": 2, "U8": 1}

// ReadTensors reads the header of a file in the safetensors format: eight bytes with the header's
// length, the header in JSON, then the values. size is that of the file, in bytes. The error is
// [memory.CodeInvalidArgument] for a file of another format.
func ReadTensors(file io.ReaderAt, size int64) (map[string]Tensor, error) {
	var length [8]byte
	if _, err := file.ReadAt(length[:], 0); err != nil {
		return nil, Broken(TableFile, "it is too short")
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader || int64(n) > size-8 {
		return nil, Broken(TableFile, "a header of %d bytes does not fit into a file of %d", n, size)
	}
	text := make([]byte, n)
	if _, err := file.ReadAt(text, 8); err != nil {
		return nil, Broken(TableFile, "its header cannot be read").WithCause(err)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, Broken(TableFile, "its header is not JSON: %v", err)
	}
	tensors := make(map[string]Tensor, len(entries))
	for name, entry := range entries {
		if name == "__metadata__" {
			continue
		}
		t, err := readTensor(name, entry, size-8-int64(n))
		if err != nil {
			return nil, err
		}
		t.begin, t.file = t.begin+8+int64(n), file
		tensors[name] = t
	}
	return tensors, nil
}

// readTensor reads one entry of the header; room is how many bytes of values the file has.
func readTensor(name string, entry json.RawMessage, room int64) (Tensor, error) {
	var e struct {
		Kind    string   `json:"dtype"`
		Shape   []int64  `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(entry, &e); err != nil {
		return Tensor{}, Broken(TableFile, "the entry of %q has another form: %v", name, err)
	}
	begin, end := e.Offsets[0], e.Offsets[1]
	if begin < 0 || end < begin || end > room {
		return Tensor{}, Broken(TableFile, "%q ends at byte %d of %d: the file is cut off or damaged", name, end, room)
	}
	want, known := kindSizes[e.Kind]
	for _, n := range e.Shape {
		if n < 0 || n > 0 && want > math.MaxInt64/n {
			return Tensor{}, Broken(TableFile, "%q has a shape that cannot be", name)
		}
		want *= n
	}
	if known && want != end-begin {
		return Tensor{}, Broken(TableFile, "%q has %d bytes, not the %d of its shape", name, end-begin, want)
	}
	return Tensor{Kind: e.Kind, Shape: e.Shape, begin: begin}, nil
}

// IsNumbers reports whether [Tensor.Values] understands the kind.
func (t Tensor) IsNumbers() bool {
	switch t.Kind {
	case "F64", "F32", "F16", "BF16", "I8":
		return true
	}
	return false
}

// Values reads len(out) values into out, from the one at index on. buffer is grown as needed and
// returned for the next call. Errors are [memory.CodeUnavailable] if they cannot be read, and that
// of [Broken] if one of them is not finite.
func (t Tensor) Values(out []float32, index int64, buffer []byte) ([]byte, error) {
	size := kindSizes[t.Kind]
	if need := int(size) * len(out); cap(buffer) < need {
		buffer = make([]byte, need)
	} else {
		buffer = buffer[:need]
	}
	if _, err := t.file.ReadAt(buffer, t.begin+index*size); err != nil {
		return buffer, memory.Errorf(memory.CodeUnavailable, "the embedding model's table cannot be read").WithCause(err)
	}
	decode(t.Kind, out, buffer, int(size))
	for _, v := range out {
		if v-v != 0 { // NaN and infinities would spoil every vector
			return buffer, Broken(TableFile, "it has values that are no numbers")
		}
	}
	return buffer, nil
}

// decode decodes the little-endian values in data, of size bytes each, into out.
func decode(kind string, out []float32, data []byte, size int) {
	little := binary.LittleEndian
	if kind == "F32" { // nearly all models
		for i := range out {
			out[i] = math.Float32frombits(little.Uint32(data[i*4:]))
		}
		return
	}
	for i := range out {
		b := data[i*size:]
		switch kind {
		case "F64":
			out[i] = float32(math.Float64frombits(little.Uint64(b)))
		case "F16":
			out[i] = half(little.Uint16(b))
		case "BF16":
			out[i] = math.Float32frombits(uint32(little.Uint16(b)) << 16)
		case "I8":
			out[i] = float32(int8(b[0]))
		}
	}
}

// Integers reads all values of a list of integers. The error is [memory.CodeInvalidArgument] if the
// tensor is something else.
func (t Tensor) Integers() ([]int64, error) {
	size := kindSizes[t.Kind]
	if len(t.Shape) != 1 || size == 0 {
		return nil, Broken(TableFile, "\"mapping\" is not a list of numbers")
	}
	out := make([]int64, t.Shape[0])
	buffer := make([]byte, size*t.Shape[0])
	if _, err := t.file.ReadAt(buffer, t.begin); err != nil {
		return nil, memory.Errorf(memory.CodeUnavailable, "the embedding model's table cannot be read").WithCause(err)
	}
	for i := range out {
		b := buffer[int64(i)*size:]
		switch t.Kind {
		case "I64":
			out[i] = int64(binary.LittleEndian.Uint64(b))
		case "I32":
			out[i] = int64(int32(binary.LittleEndian.Uint32(b)))
		case "U32":
			out[i] = int64(binary.LittleEndian.Uint32(b))
		case "U16":
			out[i] = int64(binary.LittleEndian.Uint16(b))
		default:
			return nil, Broken(TableFile, "\"mapping\" is of the kind %s", t.Kind)
		}
	}
	return out, nil
}

// half returns the value of a 16-bit float of IEEE 754.
func half(b uint16) float32 {
	sign, exponent, fraction := uint32(b>>15)<<31, uint32(b>>10&0x1f), uint32(b&0x3ff)
	switch exponent {
	case 0: // zero or subnormal
		return math.Float32frombits(sign|0x3f800000) * float32(fraction) / (1 << 24)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}
