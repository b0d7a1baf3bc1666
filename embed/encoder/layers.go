package encoder

import "math"

// Linear is a matrix with something to add to what it gives.
type Linear struct {
	Matrix
	Bias []float32 // of Rows values
}

// Apply puts the map of each token into out.
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

// Norm brings each token to mean 0 and variance 1, then scales and shifts it.
type Norm struct {
	Scale, Bias []float32
	Epsilon     float32 // added to the variance
}

// Apply puts the normalised tokens of x into out, which may be x.
func (n Norm) Apply(out, x []float32) {
	d := len(n.Scale)
	for t := 0; t < len(x); t += d {
		from, to := x[t:][:d], out[t:][:d]
		var a, b, c, e float32 // side by side: one sum would wait for each addition
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

// Attend puts into out what each token takes of all others, for each head: the
// mean of their values, weighted by the softmax of scale times the product of
// its query with their keys. Query, key and value stand side by side in qkv,
// 3·width values a token, and out has width a token; each is heads equal parts.
func Attend(out, qkv []float32, width, heads int, scale float32, w *Workspace) {
	tokens, size := len(qkv)/(3*width), width/heads
	if here.passes != nil && size%32 == 0 {
		attendBy(here.passes, out, qkv, width, heads, scale, w)
		return
	}
	w.weights, w.values = Room(w.weights, tokens), Room(w.values, size*tokens)
	weights, values := w.weights, w.values // of a head, the values a row for each
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

// attendBy is Attend by assembly, which reads keys and values where they are.
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

// softmax replaces scores, of which top is the largest, by their powers, and returns the
// sum of these.
func softmax(scores []float32, top float32) (sum float32) {
	for i, x := range scores {
		scores[i] = power(x - top)
		sum += scores[i]
	}
	return sum
}

// power is e to the x, which is at most 0, within 3e-7 of it: a power of 2 to the nearest
// whole number, times what the series gives of the rest.
func power(x float32) float32 {
	const upper, lower = 0.693359375, -2.12194440e-4 // of ln 2: the first times a whole number is exact
	if !(x > -87) {                                  // else it is less than any number has room for
		return 0
	}
	n := float32(int32(x*math.Log2E - 0.5))
	r := x - n*upper - n*lower
	series := 1 + r*(1+r*(1.0/2+r*(1.0/6+r*(1.0/24+r*(1.0/120+r*(1.0/720))))))
	return series * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// Relu replaces what is below 0 by 0.
func Relu(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0)
	}
}

// Normalise scales a vector to length 1, one of nothing but 0 not at all.
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
