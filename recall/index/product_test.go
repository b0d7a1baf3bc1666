package index

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// What multiplies on this machine, and plain Go, give what the products add up to, for
// every length.
func TestProductsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 700).Draw(t, "n")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		unit, values := make([]float32, n), make([]int8, n+random.IntN(3))[:n]
		want, size := 0.0, 0.0
		for i := range unit {
			unit[i], values[i] = float32(random.NormFloat64()), int8(random.IntN(256)-128)
			want += float64(unit[i]) * float64(values[i])
			size += math.Abs(float64(unit[i]) * float64(values[i]))
		}
		for name, multiply := range map[string]func([]float32, []int8) float32{"this machine": product, "plain Go": productPlain} {
			if got := multiply(unit, values); math.Abs(float64(got)-want) > 1e-5*size {
				t.Fatalf("%d products: %s gives %g, want %g", n, name, got, want)
			}
		}
	})
}

func BenchmarkProduct(b *testing.B) {
	unit, values := make([]float32, 512), make([]int8, 512)
	for name, multiply := range map[string]func([]float32, []int8) float32{"this machine": product, "plain Go": productPlain} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				multiply(unit, values)
			}
		})
	}
}
