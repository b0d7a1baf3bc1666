package analysis

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minPart        = 3   // characters; a trigram index finds nothing shorter
	minLiteralWord = 4   // characters; shorter words occur inside too many others
	maxPart        = 256 // bytes; longer parts are data, and slow to match

	leadSigns   = "#@/~$_."          // may begin a name: #12, @ann, ~/x, .env
	trailSigns  = "_/+#%"            // may end one: a/, c++, c#, 5%
	insideSigns = "_./\\:@#$~=+&%?-" // make a token a name if inside it
)

// Substrings returns the parts of text that are worth matching literally in a
// trigram index that ignores case, each once and in order:
//   - tokens that look like names (vat_rate_bp, a.b/c, v1.2.3, #1234, ERR-42,
//     paths, addresses), whole with punctuation and letter case,
//   - runs of a script without spaces,
//   - otherwise, in lower case, words of four characters or more that are not
//     stop words.
//
// All have three characters or more. Of words joined by hyphens both the whole
// and the words are returned.
func Substrings(text string) []string {
	text = strings.ToValidUTF8(text, " ")
	var parts distinct
	for field := range strings.FieldsFuncSeq(text, isFieldSeparator) {
		for stretch, unspaced := range stretches(field) {
			if unspaced {
				parts.addLiteral(stretch, minPart)
			} else {
				parts.addToken(trimToken(stretch))
			}
		}
	}
	return parts.items
}

// isFieldSeparator reports whether r may stand around tokens but never inside
// one.
func isFieldSeparator(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("()[]{}<>\"`“”„‘«»—–…", r)
}

// stretches cuts field where a script without spaces begins or ends. Unlike
// [runs] it loses nothing: punctuation stays in its stretch.
func stretches(field string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		current, start := false, 0
		for i, r := range field {
			c := classOf(r)
			is := c == unspaced || c == mark && current
			if is == current {
				continue
			}
			if i > start && !yield(field[start:i], current) {
				return
			}
			current, start = is, i
		}
		if start < len(field) {
			yield(field[start:], current)
		}
	}
}

// trimToken removes punctuation of the sentence from both ends of a token.
func trimToken(token string) string {
	token = strings.TrimRightFunc(token, func(r rune) bool {
		return classOf(r) == separator && !strings.ContainsRune(trailSigns, r)
	})
	token = strings.TrimLeftFunc(token, func(r rune) bool {
		return classOf(r) == separator && !strings.ContainsRune(leadSigns, r)
	})
	if strings.HasPrefix(token, "..") {
		token = strings.TrimLeft(token, ".")
	}
	return token
}

// addToken adds a trimmed token as a whole, its words, or both.
func (d *distinct) addToken(token string) {
	signs := strings.ContainsAny(token, insideSigns)
	digits := strings.ContainsFunc(token, unicode.IsDigit)
	if (signs || digits) && informative(token) {
		d.addLiteral(token, minPart)
	}
	if digits || strings.ContainsAny(token, strings.TrimSuffix(insideSigns, "-")) {
		return
	}
	for run := range runs(token) {
		if word := strings.ToLower(run); !IsStop(word) {
			d.addLiteral(word, minLiteralWord)
		}
	}
}

// informative reports whether a word of token is not a stop word. For "and/or"
// it is false.
func informative(token string) bool {
	for run := range runs(token) {
		if !IsStop(strings.ToLower(run)) {
			return true
		}
	}
	return false
}

func (d *distinct) addLiteral(part string, characters int) {
	if len(part) <= maxPart && utf8.RuneCountInString(part) >= characters {
		d.add(part, strings.ToLower(part))
	}
}
