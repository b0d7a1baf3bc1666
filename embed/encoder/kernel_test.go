package encoder

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// without runs a test in plain Go.
func without(f func()) {
	before := here
	here = kernels{}
	defer func() { here = before }()
	f()
}

// with runs a test in turn with each of the kernels that this machine is able to use.
func with(t *testing.T, test func(*testing.T)) {
	before := here
	defer func() { here = before }()
	for _, here = range append(able(), kernels{}) {
		t.Run(Kernel(), test)
	}
}

// What multiplies on this machine gives the integers that plain Go gives, and
// both give what 64-bit sums of the products do.
func TestKernelsAgree(t *testing.T) {
	t.Logf("this machine multiplies by %s", Kernel())
	with(t, testKernel)
}

func testKernel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := step * rapid.IntRange(1, 100).Draw(t, "columns/16") * rapid.SampledFrom([]int{1, 4}).Draw(t, "wide")
		rows, tokens := 2*rapid.IntRange(1, 6).Draw(t, "rows/2"), block*rapid.IntRange(1, 5).Draw(t, "tokens/4")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		extreme := rapid.Bool().Draw(t, "extreme")
		const top = levels + 1
		weights, w := make([]byte, rows*columns), Workspace{rounded: make([]int16, tokens*columns), sums: make([]int32, tokens*rows)}
		for i := range weights {
			weights[i] = byte(int8(random.IntN(255) - 127))
			if extreme {
				weights[i] = 127
			}
		}
		for i := range w.rounded {
			w.rounded[i] = int16(random.IntN(top + 1))
			if extreme {
				w.rounded[i] = int16(top * (i / columns % 2))
			}
			w.bytes = append(w.bytes, byte(w.rounded[i]))
		}
		if by := narrowFor(rows, columns); by != nil {
			multiplyBytes(&w, by, weights, rows, columns, tokens)
		} else {
			multiply(&w, weights, rows, columns, tokens)
		}
		fast := append([]int32(nil), w.sums...)
		multiplyPlain(&w, weights, rows, columns, tokens)
		for token := range tokens {
			for r := range rows {
				var want int64
				for c := range columns {
					want += int64(int8(weights[r*columns+c])) * int64(w.rounded[token*columns+c])
				}
				if i := token*rows + r; int64(fast[i]) != want || int64(w.sums[i]) != want {
					t.Fatalf("token %d, row %d of %d columns: %s gives %d, plain Go %d, want %d", token, r, columns, Kernel(), fast[i],
						w.sums[i], want)
				}
			}
		}
	})
}

func TestDotsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		a, b := make([]float32, n), make([]float32, n)
		want, size := 0.0, 0.0
		for i := range a {
			a[i], b[i] = float32(random.NormFloat64()), float32(random.NormFloat64())
			want += float64(a[i]) * float64(b[i])
			size += math.Abs(float64(a[i]) * float64(b[i]))
		}
		plain := float32(0)
		without(func() { plain = Dot(a, b) })
		if fast := Dot(a, b); math.Abs(float64(fast)-want) > 1e-5*size || math.Abs(float64(plain)-want) > 1e-5*size {
			t.Fatalf("%d products: %s gives %g, plain Go %g, want %g", n, Kernel(), fast, plain, want)
		}
	})
}

// A matrix gives what its weights give of values that are not rounded, within a
// hundredth of the largest result, and the same whatever multiplies.
func TestRoundedMatrix(t *testing.T) {
	testRoundedMatrix(t, 256)
	testRoundedMatrix(t, 240) // too few for the kernel of bytes
}

func testRoundedMatrix(t *testing.T, columns int) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 3))
	const rows, tokens = 64, 5
	weights, scales, x := make([]byte, rows*columns), make([]float32, rows), make([]float32, tokens*columns)
	for i := range weights {
		weights[i] = byte(int8(random.IntN(255) - 127))
	}
	for i := range scales {
		scales[i] = 0.01 + random.Float32()
	}
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	clear(x[:columns]) // a token of nothing
	m, err := NewMatrix8(weights, scales, columns)
	if err != nil {
		t.Fatal(err)
	}
	fast, plain := make([]float32, tokens*rows), make([]float32, tokens*rows)
	m.Apply(fast, x, &Workspace{})
	without(func() { m.Apply(plain, x, &Workspace{}) })
	var largest, off float64
	for i := range fast {
		exact := 0.0
		for c := range columns {
			exact += float64(int8(weights[i%rows*columns+c])) * float64(scales[i%rows]) * float64(x[i/rows*columns+c])
		}
		if fast[i] != plain[i] {
			t.Fatalf("result %d: %g by %s, %g in plain Go", i, fast[i], Kernel(), plain[i])
		}
		largest, off = max(largest, math.Abs(exact)), max(off, math.Abs(exact-float64(fast[i])))
	}
	if off > largest/100 {
		t.Errorf("off by %g where the largest is %g", off, largest)
	}
	for i := range rows {
		if fast[i] != 0 {
			t.Fatalf("a token of zeros gives %g", fast[i])
		}
	}
}

// Values that are not numbers give nothing, not a crash.
func TestRoundedMatrixOfNoNumbers(t *testing.T) {
	m, err := NewMatrix8(make([]byte, 2*step), make([]float32, 2), step)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		x, out := make([]float32, step), make([]float32, 2)
		x[3] = bad
		m.Apply(out, x, &Workspace{})
		if out[0] != 0 || out[1] != 0 {
			t.Errorf("%g gives %v of a matrix of zeros", bad, out)
		}
	}
}

func TestMatrixSizes(t *testing.T) {
	for _, c := range []struct{ weights, rows, columns int }{{0, 2, 0}, {30, 2, 15}, {16, 1, 16}, {31, 2, 16}, {0, 0, 16},
		{4 * maxColumns, 2, 2 * maxColumns}} {
		if _, err := NewMatrix8(make([]byte, c.weights), make([]float32, c.rows), c.columns); err == nil {
			t.Errorf("%d weights are a matrix of %d rows and %d columns", c.weights, c.rows, c.columns)
		}
	}
}

// What a layer does beside its products is the same by assembly: what is rounded and
// mapped to the last bit, what tokens take of each other nearly.
func TestPassesAgree(t *testing.T) {
	with(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			values := func(n int) []float32 {
				list := make([]float32, n)
				for i := range list {
					list[i] = float32(random.NormFloat64())
				}
				return list
			}
			tokens, columns, rows := rapid.IntRange(1, 9).Draw(t, "tokens"), step*rapid.IntRange(1, 12).
				Draw(t, "columns/16"), 2*rapid.IntRange(1, 20).Draw(t, "rows/2")
			m, err := NewMatrix8(make([]byte, rows*columns), values(rows), columns)
			if err != nil {
				t.Fatal(err)
			}
			for i := range m.weights {
				m.weights[i] = byte(random.IntN(256))
			}
			l, x := Linear{m, values(rows)}, values(tokens*columns)
			if rapid.Bool().Draw(t, "odd values") {
				x[random.IntN(len(x))] = []float32{float32(math.NaN()), float32(math.Inf(-1)), 0, -1e30}[random.IntN(4)]
			}
			fast, plain := make([]float32, tokens*rows), make([]float32, tokens*rows)
			l.Apply(fast, x, &Workspace{})
			without(func() { l.Apply(plain, x, &Workspace{}) })
			for i := range plain {
				if math.Float32bits(fast[i]) != math.Float32bits(plain[i]) {
					t.Fatalf("row %d of token %d is %g, in plain Go %g", i%rows, i/rows, fast[i], plain[i])
				}
			}
			heads, size := rapid.IntRange(1, 3).Draw(t, "heads"), 8*rapid.IntRange(1, 8).Draw(t, "size/8")
			width := heads * size
			qkv := values(tokens * 3 * width)
			fast, plain = make([]float32, tokens*width), make([]float32, tokens*width)
			Attend(fast, qkv, width, heads, 0.2, &Workspace{})
			without(func() { Attend(plain, qkv, width, heads, 0.2, &Workspace{}) })
			for i := range plain {
				if math.Abs(float64(fast[i]-plain[i])) > 1e-4 {
					t.Fatalf("tokens take %g, in plain Go %g", fast[i], plain[i])
				}
			}
		})
	})
}

func TestPower(t *testing.T) {
	for x := float32(0); x > -90; x -= 0.0137 {
		if got, want := float64(power(x)), math.Exp(float64(x)); math.Abs(got-want) > 3e-7*want && x > -87 || x <= -87 && got != 0 {
			t.Errorf("e to the %g is %g, want %g", x, got, want)
		}
	}
	if got := power(float32(math.NaN())); got != 0 {
		t.Errorf("of what is not a number: %g", got)
	}
}
