package model_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy/model"
)

// two makes a model of two categories that one dense value and the words of
// "milk" decide.
func two() []byte {
	table := semantics.Builtin()
	rows := func(n int) [][]float64 {
		all := make([][]float64, n)
		for i := range all {
			all[i] = make([]float64, 2)
		}
		return all
	}
	w := model.Weights{Bias: []float64{0.5, 0}, Dense: rows(2 * table.Dim()), Sparse: rows(model.Slots)}
	for _, slot := range model.NewReader(table).Read("milk").Sparse {
		w.Sparse[slot] = []float64{-1, 2}
	}
	return model.Encode([]string{"stone", "drink"}, model.OriginOf(table, [32]byte{7}), w)
}

func TestEncodeAndDecode(t *testing.T) {
	m, err := model.Decode(two())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Names(), []string{"stone", "drink"}) || !m.Fits(semantics.Builtin()) || m.Origin().Sentences != [32]byte{7} {
		t.Errorf("%v %+v", m.Names(), m.Origin())
	}
	reader := model.NewReader(semantics.Builtin())
	f := reader.Read("milk")
	p := m.Probabilities(f)
	n := float64(len(f.Sparse))
	if want := 1 / (1 + math.Exp(0.5-3*n/math.Sqrt(n))); math.Abs(p[1]-want) > 1e-6 || math.Abs(p[0]+p[1]-1) > 1e-9 {
		t.Errorf("%v, want %v", p, want)
	}
	if p := m.Probabilities(model.Features{}); p[0] < p[1] {
		t.Errorf("nothing: %v", p)
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	file := two()
	for _, n := range []int{0, 3, 40, len(file) / 2, len(file) - 1} {
		if _, err := model.Decode(file[:n]); !errors.Is(err, model.ErrFormat) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	for _, at := range []int{0, 4, 6, 8, 12, 70, 71, len(file) - 1} {
		damaged := slices.Clone(file)
		damaged[at] ^= 0x40
		if _, err := model.Decode(damaged); !errors.Is(err, model.ErrFormat) {
			t.Errorf("byte %d changed: %v", at, err)
		}
	}
}

func TestRead(t *testing.T) {
	reader := model.NewReader(semantics.Builtin())
	for text, known := range map[string]bool{"": false, "the of and": false, "xqzv 0x7f3a": false, "My dog barks.": true} {
		if f := reader.Read(text); f.Known != known || len(f.Dense) != 2*semantics.Builtin().Dim() {
			t.Errorf("%q: known %t, %d values", text, f.Known, len(f.Dense))
		}
	}
	f := reader.Read("We paid 300 € in v1.2 on 2026-03-04 at 10:30 for ACME's fooBar.")
	if !slices.IsSorted(f.Sparse) || len(slices.Compact(slices.Clone(f.Sparse))) != len(f.Sparse) {
		t.Errorf("slots %v", f.Sparse)
	}
	if f.Sparse[0] < 0 || f.Sparse[len(f.Sparse)-1] >= model.Slots {
		t.Errorf("slots %v", f.Sparse)
	}
	long := strings.Repeat("größer ", 5000)
	if f := reader.Read(long); len(f.Sparse) > 100 {
		t.Errorf("%d slots", len(f.Sparse))
	}
}
