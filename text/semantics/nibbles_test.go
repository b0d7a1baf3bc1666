package semantics

import (
	"math/rand/v2"
	"testing"
)

func TestProduct(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	plain := func(x, y []byte) (sum int) {
		for k := range x {
			sum += (int(x[k]&15)-8)*(int(y[k]&15)-8) + (int(x[k]>>4)-8)*(int(y[k]>>4)-8)
		}
		return sum
	}
	row := func(n int, code func() byte) []byte {
		row := make([]byte, n)
		for i := range row {
			row[i] = code()
		}
		return row
	}
	for _, n := range []int{0, 1, 7, 8, 9, 16, 63, 64, 200} {
		for range 50 {
			x, y := row(n, func() byte { return byte(random.Uint32()) }), row(n, func() byte { return byte(random.Uint32()) })
			if got, want := product(x, y), plain(x, y); got != want {
				t.Fatalf("%x times %x is %d, want %d", x, y, got, want)
			}
		}
		for _, codes := range [][2]byte{{0xff, 0xff}, {0, 0}, {0xff, 0}, {0x8f, 0xf8}} {
			x, y := row(n, func() byte { return codes[0] }), row(n, func() byte { return codes[1] })
			if got, want := product(x, y), plain(x, y); got != want {
				t.Errorf("%d bytes %x times %x is %d, want %d", n, codes[0], codes[1], got, want)
			}
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	x, y := make([]byte, 64), make([]byte, 64)
	for b.Loop() {
		product(x, y)
	}
}
