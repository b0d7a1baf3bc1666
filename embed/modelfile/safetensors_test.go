package modelfile

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
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
	if got, want := Broken("100%done/config.json", "it has %d bytes", 5).Message,
		"100%done/config.json cannot be used: it has 5 bytes"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A weight that is no number is refused, where a model is read and not when it is asked.
func TestValuesAreNumbers(t *testing.T) {
	for _, c := range []struct {
		weight float32
		ok     bool
	}{{0.5, true}, {float32(math.NaN()), false}, {float32(math.Inf(1)), false}, {float32(math.Inf(-1)), false}} {
		path := filepath.Join(t.TempDir(), "model.safetensors")
		data := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, math.Float32bits(1)), math.Float32bits(c.weight))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		_, err = Tensor{Kind: "F32", Shape: []int64{2}, file: f}.Values(make([]float32, 2), 0, nil)
		if (err == nil) != c.ok {
			t.Errorf("%v: %v", c.weight, err)
		}
	}
}
