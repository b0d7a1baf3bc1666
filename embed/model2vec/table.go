package model2vec

import "math"

// table is the vectors of a model's pieces.
type table struct {
	rows    tensor
	columns int
	height  int64
	mapping []int64   // piece → row; nil is the same number
	weights []float32 // of pieces; nil is 1
}

// tableNames are what exports call the vectors.
var tableNames = []string{"embeddings", "embedding.weight", "0"}

// weightKinds are the kinds of value that vectors and weights may have.
var weightKinds = map[string]bool{"F64": true, "F32": true, "F16": true, "BF16": true, "I8": true}

func newTable(tensors map[string]tensor) (*table, error) {
	var t table
	found := false
	for _, name := range tableNames {
		if t.rows, found = tensors[name]; found {
			break
		}
	}
	if !found {
		return nil, broken(tableFile, "it has no table called %q", tableNames[0])
	}
	if len(t.rows.shape) != 2 || t.rows.shape[0] < 1 || t.rows.shape[1] < 1 || t.rows.shape[1] > maxDimensions {
		return nil, broken(tableFile, "a table of the shape %v has no vectors", t.rows.shape)
	}
	if !weightKinds[t.rows.kind] {
		return nil, broken(tableFile, "its vectors are of the kind %s", t.rows.kind).WithHint("F32, F16, BF16 and I8 are understood")
	}
	t.height, t.columns = t.rows.shape[0], int(t.rows.shape[1])
	if weights, ok := tensors["weights"]; ok {
		if len(weights.shape) != 1 || !weightKinds[weights.kind] {
			return nil, broken(tableFile, "\"weights\" is not a list of numbers")
		}
		t.weights = make([]float32, weights.shape[0])
		if _, err := weights.values(t.weights, 0, nil); err != nil {
			return nil, err
		}
	}
	if mapping, ok := tensors["mapping"]; ok {
		if len(mapping.shape) != 1 || !mapping.known() {
			return nil, broken(tableFile, "\"mapping\" is not a list of numbers")
		}
		var err error
		if t.mapping, err = mapping.integers(); err != nil {
			return nil, err
		}
	}
	return &t, nil
}

// holds reports an error if some of the pieces below n have no vector.
func (t *table) holds(n int) error {
	for _, row := range t.mapping {
		if row < 0 || row >= t.height {
			return broken(tableFile, "\"mapping\" names row %d of %d", row, t.height)
		}
	}
	if t.mapping == nil && int64(n) > t.height || t.mapping != nil && n > len(t.mapping) || t.weights != nil && n > len(t.weights) {
		return broken(tableFile, "it has fewer vectors than %s has words (%d)", rulesFile, n)
	}
	return nil
}

// mean returns the mean of the vectors of pieces, scaled to length 1, or the
// vector 0 if there is none.
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
		if buffer, err = t.rows.values(row, at*int64(t.columns), buffer); err != nil {
			return nil, err
		}
		for i, x := range row {
			sum[i] += weight * x
		}
	}
	normalise(sum)
	return sum, nil
}

// normalise scales a vector to length 1. One without a direction becomes 0.
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
	clear(v) // also what a damaged table makes of infinities
}
