package semantics

import (
	"encoding/binary"
	"math"
	"slices"
)

// Table is an open semantic table. It never changes, so any number of
// goroutines may use it at once. Row numbers (ids) are from 0 to Len()-1, the
// most frequent stem first. Methods panic for others.
type Table struct {
	dim    int
	rare   float32
	index  index
	scales []byte    // one float32 for each row, as in the file
	codes  []byte    // dim/2 bytes for each row, as in the file
	norms  []float32 // length of each row of codes
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.scales) / 4 }

// Dim returns the number of values in a row and in a vector, an even number.
func (t *Table) Dim() int { return t.dim }

// Rare returns the mean length of the rows of rare stems. As a weight of a
// stem, its length is given in this unit: Length(id)/Rare().
func (t *Table) Rare() float32 { return t.rare }

// Lookup returns the row of a stem of package analysis, and whether the table
// has it.
func (t *Table) Lookup(stem string) (id int, ok bool) {
	row, ok := t.index.find(stem)
	return int(row), ok
}

// Row writes the Dim() values of a row to dst.
func (t *Table) Row(id int, dst []float32) {
	clear(dst[:t.dim])
	t.addRow(id, 1, dst)
}

// Length returns the length of a row, which is the stem's learned weight: about
// 0.1 for the most frequent words, about 1 for informative ones.
func (t *Table) Length(id int) float32 { return t.scale(id) * t.norms[id] }

// Cosine returns the cosine similarity of two rows, -1 to 1; 0 if a row has
// length 0.
func (t *Table) Cosine(a, b int) float32 {
	sum := product(t.row(a), t.row(b))
	if sum == 0 {
		return 0
	}
	return float32(sum) / (t.norms[a] * t.norms[b])
}

// TextVector returns the vector of a text: the sum of the rows of its distinct
// stems that the table has, each times its weight, scaled to length 1. Order
// and repeats do not matter. A nil weight means 1 for every stem. All Dim()
// values are 0 if the table has none of the stems or their rows add up to zero.
func (t *Table) TextVector(stems []string, weight func(stem string) float32) []float32 {
	vector := make([]float32, t.dim)
	var few [64]int // for short texts, where a bit for each row would cost too much time
	seen := rowSet{few: few[:0]}
	for _, stem := range stems {
		id, ok := t.index.find(stem)
		if !ok || !seen.add(int(id), t.Len()) {
			continue
		}
		factor := float32(1)
		if weight != nil {
			factor = weight(stem)
		}
		t.addRow(int(id), factor, vector)
	}
	scaleToOne(vector)
	return vector
}

// rowSet is a set of rows: a list while there are few, then one bit for each
// row.
type rowSet struct {
	few  []int
	many []uint64
}

// add adds a row of a table with that many rows, and reports whether it was not
// in the set before.
func (s *rowSet) add(id, rows int) bool {
	if s.many == nil && len(s.few) < cap(s.few) {
		if slices.Contains(s.few, id) {
			return false
		}
		s.few = append(s.few, id)
		return true
	}
	if s.many == nil {
		s.many = make([]uint64, (rows+63)/64)
		for _, one := range s.few {
			s.many[one/64] |= 1 << (one % 64)
		}
	}
	if s.many[id/64]>>(id%64)&1 != 0 {
		return false
	}
	s.many[id/64] |= 1 << (id % 64)
	return true
}

// addRow adds a row times factor to sum.
func (t *Table) addRow(id int, factor float32, sum []float32) {
	scale := t.scale(id)
	var values [16]float32
	for code := range values {
		values[code] = scale * float32(code-8) * factor
	}
	row := t.row(id)
	sum = sum[:2*len(row)]
	for k, b := range row {
		sum[2*k] += values[b&15]
		sum[2*k+1] += values[b>>4]
	}
}

func (t *Table) row(id int) []byte {
	half := t.dim / 2
	return t.codes[id*half : (id+1)*half : (id+1)*half]
}

func (t *Table) scale(id int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(t.scales[4*id:]))
}

// scaleToOne scales a vector to length 1, in place, unless it is all zeros.
func scaleToOne(vector []float32) {
	sum := 0.0
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	factor := float32(1 / math.Sqrt(sum))
	for i := range vector {
		vector[i] *= factor
	}
}
