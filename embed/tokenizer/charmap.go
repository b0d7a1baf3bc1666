package tokenizer

import (
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charmap is the table by which SentencePiece replaces characters, such as "ﬁ" by "fi": a
// double-array trie whose leaves point into a list of texts, each ended by a zero byte (the format
// of the library Darts-clone).
type charmap struct {
	units []uint32
	texts string
}

// wholeCluster is the greatest length, in bytes, of a character with its combining marks that is
// looked up as a whole, as in the tokenizers library. Longer ones are looked up rune by rune.
const wholeCluster = 5

func newCharmap(data []byte) (rule, error) {
	if len(data) == 0 {
		return func(s string) string { return s }, nil
	}
	if len(data) < 4 {
		return nil, broken("its table of characters is too short")
	}
	size := binary.LittleEndian.Uint32(data)
	if data = data[4:]; uint64(size) > uint64(len(data)) || size%4 != 0 || size == 0 {
		return nil, broken("its table of characters is cut off")
	}
	m := &charmap{units: make([]uint32, size/4), texts: string(data[size:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(data[i*4:])
	}
	return m.apply, nil
}

func (m *charmap) apply(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		cluster := s[:clusterLen(s)]
		s = s[len(cluster):]
		if len(cluster) <= wholeCluster {
			if text, ok := m.find(cluster); ok {
				b.WriteString(text)
				continue
			}
		}
		for len(cluster) > 0 {
			_, width := utf8.DecodeRuneInString(cluster)
			if text, ok := m.find(cluster[:width]); ok {
				b.WriteString(text)
			} else {
				b.WriteString(cluster[:width])
			}
			cluster = cluster[width:]
		}
	}
	return b.String()
}

// clusterLen returns how many bytes the first character of s has, with the combining marks and
// joiners behind it.
func clusterLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	for n < len(s) && s[n] >= utf8.RuneSelf {
		r, width := utf8.DecodeRuneInString(s[n:])
		if !unicode.Is(unicode.M, r) && r != '\u200d' {
			break
		}
		n += width
	}
	return n
}

// The fields of a unit of the trie.
func leafValue(unit uint32) uint32  { return unit & (1<<31 - 1) }
func label(unit uint32) uint32      { return unit & (1<<31 | 0xff) }
func hasLeaf(unit uint32) bool      { return unit>>8&1 == 1 }
func unitOffset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

// find returns the replacement of the shortest prefix of key that has one.
func (m *charmap) find(key string) (string, bool) {
	at := unitOffset(m.units[0])
	for i := range len(key) {
		at ^= uint32(key[i])
		if key[i] == 0 || uint64(at) >= uint64(len(m.units)) {
			return "", false
		}
		unit := m.units[at]
		if label(unit) != uint32(key[i]) {
			return "", false
		}
		at ^= unitOffset(unit)
		if !hasLeaf(unit) {
			continue
		}
		if uint64(at) >= uint64(len(m.units)) {
			return "", false
		}
		begin := leafValue(m.units[at])
		if uint64(begin) > uint64(len(m.texts)) {
			return "", false
		}
		text, _, _ := strings.Cut(m.texts[begin:], "\x00")
		return text, true
	}
	return "", false
}
