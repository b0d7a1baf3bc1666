package analysis

import "unicode"

// OtherScript reports whether most letters of a text are not Latin.
func OtherScript(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	return other > latin
}
