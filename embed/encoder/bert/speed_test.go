package bert

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/modelfile"
)

// randomSource has tensors of 8-bit weights of any size.
type randomSource struct{ *rand.Rand }

func (s randomSource) Rows(_ string, rows, columns int) (Rows, error) {
	return table{make([]float32, rows*columns), columns}, nil
}

func (s randomSource) Matrix(_ string, rows, columns int) (encoder.Matrix, error) {
	weights, scales := make([]byte, rows*columns), make([]float32, rows)
	for i := range weights {
		weights[i] = byte(s.IntN(256))
	}
	for i := range scales {
		scales[i] = 0.0005
	}
	return encoder.NewMatrix8(weights, scales, columns)
}

func (s randomSource) Floats(_ string, n int) ([]float32, error) {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(s.NormFloat64())
	}
	return values, nil
}

// BenchmarkVector is a question of 12 words, the same behind the prefixes of e5 and of
// bge, and a page, in networks of the sizes of all-MiniLM-L6-v2 (6 layers) and of
// bge-small-en-v1.5 and the e5-small ones (12).
func BenchmarkVector(b *testing.B) {
	for name, layers := range map[string]int{"6 layers": 6, "12 layers": 12} {
		c := Config{Architecture: "bert", Vocabulary: 1000, Width: 384, Layers: layers, Heads: 12, Inner: 1536, Places: 512, Types: 2,
			Activation: "gelu", Epsilon: 1e-12}
		n, err := Load(c, randomSource{rand.New(rand.NewPCG(1, 2))})
		if err != nil {
			b.Fatal(err)
		}
		for _, pieces := range []int{16, 18, 26, 512} {
			list := make([]int32, pieces)
			b.Run(fmt.Sprintf("%s, %d pieces", name, pieces), func(b *testing.B) {
				for b.Loop() {
					if _, err := n.Vector(list, modelfile.PoolMean); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
