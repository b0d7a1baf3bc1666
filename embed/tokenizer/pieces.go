package tokenizer

import "hash/maphash"

// pieces maps texts to their numbers: a hash table with open addressing. With tens of thousands of
// entries it takes a third of the memory of a map, and of the time to fill one.
type pieces struct {
	texts []string
	ids   []int32
	// index in texts plus 1, 0 if free; their number is a power of two, at most three quarters are
	// in use
	slots []int32
	seed  maphash.Seed
}

// newPieces returns an empty table with room for size texts; it grows when there are more.
func newPieces(size int) *pieces {
	p := &pieces{texts: make([]string, 0, size), ids: make([]int32, 0, size), seed: maphash.MakeSeed()}
	p.rehash(size)
	return p
}

func (p *pieces) rehash(size int) {
	slots := 16
	for 3*slots < 4*size {
		slots *= 2
	}
	p.slots = make([]int32, slots)
	for i, text := range p.texts {
		*p.slot(text) = int32(i + 1)
	}
}

// slot returns the slot of a text, or the free one where it would go.
func (p *pieces) slot(text string) *int32 {
	last := uint64(len(p.slots) - 1)
	for h := maphash.String(p.seed, text); ; h++ {
		if slot := &p.slots[h&last]; *slot == 0 || p.texts[*slot-1] == text {
			return slot
		}
	}
}

// add adds a text, or changes its number if it is there.
func (p *pieces) add(text string, id int32) {
	slot := p.slot(text)
	if *slot > 0 {
		p.ids[*slot-1] = id
		return
	}
	p.texts, p.ids = append(p.texts, text), append(p.ids, id)
	if *slot = int32(len(p.texts)); 4*len(p.texts) > 3*len(p.slots) {
		p.rehash(2 * len(p.texts))
	}
}

func (p *pieces) find(text string) (id int32, found bool) {
	if slot := *p.slot(text); slot > 0 {
		return p.ids[slot-1], true
	}
	return 0, false
}
