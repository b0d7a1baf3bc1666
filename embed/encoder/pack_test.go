package encoder

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What is written is read again, matrices rounded.
func TestPack(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	const rows, columns = 6, 32
	weights := make([]float32, rows*columns)
	for i := range weights {
		weights[i] = float32(random.NormFloat64())
	}
	clear(weights[columns : 2*columns]) // a row of nothing
	var w PackWriter
	w.Floats("bias", []float32{1, -2, 0.5})
	w.Matrix("weights", weights, columns)
	w.Bytes("words", []byte("piece"))
	file, err := w.File()
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckPack(file); err != nil {
		t.Fatal(err)
	}
	pack, err := OpenPack(file)
	if err != nil {
		t.Fatal(err)
	}
	checkPack(t, pack, weights, rows, columns)
	if pack, err = ReadPack(bytes.NewReader(file), int64(len(file))); err != nil {
		t.Fatal(err)
	}
	checkPack(t, pack, weights, rows, columns)
}

func checkPack(t *testing.T, pack *Pack, weights []float32, rows, columns int) {
	t.Helper()
	if b, err := pack.Bytes("words"); err != nil || string(b) != "piece" {
		t.Errorf("bytes %q, error %v", b, err)
	}
	if f, err := pack.Floats("bias", 3); err != nil || !slices.Equal(f, []float32{1, -2, 0.5}) {
		t.Errorf("floats %v, error %v", f, err)
	}
	m, err := pack.Matrix("weights", rows, columns)
	if err != nil {
		t.Fatal(err)
	}
	table, err := pack.Table("weights", rows, columns)
	if err != nil {
		t.Fatal(err)
	}
	got, read := make([]float32, columns), make([]float32, columns)
	for r := range rows {
		m.Row(r, got)
		if err := table.Row(r, read); err != nil || !slices.Equal(got, read) {
			t.Errorf("row %d is %v, of a table %v, %v", r, got, read, err)
		}
		row := weights[r*columns:][:columns]
		largest := max(slices.Max(row), -slices.Min(row))
		for c, want := range row {
			if off := math.Abs(float64(got[c] - want)); off > float64(largest)/127*0.501 {
				t.Errorf("row %d of the largest value %g: %g became %g", r, largest, want, got[c])
			}
		}
	}
}

// A file that is cut off or changed is refused, wherever that is.
func TestDamagedPack(t *testing.T) {
	var w PackWriter
	w.Floats("bias", []float32{1, -2})
	w.Matrix("weights", make([]float32, 32), 16)
	file, err := w.File()
	if err != nil {
		t.Fatal(err)
	}
	for i := range file {
		changed := slices.Clone(file)
		changed[i] ^= 1
		if i >= 12 && i < packHeader {
			continue // the length of the header: the header differs then
		}
		if _, err := ReadPack(bytes.NewReader(changed), int64(len(changed))); err == nil {
			t.Errorf("byte %d may be changed", i)
		}
		if _, err := ReadPack(bytes.NewReader(file[:i]), int64(i)); err == nil {
			t.Errorf("%d bytes are a file", i)
		}
	}
	pack, err := ReadPack(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pack.Table("weights", 2, 8); err == nil {
		t.Error("a table of another size")
	}
	if _, err := pack.Matrix("bias", 1, 2); err == nil {
		t.Error("values are a matrix")
	}
}

// A rounded matrix gives what the floats give, within a hundredth of the largest result.
func TestRoundedAsFloats(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	const rows, columns, tokens = 64, 256, 5
	weights, x := make([]float32, rows*columns), make([]float32, tokens*columns)
	for _, list := range [][]float32{weights, x} {
		for i := range list {
			list[i] = float32(random.NormFloat64())
		}
	}
	var rounded []byte
	scales := make([]float32, rows)
	for r := range scales {
		rounded, scales[r] = quantise(rounded, weights[r*columns:][:columns])
	}
	m, err := NewMatrix8(rounded, scales, columns)
	if err != nil {
		t.Fatal(err)
	}
	got, exact := make([]float32, tokens*rows), make([]float32, tokens*rows)
	m.Apply(got, x, &Workspace{})
	NewMatrixFloat(weights, columns).Apply(exact, x, nil)
	var largest, off float64
	for i := range exact {
		largest, off = max(largest, math.Abs(float64(exact[i]))), max(off, math.Abs(float64(exact[i]-got[i])))
	}
	if off > largest/100 {
		t.Errorf("off by %g where the largest is %g", off, largest)
	}
}
