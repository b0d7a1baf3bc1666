package index

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// vectors keeps the vectors of all documents in two forms: 256 sign bits for
// the first pass over everything, int8 for the cosine. One bit a dimension
// would lose most of the nearest; the signs after two random rotations, with
// eight times as many candidates rescored, keep 93 to 97 % of them.
type vectors struct {
	dimensions int // 0 until the first vector
	rotation   rotation
	signs      []signature
	norms      []float32 // of values; 0 for a document without a vector
	// values holds the dimensions of each document, in blocks: they are most
	// of an index, and a list that grows is copied and leaves room unused.
	values [][]int8
}

// block is how many documents one block of values holds.
const block = 256

// bitsOf is how many bits a signature has.
const bitsOf = 256

// signature has the signs of a vector after random rotations; see [rotation].
type signature [bitsOf / 64]uint64

// distance returns the Hamming distance, in bits.
func (s *signature) distance(o *signature) int {
	return bits.OnesCount64(s[0]^o[0]) + bits.OnesCount64(s[1]^o[1]) + bits.OnesCount64(s[2]^o[2]) + bits.OnesCount64(s[3]^o[3])
}

// rescored is how many candidates of the first pass, by signature, are at least compared by cosine.
const rescored = 400

// add appends a document with its vector, which may be nil.
func (v *vectors) add(vector []float32) {
	v.norms = append(v.norms, 0)
	if v.dimensions > 0 {
		v.grow()
	}
	v.set(len(v.norms)-1, vector)
}

// grow makes room for a document.
func (v *vectors) grow() {
	if len(v.signs)%block == 0 {
		v.values = append(v.values, make([]int8, block*v.dimensions))
	}
	v.signs = append(v.signs, signature{})
}

// of returns the values of document n.
func (v *vectors) of(n int) []int8 { return v.values[n/block][n%block*v.dimensions:][:v.dimensions] }

// set stores the vector of document n. A nil one, and one of other dimensions than the first, as
// of another model, is ignored.
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
	v.norms[n] = pack(v.of(n), vector)
	if v.norms[n] > 0 {
		v.signs[n] = v.rotation.sign(vector)
	}
}

// start makes room for the documents that came before the first vector.
func (v *vectors) start(dimensions int) {
	v.dimensions = dimensions
	v.rotation = newRotation(dimensions)
	for range v.norms {
		v.grow()
	}
}

// pack quantises a vector to int8: it scales it so that its largest value becomes 127. It returns
// the Euclidean length of the quantised vector, 0 for a zero vector.
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

// cosine returns the cosine of the document's vector with a unit vector; 0 if it has none.
func (v *vectors) cosine(unit []float32, n uint32) float64 {
	if v.dimensions == 0 || len(unit) != v.dimensions || v.norms[n] == 0 {
		return 0
	}
	return float64(product(unit, v.of(int(n))) / v.norms[n])
}

// nearest returns up to limit allowed documents by cosine, in no order.
func (v *vectors) nearest(unit []float32, limit int, allowed bitset, s *scratch) []uint32 {
	if v.dimensions == 0 || len(unit) != v.dimensions {
		return nil
	}
	best := topK{limit: limit}
	for _, n := range v.closest(v.rotation.sign(unit), max(rescored, limit), allowed, s) {
		best.add(scored{n, float32(v.cosine(unit, n))})
	}
	return best.documents()
}

// closest returns up to limit allowed documents whose signatures differ from sign in the fewest
// bits, of equals the first ones, in no order.
func (v *vectors) closest(sign signature, limit int, allowed bitset, s *scratch) []uint32 {
	// counts has how many of the noted documents lie at each distance, inside how many lie up to
	// radius. The radius shrinks as soon as enough are nearer, so that few have to be noted.
	var counts [bitsOf + 1]int
	radius, inside := bitsOf, 0
	s.near = s.near[:0]
	for n := range v.signs {
		d := sign.distance(&v.signs[n])
		if d > radius || v.norms[n] == 0 || !allowed.has(uint32(n)) {
			continue
		}
		s.near = append(s.near, near{uint32(n), uint16(d)})
		counts[d]++
		for inside++; inside-counts[radius] >= limit && radius > 0; radius-- {
			inside -= counts[radius]
		}
	}
	last := limit - (inside - counts[radius]) // how many at exactly the radius still fit
	found := make([]uint32, 0, limit)
	for _, x := range s.near {
		switch {
		case int(x.distance) < radius:
			found = append(found, x.n)
		case int(x.distance) == radius && last > 0:
			found = append(found, x.n)
			last--
		}
	}
	return found
}

// rotation is two different random rotations of vectors; the signs of the rotated vectors tell more
// of the angle between two vectors than those of the vectors themselves. Each rotation is random
// flips of signs followed by a Walsh-Hadamard transform, done twice, which is nearly as good as a
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

// sign returns the signature of a vector: 128 signs of each of the two rotations, fewer for a
// vector of at most 64 dimensions.
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

// hadamard is the fast Walsh-Hadamard transform, unscaled. It takes two steps
// of doubling at a time, which reads and writes the values half as often.
func hadamard(v []float32) {
	step := 1
	if len(v) >= 4 {
		for rest := v; len(rest) >= 4; rest = rest[4:] {
			q := (*[4]float32)(rest)
			s, t, x, y := q[0]+q[1], q[0]-q[1], q[2]+q[3], q[2]-q[3]
			q[0], q[1], q[2], q[3] = s+x, t+y, s-x, t-y
		}
		step = 4
	}
	for ; 4*step <= len(v); step *= 4 {
		for i := 0; i < len(v); i += 4 * step {
			a, b, c, d := v[i:][:step], v[i+step:][:step], v[i+2*step:][:step], v[i+3*step:][:step]
			for j := range a {
				s, t, x, y := a[j]+b[j], a[j]-b[j], c[j]+d[j], c[j]-d[j]
				a[j], b[j], c[j], d[j] = s+x, t+y, s-x, t-y
			}
		}
	}
	if step < len(v) {
		low, high := v[:step], v[step:]
		for j := range low {
			low[j], high[j] = low[j]+high[j], low[j]-high[j]
		}
	}
}

// likeness returns the cosine of the vectors of two documents, 0 if one has none.
func (v *vectors) likeness(a, b int) float64 {
	if v.dimensions == 0 || v.norms[a] == 0 || v.norms[b] == 0 {
		return 0
	}
	sum := int32(0)
	y := v.of(b)
	for i, x := range v.of(a) {
		sum += int32(x) * int32(y[i])
	}
	return float64(sum) / (float64(v.norms[a]) * float64(v.norms[b]))
}
