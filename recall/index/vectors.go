package index

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// vectors keeps the vectors of all documents in two forms: 256 sign bits for
// the first pass over everything, int8 for the cosine. One bit a dimension
// would lose most of the nearest; the signs after two random rotations, with
// eight times as many candidates rescored, keep 93 to 97 % of them.
type vectors struct {
	dimensions int // 0 until the first vector
	rotation   rotation
	signs      []signature
	values     []int8    // dimensions for each document
	norms      []float32 // of values; 0 for a document without a vector
}

type signature [4]uint64

// rescored is how many of the first pass get their cosine.
const rescored = 400

func (v *vectors) add(vector []float32) {
	v.norms = append(v.norms, 0)
	if v.dimensions > 0 {
		v.values = append(v.values, make([]int8, v.dimensions)...)
		v.signs = append(v.signs, signature{})
	}
	v.set(len(v.norms)-1, vector)
}

// set gives document n its vector. One of another model's dimensions is as
// good as none.
func (v *vectors) set(n int, vector []float32) {
	if vector == nil {
		return
	}
	if v.dimensions == 0 {
		v.start(len(vector))
	}
	if len(vector) != v.dimensions {
		return
	}
	v.norms[n] = pack(v.values[n*v.dimensions:][:v.dimensions], vector)
	if v.norms[n] > 0 {
		v.signs[n] = v.rotation.sign(vector)
	}
}

// start makes room for the documents that came before the first vector.
func (v *vectors) start(dimensions int) {
	v.dimensions = dimensions
	v.rotation = newRotation(dimensions)
	v.values = make([]int8, len(v.norms)*dimensions)
	v.signs = make([]signature, len(v.norms))
}

// pack scales the largest value to 127 and returns the length of the result.
func pack(packed []int8, vector []float32) float32 {
	var largest float32
	for _, x := range vector {
		largest = max(largest, x, -x)
	}
	if largest == 0 {
		return 0
	}
	var square float64
	for i, x := range vector {
		packed[i] = int8(math.Round(float64(x) * 127 / float64(largest)))
		square += float64(packed[i]) * float64(packed[i])
	}
	return float32(math.Sqrt(square))
}

// cosine of the document's vector with a unit vector; 0 if it has none.
func (v *vectors) cosine(unit []float32, n uint32) float64 {
	if v.dimensions == 0 || len(unit) != v.dimensions || v.norms[n] == 0 {
		return 0
	}
	values := v.values[int(n)*v.dimensions:][:len(unit)]
	var a, b float32
	for i := 0; i+1 < len(unit); i += 2 {
		a += unit[i] * float32(values[i])
		b += unit[i+1] * float32(values[i+1])
	}
	if len(unit)%2 == 1 {
		a += unit[len(unit)-1] * float32(values[len(unit)-1])
	}
	return float64((a + b) / v.norms[n])
}

// nearest returns up to limit allowed documents by cosine, best first.
func (v *vectors) nearest(unit []float32, limit int, allowed func(uint32) bool) []uint32 {
	if v.dimensions == 0 || len(unit) != v.dimensions {
		return nil
	}
	candidates := v.closest(v.rotation.sign(unit), max(rescored, limit), allowed)
	type scored struct {
		n      uint32
		cosine float64
	}
	list := make([]scored, len(candidates))
	for i, n := range candidates {
		list[i] = scored{n, v.cosine(unit, n)}
	}
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.n, b.n)) })
	near := make([]uint32, 0, limit)
	for _, s := range list[:min(limit, len(list))] {
		near = append(near, s.n)
	}
	return near
}

// closest returns the documents with the fewest differing bits, in no order.
func (v *vectors) closest(s signature, limit int, allowed func(uint32) bool) []uint32 {
	var counts [257]int
	distances := make([]uint16, len(v.signs))
	for n := range v.signs {
		if v.norms[n] == 0 || allowed != nil && !allowed(uint32(n)) {
			distances[n] = math.MaxUint16
			continue
		}
		o := &v.signs[n]
		d := bits.OnesCount64(s[0]^o[0]) + bits.OnesCount64(s[1]^o[1]) + bits.OnesCount64(s[2]^o[2]) + bits.OnesCount64(s[3]^o[3])
		distances[n] = uint16(d)
		counts[d]++
	}
	// The largest distance that still fits; of those just above, as many as fit.
	radius, total := 0, 0
	for radius < len(counts) && total+counts[radius] <= limit {
		total += counts[radius]
		radius++
	}
	extra := limit - total
	var found []uint32
	for n, d := range distances {
		switch {
		case int(d) < radius:
			found = append(found, uint32(n))
		case int(d) == radius && extra > 0:
			found = append(found, uint32(n))
			extra--
		}
	}
	return found
}

// rotation turns vectors at random, twice differently, so that the signs of
// the results say more than those of the vector: random signs and a
// Walsh-Hadamard transform, each done twice, which is nearly as good as a
// random matrix and takes n log n steps.
type rotation struct {
	size  int // a power of two
	flips [2][2][]float32
}

func newRotation(dimensions int) rotation {
	r := rotation{size: 1 << bits.Len(uint(max(1, dimensions-1)))}
	random := rand.New(rand.NewPCG(1, 2)) // fixed: signatures of two builds agree
	for i := range r.flips {
		for j := range r.flips[i] {
			r.flips[i][j] = make([]float32, r.size)
			for k := range r.flips[i][j] {
				r.flips[i][j][k] = float32(1 - 2*int(random.Uint32()&1))
			}
		}
	}
	return r
}

func (r rotation) sign(vector []float32) (s signature) {
	turned := make([]float32, r.size)
	for half := range r.flips {
		clear(turned)
		copy(turned, vector)
		for _, flips := range r.flips[half] {
			for i, f := range flips {
				turned[i] *= f
			}
			hadamard(turned)
		}
		for i := range min(128, r.size) {
			if turned[i] > 0 {
				bit := half*128 + i
				s[bit/64] |= 1 << (bit % 64)
			}
		}
	}
	return s
}

// hadamard is the fast Walsh-Hadamard transform, unscaled.
func hadamard(v []float32) {
	for step := 1; step < len(v); step *= 2 {
		for i := 0; i < len(v); i += 2 * step {
			low, high := v[i:i+step], v[i+step:i+2*step]
			for j := range low {
				low[j], high[j] = low[j]+high[j], low[j]-high[j]
			}
		}
	}
}
