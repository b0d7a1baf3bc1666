package secrets

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

// codes are the words that tell that a number in their sentence is a code: of a
// door, a safe, a phone, a card. See patterns.json.
type codes struct {
	Sure     []string `json:"sure"`      // one of these words is enough
	Places   []string `json:"places"`    // what a code opens; needs one of Acts beside it
	Acts     []string `json:"acts"`      // what is done with a code
	WeakActs []string `json:"weak_acts"` // Acts that need the number at the sentence's end
	Units    []string `json:"units"`     // words after a number that is not a code
	Before   []string `json:"before"`    // words before a number that is not a code
	Locked   []string `json:"locked"`    // Places whose code may just follow a colon
	Unless   []string `json:"unless"`    // in sentences about other numbers
}

// codeForm matches a number that may be a code, with the word before it and the
// one after it.
var codeForm = lazyregexp.New(`(?i)(?:^|(\S+)[\s(]+|[:="'“=])["'“*#]?([a-z]?\d{3,8}[a-z#*]{0,2}|\d{2} \d{2}|\d{1,3}(?:(?:[ -]|, ?)(?:(?:left|right|then|links|rechts|and|und|back|forward|to|zurück|auf),?\s+)*\d{1,3}){2,}|\d+[a-z]? (?:and then|then|dann) \d{3,})["'”]?(?:$|[.,;!?)]+(?:\s|$)|\s+(\S+))`)

// year matches a number that is more likely a year than a code.
var year = lazyregexp.New(`^(?:19|20)\d\d$`)

// spoken has the digits and tens as spoken words, in several languages.
var spoken = sync.OnceValue(func() map[string]bool {
	said := map[string]bool{}
	for _, w := range strings.Fields(`
		zero oh one two three four five six seven eight nine null eins zwei drei vier fünf sechs sieben acht neun zéro
		un deux trois quatre cinq sept huit neuf cero uno dos tres cuatro cinco seis siete ocho nueve due tre quattro
		cinque sei sette otto nove nul een twee drie vijf zes zeven negen jeden dwa trzy cztery pięć sześć siedem osiem
		dziewięć twenty thirty forty fifty sixty seventy eighty ninety`) {
		said[w] = true
	}
	return said
})

// inDigits returns a text in which three or more spoken digits in a row are
// replaced by as many digits "7": which digits they are does not matter here.
func inDigits(text string) string {
	if !manySpoken(text) {
		return text
	}
	const between = " ,.–-"
	var out strings.Builder
	copied, begin, end, n := 0, 0, 0, 0 // begin and end of the row, n words in it
	write := func() {
		if n >= 3 {
			out.WriteString(text[copied:begin] + strings.Repeat("7", n) + " ")
			copied = end
		}
		n = 0
	}
	for at := 0; at < len(text); {
		rest := text[at:]
		word := rest[:len(rest)-len(strings.TrimLeftFunc(rest, inWord))]
		if word == "" {
			_, size := utf8.DecodeRuneInString(rest)
			at += size
			continue
		}
		behind := strings.TrimLeft(rest[len(word):], between)
		apart := behind == "" || len(behind) < len(rest)-len(word)
		if n > 0 && at != end || !apart || !spoken()[word] {
			write()
		}
		if at += len(word); apart && spoken()[word] {
			if n++; n == 1 {
				begin = at - len(word)
			}
			at = len(text) - len(behind)
			end = at
		}
	}
	write()
	return out.String() + text[copied:]
}

// manySpoken reports whether at least three words of a text are spoken digits,
// anywhere in it.
func manySpoken(text string) bool {
	n := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !inWord(r) }) {
		if spoken()[word] {
			n++
		}
	}
	return n >= 3
}

// inWord reports whether a character is part of a word.
func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// hasCode reports whether a sentence of a text in lower case has a code.
func hasCode(folded string) bool {
	folded = inDigits(folded)
	if digitsIn(folded) < 3 {
		return false
	}
	c, asked := known().Codes, ""
	if there := pairsOf(folded); !hasWord(there, folded, c.Sure) && !hasWord(there, folded, c.Places) {
		return false // tells needs one of them; sentences are not looked for then
	}
	for _, sentence := range analysis.Sentences(folded) {
		if digitsIn(sentence) >= 3 && (c.tells(sentence) || asked != "" && c.tells(asked+" "+sentence)) {
			return true
		}
		if asked = ""; strings.HasSuffix(sentence, "?") { // "What's the code? 5580"
			asked = sentence
		}
	}
	return false
}

func (c codes) tells(sentence string) bool {
	there := pairsOf(sentence)
	sure := hasWord(there, sentence, c.Sure)
	if !sure && !hasWord(there, sentence, c.Places) ||
		slices.ContainsFunc(c.Unless, func(other string) bool { return strings.Contains(sentence, other) }) {
		return false
	}
	locked := !sure && hasWord(there, sentence, c.Locked)
	act := hasWord(there, sentence, c.Acts)
	if !sure && !act && !locked {
		return false
	}
	strong := act && slices.ContainsFunc(c.Acts, func(w string) bool {
		return hasWord(there, sentence, []string{w}) && !slices.Contains(c.WeakActs, w)
	})
	for rest := sentence; ; {
		at := codeForm().FindStringSubmatchIndex(rest)
		if at == nil {
			return false
		}
		part := func(n int) string {
			if at[2*n] < 0 {
				return ""
			}
			return rest[at[2*n]:at[2*n+1]]
		}
		before, number, behind := strings.Trim(part(1), ".,:;()\"'"), part(2), strings.Trim(part(3), ".,:;()")
		near := hasWord(there, rest[max(0, at[4]-nearby):at[4]], c.Locked) && pointer().MatchString(rest[:at[4]])
		pointed := locked && digitsIn(number) >= 4 && (near || strings.HasSuffix(number, "#"))
		rest = rest[at[5]:]
		switch {
		case pointed && !slices.Contains(c.Units, behind):
			return true
		case !sure && !act:
		case slices.Contains(c.Before, before), slices.Contains(c.Units, behind):
		case year().MatchString(number) && !strong && !sure:
		case !sure && !strong && (digitsIn(number) < 4 || !strings.HasSuffix(strings.TrimRight(sentence, " .!)\"'"), number)):
		default:
			return true
		}
	}
}

// nearby is how many bytes before a code the word for what it opens may be, if
// one of the signs of [pointer] stands directly before the code.
const nearby = 40

// pointer matches the sign between a thing and its code.
var pointer = lazyregexp.New(`(?:[:=?→]|->)\s*["'“*#]?$`)

// hasWord reports whether a text has one of the words as a whole word. there
// are the pairs of the text, or of a longer text that contains it.
func hasWord(there *pairs, text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		for from := 0; there.mayHave(w); {
			i := strings.Index(text[from:], w)
			if i < 0 {
				return false
			}
			i += from
			if !letterBefore(text, i) && !letterBehind(text, i+len(w)) {
				return true
			}
			from = i + len(w)
		}
		return false
	})
}

func letterBefore(text string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsLetter(r)
}

func letterBehind(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}
