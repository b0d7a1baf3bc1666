package modelfile

import (
	"math"
	"testing"
)

func TestHalf(t *testing.T) {
	for b, want := range map[uint16]float64{
		0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x7bff: 65504, 0x0400: 0x1p-14, 0x0001: 0x1p-24, 0x83ff: -0x1.ff8p-15,
		0: 0, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		if got := float64(half(b)); got != want {
			t.Errorf("half(%#04x) is %v, want %v", b, got, want)
		}
	}
	if !math.IsNaN(float64(half(0x7e00))) {
		t.Error("half(0x7e00) is a number")
	}
}

// A directory's name is a user's, and no format.
func TestBrokenTakesNamesAsTheyAre(t *testing.T) {
	if got, want := Broken("100%done/config.json", "it has %d bytes", 5).Message, "100%done/config.json cannot be used: it has 5 bytes"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
