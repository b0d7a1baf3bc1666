package encoder

// MatrixFloat is a matrix of float32 weights, with which [Matrix8] is compared.
type MatrixFloat struct {
	weights []float32 // row by row
	columns int
}

var _ Matrix = (*MatrixFloat)(nil)

// NewMatrixFloat returns a matrix of weights, given row by row. It keeps the slice.
func NewMatrixFloat(weights []float32, columns int) *MatrixFloat {
	return &MatrixFloat{weights, columns}
}

// Rows implements [Matrix].
func (m *MatrixFloat) Rows() int { return len(m.weights) / m.columns }

// Columns implements [Matrix].
func (m *MatrixFloat) Columns() int { return m.columns }

// Apply implements [Matrix].
func (m *MatrixFloat) Apply(out, x []float32, _ *Workspace) {
	rows := m.Rows()
	for t := range len(x) / m.columns {
		for r := range rows {
			out[t*rows+r] = Dot(m.weights[r*m.columns:][:m.columns], x[t*m.columns:][:m.columns])
		}
	}
}
