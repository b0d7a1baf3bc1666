package model2vec

import (
	"math"

	"mcp-memory/embed/modelfile"
)

// table has the vectors of a model's pieces.
type table struct {
	rows    modelfile.Tensor
	columns int
	height  int64
	mapping []int64   // piece → row; nil if they are equal
	weights []float32 // of pieces; nil if all are 1
}

// tableNames are the names that exports give the tensor of the vectors.
var tableNames = []string{"embeddings", "embedding.weight", "0"}

func newTable(tensors map[string]modelfile.Tensor) (*table, error) {
	var t table
	found := false
	for _, name := range tableNames {
		if t.rows, found = tensors[name]; found {
			break
		}
	}
	if !found {
		return nil, modelfile.Broken(modelfile.TableFile, "it has no table called %q", tableNames[0])
	}
	if len(t.rows.Shape) != 2 || t.rows.Shape[0] < 1 || t.rows.Shape[1] < 1 || t.rows.Shape[1] > modelfile.MaxDimensions {
		return nil, modelfile.Broken(modelfile.TableFile, "a table of the shape %v has no vectors", t.rows.Shape)
	}
	if !t.rows.IsNumbers() {
		return nil, modelfile.Broken(modelfile.TableFile, "its vectors are of the kind %s", t.rows.Kind).
			WithHint("F32, F16, BF16 and I8 are understood")
	}
	t.height, t.columns = t.rows.Shape[0], int(t.rows.Shape[1])
	if weights, ok := tensors["weights"]; ok {
		if len(weights.Shape) != 1 || !weights.IsNumbers() {
			return nil, modelfile.Broken(modelfile.TableFile, "\"weights\" is not a list of numbers")
		}
		t.weights = make([]float32, weights.Shape[0])
		if _, err := weights.Values(t.weights, 0, nil); err != nil {
			return nil, err
		}
	}
	if mapping, ok := tensors["mapping"]; ok {
		var err error
		if t.mapping, err = mapping.Integers(); err != nil {
			return nil, err
		}
	}
	return &t, nil
}

// holds returns an error if one of the pieces below n has no vector.
func (t *table) holds(n int) error {
	for _, row := range t.mapping {
		if row < 0 || row >= t.height {
			return modelfile.Broken(modelfile.TableFile, "\"mapping\" names row %d of %d", row, t.height)
		}
	}
	if t.mapping == nil && int64(n) > t.height || t.mapping != nil && n > len(t.mapping) || t.weights != nil && n > len(t.weights) {
		return modelfile.Broken(modelfile.TableFile, "it has fewer vectors than %s has words (%d)", modelfile.RulesFile, n)
	}
	return nil
}

// mean returns the weighted mean of the vectors of pieces, scaled to length 1, or zero if there are
// none.
func (t *table) mean(pieces []int32) ([]float32, error) {
	sum, row := make([]float32, t.columns), make([]float32, t.columns)
	var buffer []byte
	var err error
	for _, piece := range pieces {
		at, weight := int64(piece), float32(1)
		if t.mapping != nil {
			at = t.mapping[piece]
		}
		if t.weights != nil {
			weight = t.weights[piece]
		}
		if buffer, err = t.rows.Values(row, at*int64(t.columns), buffer); err != nil {
			return nil, err
		}
		for i, x := range row {
			sum[i] += weight * x
		}
	}
	normalise(sum)
	return sum, nil
}

// normalise scales a vector to length 1. A vector without a direction becomes 0.
func normalise(v []float32) {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	if length := math.Sqrt(square); length > 0 && !math.IsInf(length, 0) {
		for i := range v {
			v[i] = float32(float64(v[i]) / length)
		}
		return
	}
	clear(v) // also if a damaged table has infinite values
}
