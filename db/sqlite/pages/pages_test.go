package pages

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// What makes no sense is refused, never followed out of the file.
func TestNonsense(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []byte{IndexInterior, TableInterior, IndexLeaf, TableLeaf}
	text := make([]byte, 8*4096)
	for range 1_500 {
		for i := range text {
			text[i] = byte(random.Uint32())
			if i%4096 > 400 {
				break
			}
		}
		at := 4096 * (1 + random.IntN(6))
		for i := range 64 {
			text[at+i] = byte(random.Uint32())
			text[at+random.IntN(4096)] = byte(random.Uint32())
		}
		text[at] = kinds[random.IntN(4)]
		binary.BigEndian.PutUint16(text[at+3:], uint16(random.IntN(300)))
		f := New(bytes.NewReader(text), int64(len(text)))
		for n := uint32(0); n <= f.Count()+1; n++ {
			tree, err := f.Tree(n)
			if err == nil && len(tree.Cells) > 4096 {
				t.Fatalf("%d cells", len(tree.Cells))
			}
		}
		f.Free()
		page := bytes.Clone(text[at : at+4096])
		ClearGaps(page, false, 0)
	}
}

// TestClearGaps: only what no cell uses is cleared.
func TestClearGaps(t *testing.T) {
	p := bytes.Repeat([]byte{0xee}, 512)
	copy(p, []byte{TableLeaf, 0x01, 0x40, 0, 2, 0x01, 0x20, 0}) // a free block at 320, two cells, content from 288
	binary.BigEndian.PutUint16(p[8:], 288)
	binary.BigEndian.PutUint16(p[10:], 400)
	binary.BigEndian.PutUint16(p[320:], 0)  // no further block
	binary.BigEndian.PutUint16(p[322:], 40) // its size
	want := bytes.Clone(p)
	clear(want[12:288])
	clear(want[324:360])
	if !ClearGaps(p, false, 0) || !bytes.Equal(p, want) {
		t.Error("not as expected")
	}
	if ClearGaps(p, false, 0) {
		t.Error("a second time there is something to do")
	}
	for name, spoil := range map[string]func([]byte){
		"another kind":     func(p []byte) { p[0] = 0 },
		"a cell in a gap":  func(p []byte) { binary.BigEndian.PutUint16(p[10:], 100) },
		"a block in a gap": func(p []byte) { binary.BigEndian.PutUint16(p[1:], 100) },
		"a block too long": func(p []byte) { binary.BigEndian.PutUint16(p[322:], 500) },
		"a ring of blocks": func(p []byte) { binary.BigEndian.PutUint16(p[320:], 320) },
	} {
		bad := bytes.Repeat([]byte{0xee}, 512)
		copy(bad, want[:12])
		copy(bad[320:], want[320:324])
		spoil(bad)
		before := bytes.Clone(bad)
		if ClearGaps(bad, false, 0) || !bytes.Equal(bad, before) {
			t.Errorf("%s: it was changed", name)
		}
	}
}
