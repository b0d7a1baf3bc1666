package analysis

// The conditions of the stemmer, on lower-case ASCII letters.

// consonant reports whether c is a consonant, given whether the letter before
// it is one. start says that there is no letter before it. Only for y does that
// matter.
func consonant(c byte, afterConsonant, start bool) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return start || !afterConsonant
	}
	return true
}

// consonantAt reports whether b[i] is a consonant.
func consonantAt(b []byte, i int) bool {
	// Only a run of y needs looking back; it is walked from its beginning so
	// that no word, however odd, costs more than its length.
	first := i
	for first > 0 && b[first] == 'y' {
		first--
	}
	is := false
	for j := first; j <= i; j++ {
		is = consonant(b[j], is, j == 0)
	}
	return is
}

// measure counts how often a vowel is followed by a consonant: 0 for "tree",
// 1 for "trouble" without its e, 2 for "private" without its e.
func measure(b []byte) int {
	count := 0
	previous := true
	for i, c := range b {
		is := consonant(c, previous, i == 0)
		if is && !previous {
			count++
		}
		previous = is
	}
	return count
}

func hasVowel(b []byte) bool {
	previous := true
	for i, c := range b {
		if previous = consonant(c, previous, i == 0); !previous {
			return true
		}
	}
	return false
}

// endsDouble reports whether b ends in the same consonant twice.
func endsDouble(b []byte) bool {
	n := len(b)
	return n > 1 && b[n-1] == b[n-2] && consonantAt(b, n-1)
}

// endsShort reports whether b ends in consonant, vowel, consonant, the last not
// w, x or y. Such a stem has lost an e (fil-e) or is short (hop).
func endsShort(b []byte) bool {
	n := len(b)
	if n < 3 || b[n-1] == 'w' || b[n-1] == 'x' || b[n-1] == 'y' {
		return false
	}
	return consonantAt(b, n-1) && !consonantAt(b, n-2) && consonantAt(b, n-3)
}

func hasSuffix(b []byte, suffix string) bool {
	n := len(b) - len(suffix)
	return n >= 0 && b[len(b)-1] == suffix[len(suffix)-1] && string(b[n:]) == suffix
}
