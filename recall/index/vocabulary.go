package index

import (
	"strings"
	"unicode/utf8"

	"mcp-memory/text/semantics"
)

// vocabulary numbers the stems of a bank in order of their arrival; the number of a stem is its
// term.
type vocabulary struct {
	table  *semantics.Table
	number map[string]uint32 // stem → term
	names  []string          // term → stem
	rows   []int32           // term → row in the semantic table, -1 for none
	known  []int32           // rows of the stems that the semantic table has, in order of their terms
	termOf []uint32          // row → term + 1, 0 for none

	initials map[rune][]uint32 // first letter → terms
	letters  []uint32          // term → lettersOf its stem
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

// lettersOf returns a set of the letters of a stem, as one bit for each letter modulo 32. One edit
// of a word changes at most two bits, so sets that differ more show cheaply that words do.
func lettersOf(stem string) (set uint32) {
	for _, r := range stem {
		set |= 1 << (uint32(r) % 32)
	}
	return set
}
