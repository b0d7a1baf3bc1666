package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mcp-memory/embed/encoder"
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
	var w packWriter
	w.floats("bias", []float32{1, -2, 0.5})
	w.matrix("weights", weights, columns)
	w.bytes("words", []byte("piece"))
	file, err := w.file()
	if err != nil {
		t.Fatal(err)
	}
	if err := encoder.CheckPack(file); err != nil {
		t.Fatal(err)
	}
	pack, err := encoder.OpenPack(file)
	if err != nil {
		t.Fatal(err)
	}
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
	got := make([]float32, columns)
	for r := range rows {
		m.Row(r, got)
		row := weights[r*columns:][:columns]
		largest := max(slices.Max(row), -slices.Min(row))
		for c, want := range row {
			if off := math.Abs(float64(got[c] - want)); off > float64(largest)/127*0.501 {
				t.Errorf("row %d of the largest value %g: %g became %g", r, largest, want, got[c])
			}
		}
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
	rounded, scales := quantise(weights, columns)
	m, err := encoder.NewMatrix8(rounded, scales, columns)
	if err != nil {
		t.Fatal(err)
	}
	got, exact := make([]float32, tokens*rows), make([]float32, tokens*rows)
	m.Apply(got, x, &encoder.Workspace{})
	(&matrixFloat{weights, columns}).Apply(exact, x, nil)
	var largest, off float64
	for i := range exact {
		largest, off = max(largest, math.Abs(float64(exact[i]))), max(off, math.Abs(float64(exact[i]-got[i])))
	}
	if off > largest/100 {
		t.Errorf("off by %g where the largest is %g", off, largest)
	}
}
