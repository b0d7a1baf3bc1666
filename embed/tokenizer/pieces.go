package tokenizer

import "hash/maphash"

// pieces are texts with their numbers, found by the text: a table with open addressing, which takes a third of
// the memory of a map, and of the time to fill one, where there are tens of thousands.
type pieces struct {
	texts []string
	ids   []int32
	slots []int32 // 1 + an index of texts, 0 for none; a power of two of them, at most three quarters in use
	seed  maphash.Seed
}

// newPieces has room for size texts, and for more.
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

// slot is where a text is, or would be.
func (p *pieces) slot(text string) *int32 {
	last := uint64(len(p.slots) - 1)
	for h := maphash.String(p.seed, text); ; h++ {
		if slot := &p.slots[h&last]; *slot == 0 || p.texts[*slot-1] == text {
			return slot
		}
	}
}

// add enters a text; one that is there gets another number.
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
