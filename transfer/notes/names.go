package notes

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	slugRunes = 60
	slugBytes = 120 // a file's name takes 255 at most; in some scripts a letter takes 4
)

// Slug returns the first words of a text as a file's name without its ending:
// small letters and digits with hyphens between, without accents, at most 60
// characters and 120 bytes; "note" if nothing is left. Every file system takes
// it, and none takes two for one that differ.
func Slug(text string) string {
	if len(text) > 1000 {
		text = strings.ToValidUTF8(text[:1000], "")
	}
	var b strings.Builder
	runes, gap := 0, false
	for _, r := range norm.NFC.String(withoutMarks(norm.NFKD.String(text))) {
		r = unicode.ToLower(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = b.Len() > 0
			continue
		}
		if runes >= slugRunes || b.Len()+6 > slugBytes {
			if whole := strings.LastIndexByte(b.String(), '-'); whole > b.Len()/2 && !gap {
				return b.String()[:whole] // rather than half a word
			}
			break
		}
		if gap {
			b.WriteByte('-')
			runes++
		}
		b.WriteRune(r)
		runes++
		gap = false
	}
	if b.Len() == 0 {
		return "note"
	}
	return b.String()
}

func withoutMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}

// ShortID returns 8 letters and digits of an id: the last ones of a UUID, which
// are random in it, else those of a hash.
func ShortID(id string) string {
	const uuid, tail = 36, 8
	if len(id) == uuid && strings.Trim(id[uuid-tail:], "0123456789abcdef") == "" {
		return id[uuid-tail:]
	}
	return hash(id)[:tail]
}

// LongID is for ids whose short ones are the same.
func LongID(id string) string { return hash(id)[:20] }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
