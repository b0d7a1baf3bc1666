package encoder

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestGates(t *testing.T) {
	for name, share := range map[string]func(float64) float64{"gelu": Gelu, "tanh": GeluTanh} {
		g := NewGate(share)
		rapid.Check(t, func(t *rapid.T) {
			v := rapid.Float32Range(-12, 12).Draw(t, "x")
			x := []float32{v}
			if g.Apply(x); math.Abs(float64(x[0])-float64(v)*share(float64(v))) > 1e-5 {
				t.Errorf("%s(%g) is %g, want %g", name, v, x[0], float64(v)*share(float64(v)))
			}
		})
	}
	if math.Abs(Gelu(1)-0.8413447) > 1e-6 || math.Abs(GeluTanh(1)-0.8411920) > 1e-6 {
		t.Errorf("of 1 there are let through %g and %g", Gelu(1), GeluTanh(1))
	}
	odd := []float32{float32(math.NaN()), float32(math.Inf(-1)), float32(math.Inf(1)), -8, 8}
	NewGate(Gelu).Apply(odd)
	if !slices.Equal(odd, []float32{0, 0, float32(math.Inf(1)), 0, 8}) {
		t.Errorf("%v", odd)
	}
}

// Windows cover a text from its first piece to its last where there may be enough.
func TestWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, most := rapid.IntRange(0, 400).Draw(t, "pieces"), rapid.IntRange(1, 9).Draw(t, "most")
		length := rapid.IntRange(2, 60).Draw(t, "length")
		overlap := rapid.IntRange(0, length-1).Draw(t, "overlap")
		pieces := make([]int32, n)
		for i := range pieces {
			pieces[i] = int32(i)
		}
		parts := Windows(pieces, length, overlap, most)
		if len(parts) > most || (n == 0) != (len(parts) == 0) {
			t.Fatalf("%d windows of %d pieces", len(parts), n)
		}
		end, gaps := int32(0), 0
		for _, part := range parts {
			if len(part) != min(n, length) {
				t.Errorf("a window of %d pieces", len(part))
			}
			if part[0] > end {
				gaps++
			}
			end = part[len(part)-1] + 1
		}
		if n > 0 && parts[0][0] != 0 || most > 1 && int(end) != n || gaps > 0 && len(parts) < most {
			t.Errorf("%d pieces in %d windows: the last ends at %d, %d gaps", n, len(parts), end, gaps)
		}
	})
}
