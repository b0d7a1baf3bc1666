package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// example is one case of a binary classification.
type example struct {
	set    string
	values []float64
	right  bool
	weight float64
}

// logistic fits a logistic regression by Newton's method and returns its weights, of which the
// first is the bias. penalty is the L2 penalty on all weights but the bias.
func logistic(examples []example, penalty float64) []float64 {
	if len(examples) == 0 {
		return nil
	}
	n := len(examples[0].values) + 1
	w := make([]float64, n)
	for range 30 {
		gradient, hessian := make([]float64, n), make([][]float64, n)
		for j := range hessian {
			hessian[j] = make([]float64, n)
			if j > 0 {
				gradient[j], hessian[j][j] = -penalty*w[j], penalty
			} else {
				hessian[j][j] = 1e-6
			}
		}
		row := make([]float64, n)
		for _, e := range examples {
			row[0] = 1
			copy(row[1:], e.values)
			p := 1 / (1 + math.Exp(-dot(w, row)))
			error, curve := e.weight*(one(e.right)-p), e.weight*max(1e-6, p*(1-p))
			for j, x := range row {
				if x == 0 {
					continue
				}
				gradient[j] += error * x
				for k := 0; k <= j; k++ {
					hessian[j][k] += curve * x * row[k]
				}
			}
		}
		for j := range n {
			for k := range j {
				hessian[k][j] = hessian[j][k]
			}
		}
		step := solve(hessian, gradient)
		moved := 0.0
		for j := range w {
			d := max(-2, min(2, step[j]))
			w[j] += d
			moved = max(moved, math.Abs(d))
		}
		if moved < 1e-6 {
			break
		}
	}
	return w
}

// solve solves the linear equations a·x = b by Gaussian elimination with pivoting; it changes its
// arguments.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		pivot := i
		for r := i + 1; r < n; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[pivot][i]) {
				pivot = r
			}
		}
		a[i], a[pivot], b[i], b[pivot] = a[pivot], a[i], b[pivot], b[i]
		for r := i + 1; r < n; r++ {
			f := a[r][i] / a[i][i]
			for c := i; c < n; c++ {
				a[r][c] -= f * a[i][c]
			}
			b[r] -= f * b[i]
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = b[i]
		for c := i + 1; c < n; c++ {
			x[i] -= a[i][c] * x[c]
		}
		x[i] /= a[i][i]
	}
	return x
}

// fittedModel has the content of a file of weights.
type fittedModel struct {
	names   []string
	columns [][]float64 // a column for each model, with the weight of each name
}

// add adds the weights of a model as a column.
func (m *fittedModel) add(weights []float64) { m.columns = append(m.columns, weights) }

// least is the least absolute weight that is written: a name without one is left out.
const least = 0.005

func (m fittedModel) print(out io.Writer) {
	for j, name := range m.names {
		line, worth := fmt.Sprintf("%-20s", name), false
		for _, c := range m.columns {
			line += fmt.Sprintf(" %8.3f", c[j])
			worth = worth || math.Abs(c[j]) >= least
		}
		if worth {
			fmt.Fprintln(out, line)
		}
	}
}

// file returns the content of the file of a model.
func (m fittedModel) file(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b,
		"# The weights of %s, written by eval/fit: eval/results/tried.md has the command, its\n# date and what came of it.\n", name)
	m.print(&b)
	return b.String()
}
