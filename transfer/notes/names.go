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
	slugBytes = 120 // file names have at most 255 bytes; a letter may take 4
)

// Slug returns the first words of a text as a file name without extension: lower case letters and
// digits without accents, with hyphens between words, at most 60 characters and 120 bytes, "note"
// if nothing is left. It is valid on every file system, and distinct slugs stay distinct where case
// is ignored.
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
				return b.String()[:whole] // do not cut a word
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

// ShortID returns 8 letters and digits for an id: the last ones of a UUID, which are random, else
// the first ones of a hash.
func ShortID(id string) string {
	const uuid, tail = 36, 8
	if len(id) == uuid && strings.Trim(id[uuid-tail:], "0123456789abcdef") == "" {
		return id[uuid-tail:]
	}
	return hash(id)[:tail]
}

// LongID returns 20 hexadecimal digits for an id, to be used where short ids collide.
func LongID(id string) string { return hash(id)[:20] }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
