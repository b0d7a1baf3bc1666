package main

import "mcp-memory/embed/encoder"

// matrixFloat is a matrix of float32 weights: what a rounded one is compared with.
type matrixFloat struct {
	weights []float32 // row by row
	columns int
}

var _ encoder.Matrix = (*matrixFloat)(nil)

// Rows implements [encoder.Matrix].
func (m *matrixFloat) Rows() int { return len(m.weights) / m.columns }

// Columns implements [encoder.Matrix].
func (m *matrixFloat) Columns() int { return m.columns }

// Apply implements [encoder.Matrix].
func (m *matrixFloat) Apply(out, x []float32, _ *encoder.Workspace) {
	rows := m.Rows()
	for t := range len(x) / m.columns {
		for r := range rows {
			out[t*rows+r] = encoder.Dot(m.weights[r*m.columns:][:m.columns], x[t*m.columns:][:m.columns])
		}
	}
}
