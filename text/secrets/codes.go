package secrets

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

// codes are the words by which the number in a sentence is told to be a code: of a door,
// a safe, a phone, a card. See patterns.json.
type codes struct {
	Sure     []string `json:"sure"`      // one of them is enough
	Places   []string `json:"places"`    // what a code opens, which takes one of Acts beside it
	Acts     []string `json:"acts"`      // what is done with a code
	WeakActs []string `json:"weak_acts"` // those of Acts that count only where the number ends the sentence
	Units    []string `json:"units"`     // behind a number that is none
	Before   []string `json:"before"`    // right before a number that is none
	Unless   []string `json:"unless"`    // in a sentence about other numbers
}

// codeForm is a number that may be a code, with the word before it and the one behind it.
var codeForm = lazyregexp.New(`(?i)(?:^|(\S+)[\s(]+|[:="'“=])["'“*#]?([a-z]?\d{3,8}[a-z#*]{0,2}|\d{2} \d{2}|\d{1,3}(?:(?:[ -]|, ?)(?:(?:left|right|then|links|rechts|and|und)\s+)*\d{1,3}){2,}|\d+[a-z]? (?:and then|then|dann) \d{3,})["'”]?(?:$|[.,;!?)]+(?:\s|$)|\s+(\S+))`)

// year is what is rather one than a code.
var year = lazyregexp.New(`^(?:19|20)\d\d$`)

// spoken are the digits as one says them, in the order of the digits.
var spoken = lazyregexp.New(`\b(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zéro|un|deux|trois|quatre|cinq|sept|huit|neuf|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|due|tre|quattro|cinque|sei|sette|otto|nove|nul|een|twee|drie|vijf|zes|zeven|negen|jeden|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć)(?:[ ,.–-]+|$)){3,}`)

// inDigits returns a text with digits in place of three or more that are spelled out. Which
// ones they are does not matter here.
func inDigits(text string) string {
	return spoken().ReplaceAllStringFunc(text, func(said string) string {
		return strings.Repeat("7", len(strings.FieldsFunc(said, func(r rune) bool { return !unicode.IsLetter(r) }))) + " "
	})
}

// hasCode reports whether a sentence of a text, in small letters, tells a code.
func hasCode(folded string) bool {
	folded = inDigits(folded)
	if digitsIn(folded) < 3 {
		return false
	}
	c := known().Codes
	for _, sentence := range analysis.Sentences(folded) {
		if digitsIn(sentence) >= 3 && c.tells(sentence) {
			return true
		}
	}
	return false
}

func (c codes) tells(sentence string) bool {
	sure := hasWord(sentence, c.Sure)
	if !sure && !hasWord(sentence, c.Places) || slices.ContainsFunc(c.Unless, func(other string) bool { return strings.Contains(sentence, other) }) {
		return false
	}
	act, strong := hasWord(sentence, c.Acts), false
	if !sure && !act {
		return false
	}
	for _, w := range c.Acts {
		strong = strong || !slices.Contains(c.WeakActs, w) && hasWord(sentence, []string{w})
	}
	for _, m := range codeForm().FindAllStringSubmatch(sentence, -1) {
		before, number, behind := strings.Trim(m[1], ".,:;()\"'"), m[2], strings.Trim(m[3], ".,:;()")
		switch {
		case slices.Contains(c.Before, before), slices.Contains(c.Units, behind):
		case year().MatchString(number) && !strong && !sure:
		case !sure && !strong && (digitsIn(number) < 4 || !strings.HasSuffix(strings.TrimRight(sentence, " .!)\"'"), number)):
		default:
			return true
		}
	}
	return false
}

// hasWord reports whether one of some words stands in a text, as a word.
func hasWord(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		for from := 0; ; {
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
