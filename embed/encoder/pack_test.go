package encoder

import (
	"bytes"
	"errors"
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
	read := func(r int, row []float32) error {
		copy(row, weights[r*columns:])
		return nil
	}
	if err := errors.Join(w.MatrixOf("weights", rows, columns, read), w.TableOf("halved", rows, columns, read)); err != nil {
		t.Fatal(err)
	}
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
	if _, err := pack.Matrix("weights", rows, columns); err != nil {
		t.Fatal(err)
	}
	// Of 4 bits the largest weights may lose more, so that the others lose less.
	for name, steps := range map[string]float64{"weights": 127, "halved": 7} {
		table, err := pack.Table(name, rows, columns)
		if err != nil {
			t.Fatal(err)
		}
		got, lost, plainly := make([]float32, columns), 0.0, 0.0
		for r := range rows {
			if err := table.Row(r, got); err != nil {
				t.Fatal(err)
			}
			row := weights[r*columns:][:columns]
			step := float64(max(slices.Max(row), -slices.Min(row))) / steps
			for c, want := range row {
				off := float64(got[c] - want)
				lost += off * off
				if step > 0 {
					off := float64(want) - math.RoundToEven(float64(want)/step)*step
					plainly += off * off
				}
				if math.Abs(off) > step*0.501 && name == "weights" || step == 0 && off != 0 {
					t.Errorf("row %d of %s, a step of %g: %g became %g", r, name, step, want, got[c])
				}
			}
		}
		if lost > plainly*1.001 {
			t.Errorf("%s: what is lost is %g, by the largest weight of each row %g", name, lost, plainly)
		}
	}
}

// A file that is cut off or changed is refused, wherever that is.
func TestDamagedPack(t *testing.T) {
	var w PackWriter
	w.Floats("bias", []float32{1, -2})
	w.MatrixOf("weights", 2, 16, func(int, []float32) error { return nil })
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

// A rounded matrix gives what the floats give, within a fiftieth of the largest result, and in the
// mean square within a hundredth: values and weights are rounded to 8 bits each.
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
	var largest, off, squares, offSquares float64
	for i := range exact {
		value, by := float64(exact[i]), float64(exact[i]-got[i])
		largest, off = max(largest, math.Abs(value)), max(off, math.Abs(by))
		squares, offSquares = squares+value*value, offSquares+by*by
	}
	if mean := math.Sqrt(offSquares / squares); mean > 1.0/100 {
		t.Errorf("off by a share of %g in the mean square", mean)
	}
	if off > largest/50 {
		t.Errorf("off by %g where the largest is %g", off, largest)
	}
}
