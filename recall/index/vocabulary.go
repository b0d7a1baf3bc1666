package index

import (
	"strings"
	"unicode/utf8"

	"mcp-memory/text/semantics"
)

// vocabulary numbers the stems of a bank in order of their arrival.
type vocabulary struct {
	table  *semantics.Table
	number map[string]uint32
	names  []string
	rows   []int32  // of stems in the semantic table, -1 for none
	known  []int32  // the rows of stems that it has, in their order
	termOf []uint32 // row → number + 1, 0 for none

	initials map[rune][]uint32 // first letter → stems
	letters  []uint32          // a bit for each letter that a stem has
}

func newVocabulary(table *semantics.Table) vocabulary {
	return vocabulary{
		table: table, number: map[string]uint32{}, termOf: make([]uint32, table.Len()), initials: map[rune][]uint32{},
	}
}

func (v *vocabulary) find(stem string) (uint32, bool) {
	t, ok := v.number[stem]
	return t, ok
}

// add returns the number of a stem and whether it is new.
func (v *vocabulary) add(stem string) (t uint32, isNew bool) {
	if t, ok := v.number[stem]; ok {
		return t, false
	}
	t = uint32(len(v.names))
	stem = strings.Clone(stem) // it may be part of a long text
	v.number[stem] = t
	v.names = append(v.names, stem)
	v.letters = append(v.letters, lettersOf(stem))
	first, _ := utf8.DecodeRuneInString(stem)
	v.initials[first] = append(v.initials[first], t)
	row := int32(-1)
	if id, ok := v.table.Lookup(stem); ok {
		row = int32(id)
		v.known = append(v.known, row)
		v.termOf[id] = t + 1
	}
	v.rows = append(v.rows, row)
	return t, true
}

// lettersOf sets a bit for each letter. One edit of a word changes at most two.
func lettersOf(stem string) (set uint32) {
	for _, r := range stem {
		set |= 1 << (uint32(r) % 32)
	}
	return set
}
