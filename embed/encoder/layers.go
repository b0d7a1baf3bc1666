package encoder

import "math"

// Linear is a matrix with a bias that is added to its result.
type Linear struct {
	Matrix
	Bias []float32 // has as many values as the matrix has rows
}

// Apply stores the result for each token of x in out.
func (l Linear) Apply(out, x []float32, w *Workspace) {
	if m, ok := l.Matrix.(*Matrix8); ok {
		m.apply(out, x, l.Bias, w)
		return
	}
	l.Matrix.Apply(out, x, w)
	for ; len(out) >= len(l.Bias); out = out[len(l.Bias):] {
		for i, b := range l.Bias {
			out[i] += b
		}
	}
}

// Norm is layer normalisation: it brings each token to mean 0 and variance 1, then scales and
// shifts it.
type Norm struct {
	Scale, Bias []float32
	Epsilon     float32 // added to the variance
}

// Apply stores the normalised tokens of x in out, which may be x.
func (n Norm) Apply(out, x []float32) {
	d := len(n.Scale)
	for t := 0; t < len(x); t += d {
		from, to := x[t:][:d], out[t:][:d]
		var a, b, c, e float32 // four sums, so that no addition waits for the one before
		rest := from
		for ; len(rest) >= 4; rest = rest[4:] {
			a, b, c, e = a+rest[0], b+rest[1], c+rest[2], e+rest[3]
		}
		for _, v := range rest {
			a += v
		}
		mean := (a + b + c + e) / float32(d)
		for i, v := range from {
			to[i] = v - mean
		}
		factor := 1 / float32(math.Sqrt(float64(Dot(to, to)/float32(d)+n.Epsilon)))
		scale, bias := n.Scale[:len(to)], n.Bias[:len(to)]
		for i, v := range to {
			to[i] = v*factor*scale[i] + bias[i]
		}
	}
}

// Attend computes attention: for each head, the mean of all tokens' values, weighted by the softmax
// of scale times the dot product of the token's query with their keys. A token has 3·width values
// in qkv (query, key, value) and width values in out. Each of these is divided into heads equal
// parts.
func Attend(out, qkv []float32, width, heads int, scale float32, w *Workspace) {
	tokens, size := len(qkv)/(3*width), width/heads
	if here.passes != nil && size%32 == 0 {
		attendBy(here.passes, out, qkv, width, heads, scale, w)
		return
	}
	w.weights, w.values = Room(w.weights, tokens), Room(w.values, size*tokens)
	weights, values := w.weights, w.values // of one head; values is transposed, with a row for each component
	for head := range heads {
		at := head * size
		for t := range tokens {
			for i, x := range qkv[t*3*width+2*width+at:][:size] {
				values[i*tokens+t] = x
			}
		}
		for t := range tokens {
			query := qkv[t*3*width+at:][:size]
			top := float32(math.Inf(-1))
			for o := range tokens {
				weights[o] = scale * Dot(query, qkv[o*3*width+width+at:][:size])
				top = max(top, weights[o])
			}
			sum := softmax(weights, top)
			into := out[t*width+at:][:size]
			for i := range into {
				into[i] = Dot(weights, values[i*tokens:][:tokens]) / sum
			}
		}
	}
}

// attendBy is Attend with assembly, which needs no transposed copy of the values.
func attendBy(by *passes, out, qkv []float32, width, heads int, scale float32, w *Workspace) {
	tokens, size, stride := len(qkv)/(3*width), width/heads, 3*width
	w.weights = Room(w.weights, tokens)
	for head := range heads {
		at := head * size
		keys, values := &qkv[width+at], &qkv[2*width+at]
		for t := range tokens {
			by.scores(&w.weights[0], &qkv[t*stride+at], keys, tokens, stride, size)
			top := float32(math.Inf(-1))
			for o := range w.weights {
				w.weights[o] *= scale
				top = max(top, w.weights[o])
			}
			share := 1 / softmax(w.weights, top)
			into := out[t*width+at:][:size]
			by.mix(&into[0], &w.weights[0], values, tokens, stride, size)
			for i := range into {
				into[i] *= share
			}
		}
	}
}

// softmax replaces each score x by exp(x - top), where top is the greatest score, and returns the
// sum of them.
func softmax(scores []float32, top float32) (sum float32) {
	for i, x := range scores {
		scores[i] = power(x - top)
		sum += scores[i]
	}
	return sum
}

// power returns exp(x) for x <= 0, with a relative error within 3e-7: 2 to the nearest integer of
// x/ln 2, times the Taylor series of the rest.
func power(x float32) float32 {
	const upper, lower = 0.693359375, -2.12194440e-4 // their sum is ln 2; upper times an integer is exact
	if !(x > -87) {                                  // below that the result is too small for a float32
		return 0
	}
	n := float32(int32(x*math.Log2E - 0.5))
	r := x - n*upper - n*lower
	series := 1 + r*(1+r*(1.0/2+r*(1.0/6+r*(1.0/24+r*(1.0/120+r*(1.0/720))))))
	return series * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// Relu replaces negative values by 0.
func Relu(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0)
	}
}

// Normalise scales a vector to length 1, unless it is zero.
func Normalise(x []float32) {
	square := Dot(x, x)
	if square <= 0 {
		return
	}
	factor := 1 / float32(math.Sqrt(float64(square)))
	for i := range x {
		x[i] *= factor
	}
}
