package tokenizer

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A rule changes a text before it is split; "normalizer" in tokenizer.json.
type rule func(text string) string

// maxNesting is how deep rules may be nested.
const maxNesting = 8

// ruleEntry is a "normalizer" in tokenizer.json, with the fields that each type uses.
type ruleEntry struct {
	Type string `json:"type"`

	Normalizers []json.RawMessage `json:"normalizers"` // Sequence

	CleanText    bool  `json:"clean_text"` // BertNormalizer
	ChineseChars bool  `json:"handle_chinese_chars"`
	StripAccents *bool `json:"strip_accents"`
	Lowercase    bool  `json:"lowercase"`

	StripLeft  bool `json:"strip_left"` // Strip
	StripRight bool `json:"strip_right"`

	Pattern pattern `json:"pattern"` // Replace
	Content string  `json:"content"`
	Prepend string  `json:"prepend"` // Prepend
	Charmap []byte  `json:"precompiled_charsmap"`
}

// pattern is what Replace looks for; one of the two is set.
type pattern struct {
	Literal *string `json:"String"`
	Regex   *string `json:"Regex"`
}

// newRule returns the rule of a normalizer; null changes nothing.
func newRule(text json.RawMessage, depth int) (rule, error) {
	if len(text) == 0 || string(text) == "null" {
		return func(s string) string { return s }, nil
	}
	var e ruleEntry
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, broken("a normalizer has another form: %v", err)
	}
	switch e.Type {
	case "Sequence":
		return sequence(e.Normalizers, depth)
	case "BertNormalizer":
		return e.bert(), nil
	case "Lowercase":
		return lower, nil
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "StripAccents":
		return func(s string) string { return withoutMarks(s) }, nil
	case "Strip":
		return e.strip, nil
	case "Nmt":
		return func(s string) string { return strings.Map(nmt, s) }, nil
	case "Prepend":
		return e.prepend, nil
	case "Replace":
		return e.replace()
	case "Precompiled":
		return newCharmap(e.Charmap)
	}
	return nil, broken("the normalizer %q is not known", e.Type)
}

func sequence(list []json.RawMessage, depth int) (rule, error) {
	if depth >= maxNesting {
		return nil, broken("its normalizers are nested too deep")
	}
	rules := make([]rule, len(list))
	for i, one := range list {
		var err error
		if rules[i], err = newRule(one, depth+1); err != nil {
			return nil, err
		}
	}
	return func(s string) string {
		for _, r := range rules {
			s = head(r(s), maxText)
		}
		return s
	}, nil
}

// maxText is how many bytes of a text are read. That is many times the first 512 pieces, which a
// static model uses. What follows is ignored by encoders too.
const maxText = 64 << 10

// head returns the first limit bytes of text, cut between characters.
func head(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// bert returns the rule of a BertNormalizer: it drops control characters, turns blanks into spaces,
// sets Chinese characters apart, drops accents and makes letters lower case, as far as each is
// switched on.
func (e ruleEntry) bert() rule {
	strip := e.Lowercase
	if e.StripAccents != nil {
		strip = *e.StripAccents
	}
	return func(s string) string {
		if e.CleanText {
			s = strings.Map(cleaned, s)
		}
		if e.ChineseChars {
			s = setApart(s, isChinese)
		}
		if strip {
			s = withoutMarks(norm.NFD.String(s))
		}
		if e.Lowercase {
			s = lower(s)
		}
		return s
	}
}

// unprinted are the categories of characters that are dropped. Characters that have none yet, such
// as the newest emoji, are kept: BERT reads them as unknown. [unicode.C] would include them.
var unprinted = []*unicode.RangeTable{unicode.Cc, unicode.Cf, unicode.Co}

// cleaned maps unprinted characters to -1 and every blank to a space.
func cleaned(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case r == unicode.ReplacementChar || unicode.In(r, unprinted...):
		return -1
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

// nmt is cleaned for SentencePiece's normalizer Nmt.
func nmt(r rune) rune {
	switch {
	case r >= 0x1 && r <= 0x8, r == 0xb, r >= 0xe && r <= 0x1f, r == 0x7f, r == 0x8f, r == 0x9f:
		return -1
	case r == 0x9, r == 0xa, r == 0xc, r == 0xd, r == 0x1680, r >= 0x200b && r <= 0x200f, r == 0x2028, r == 0x2029,
		r == 0x2581, r == 0xfeff, r == 0xfffd:
		return ' '
	}
	return r
}

// chinese are the characters that BERT takes for words of their own.
var chinese = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x20000, Hi: 0x2a6df, Stride: 1}, {Lo: 0x2a700, Hi: 0x2b73f, Stride: 1}, {Lo: 0x2b740, Hi: 0x2b81f, Stride: 1},
		{Lo: 0x2b920, Hi: 0x2ceaf, Stride: 1}, {Lo: 0x2f800, Hi: 0x2fa1f, Stride: 1},
	},
}

func isChinese(r rune) bool { return r >= 0x3400 && unicode.Is(chinese, r) }

// setApart puts spaces around each character for which meant returns true.
func setApart(s string, meant func(rune) bool) string {
	if strings.IndexFunc(s, meant) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if meant(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// withoutMarks drops combining marks, such as accents after NFD.
func withoutMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x300 && unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}

// lower makes letters lower case one by one, as the tokenizers library does.
func lower(s string) string {
	return strings.Map(unicode.ToLower, strings.ReplaceAll(s, "İ", "i̇"))
}

func (e ruleEntry) strip(s string) string {
	if e.StripLeft {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
	if e.StripRight {
		s = strings.TrimRightFunc(s, unicode.IsSpace)
	}
	return s
}

func (e ruleEntry) prepend(s string) string {
	if s == "" {
		return s
	}
	return e.Prepend + s
}

func (e ruleEntry) replace() (rule, error) {
	if literal := e.Pattern.Literal; literal != nil {
		if *literal == "" {
			return nil, broken("a normalizer replaces nothing")
		}
		replacer := strings.NewReplacer(*literal, e.Content)
		return replacer.Replace, nil
	}
	if e.Pattern.Regex == nil {
		return nil, broken("a normalizer replaces nothing")
	}
	expression, err := compile(*e.Pattern.Regex)
	if err != nil {
		return nil, err
	}
	return func(s string) string { return expression.ReplaceAllLiteralString(s, e.Content) }, nil
}

// compile compiles a regular expression that is written for Oniguruma, as far as Go has the same
// syntax.
func compile(text string) (*regexp.Regexp, error) {
	if !strings.Contains(text, "[") { // Oniguruma's \s has more characters than Go's
		text = strings.ReplaceAll(text, `\s`, `[\s\x{85}\p{Z}]`)
	}
	expression, err := regexp.Compile(text)
	if err != nil {
		return nil, broken("the regular expression %q is not understood", text)
	}
	return expression, nil
}
