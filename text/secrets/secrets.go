package secrets

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
)

//go:embed patterns.json
var patternsFile []byte

// rules are the contents of patterns.json.
type rules struct {
	Tags     []string   `json:"tags"` // tags that mark a secret, in lower case
	Codes    codes      `json:"codes"`
	Patterns []*pattern `json:"patterns"`
}

// pattern finds one kind of secret.
type pattern struct {
	Name string `json:"name"`
	// Needs are strings in lower case, of which the text must have one. Most
	// texts have none, and that is fast to check. One behind "^" must begin a
	// word: every match of the pattern begins with one of these.
	Needs   []string `json:"needs"`
	Pattern string   `json:"pattern"` // RE2; the last group that matched, if any, is the secret
	// Also is a part of Pattern that every match has, for a pattern that takes long: if the text has
	// nothing like it, the whole is not searched for.
	Also   string   `json:"also"`
	Unless []string `json:"unless"` // texts in place of the secret that are not secrets
	// UnlessLike is a regular expression for such texts.
	UnlessLike string `json:"unless_like"`
	// UnlessIn is a regular expression: if it matches anywhere in the match,
	// this is not a secret.
	UnlessIn string  `json:"unless_in"`
	Entropy  float64 `json:"entropy"`  // least entropy of the secret, in bits per character
	Mixed    int     `json:"mixed"`    // least number of turns (see there) in the secret
	Digits   int     `json:"digits"`   // least number of digits in the secret
	Anywhere bool    `json:"anywhere"` // also in the middle of a word, as in languages without blanks
	Compact  bool    `json:"compact"`  // also searched for in the text without blanks
	// Window is a key of [windows]. If it is set, the group is a part of the
	// text that has the secret as one of its words.
	Window string `json:"window"`

	expression, compact, also, unlessLike, unlessIn func() *regexp.Regexp
}

// known reads the rules when they are first needed. Their expressions are
// compiled later, when one is needed.
var known = sync.OnceValue(func() rules {
	var r rules
	if err := json.Unmarshal(patternsFile, &r); err != nil {
		panic("patterns.json: " + err.Error()) // cannot happen: a test reads the file
	}
	for _, p := range r.Patterns {
		p.expression, p.compact = lazyregexp.New(p.anchored()), lazyregexp.New(p.Pattern)
		p.also = lazyregexp.New(p.Also)
		p.unlessLike, p.unlessIn = lazyregexp.New(p.UnlessLike), lazyregexp.New(p.UnlessIn)
	}
	return r
})

// anchored returns the pattern, which must begin at a word boundary unless
// Anywhere is set.
func (p *pattern) anchored() string {
	if p.Anywhere {
		return p.Pattern
	}
	return `\b(?:` + p.Pattern + `)`
}

// Marked reports whether a tag or the category of a record says that it is a
// secret.
func Marked(r memory.Record) bool {
	marks := func(tag string) bool {
		tag, _ = plain(tag)
		return slices.Contains(known().Tags, strings.ToLower(strings.Trim(tag, " \t#")))
	}
	return marks(r.Category) || slices.ContainsFunc(r.Tags, marks)
}

// Is reports whether a record is marked as a secret or has one in its texts.
func Is(r memory.Record) bool { return Marked(r) || In(r) != "" }

// Warning returns a warning for somebody who saves something that has a secret
// of that name: that it was noticed, and what is done about it. It is "" if
// name is. It has no full stop, so that it can be part of a sentence.
func Warning(name string) string {
	if name == "" {
		return ""
	}
	return "this looks like a secret (" + name +
		"); it is stored in plain text, in no file of the workspace, not shown at the start of sessions and not shared by links"
}

// OfTodo reports whether a to-do has a secret in its texts.
func OfTodo(t memory.Todo) bool { return Find(t.Title+"\n"+t.Description) != "" }

// In returns the name of a secret that a record has in any of its texts, or "".
func In(r memory.Record) string {
	texts := append([]string{r.Content, r.ExternalID, string(r.Metadata)}, r.Tags...)
	if t := r.Triple; t != nil {
		texts = append(texts, t.Subject+" "+t.Predicate+": "+t.Object)
	}
	if r.KindDetails != (memory.KindDetails{}) {
		var details any
		if data, err := json.Marshal(r.KindDetails); err == nil &&
			json.Unmarshal(data, &details) == nil { // cannot fail for details from the database
			texts = append(texts, textsOf(details)...)
		}
	}
	return Find(strings.Join(texts, "\n"))
}

// textsOf returns the strings in decoded JSON, without the names of fields:
// after a word such as "root" these look like passwords.
func textsOf(value any) (texts []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			texts = append(texts, textsOf(one)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			texts = append(texts, textsOf(v[name])...)
		}
	}
	return texts
}

// Find returns the name of the first secret in a text, such as "JSON web
// token", and "" if there is none.
func Find(text string) string {
	if name := find(text); name != "" {
		return name
	}
	clean, changed := plain(text)
	if changed {
		if name := find(clean); name != "" {
			return name
		}
	}
	if spelled, changed := spelledOut(clean); changed {
		if name := find(spelled); name != "" {
			return name
		}
	}
	return findCompact(clean)
}

func find(text string) string {
	folded := strings.ToLower(text)
	if name := findShaped(text, folded); name != "" {
		return name
	}
	switch {
	case hasSeed(folded):
		return "seed phrase"
	case hasCode(folded):
		return "code of a door, card or device"
	}
	return ""
}

// findShaped returns the name of a secret that is recognised by its form or by
// a name before it, or "". folded is text in lower case.
func findShaped(text, folded string) string {
	there, numbers := pairsOf(folded), digitsIn(text)
	for _, p := range known().Patterns {
		if numbers >= p.fewestDigits() && p.needed(folded, there) && p.in(p.expression(), text, p.Mixed) {
			return p.Name
		}
	}
	switch {
	case hasCard(text):
		return "card number"
	case hasIBAN(text):
		return "bank account"
	case hasToken(text):
		return "token"
	}
	return ""
}

// compactMixed is the least number of changes between digits and letters in a
// token that was put together from pieces. Words that run into each other have
// fewer.
const compactMixed = 4

func findCompact(text string) string {
	if digitsIn(text) < compactMixed/2 || !strings.ContainsAny(text, " \t\r\n") {
		return ""
	}
	joined := strings.Join(strings.Fields(text), "")
	folded := strings.ToLower(joined)
	there := pairsOf(folded)
	for _, p := range known().Patterns {
		if p.Compact && p.needed(folded, there) && p.in(p.compact(), joined, compactMixed) {
			return p.Name
		}
	}
	return ""
}

// fewestDigits returns the least number of digits of a text in which the
// pattern can match.
func (p *pattern) fewestDigits() int { return max(p.Digits, (p.Mixed+1)/2) }

func (p *pattern) needed(folded string, there *pairs) bool {
	return slices.ContainsFunc(p.Needs, func(need string) bool {
		if word, begins := strings.CutPrefix(need, "^"); begins {
			return there.mayHave(word) && beginsWord(folded, word)
		}
		return there.mayHave(need) && strings.Contains(folded, need)
	})
}

// beginsWord reports whether a text has part behind what \b takes for the end or the start of a word.
func beginsWord(text, part string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return false
		}
		if i += from; i == 0 || !syntax.IsWordChar(rune(text[i-1])) {
			return true
		}
		from = i + 1
	}
}

// pairs is a set of hashes of the pairs of neighbouring bytes in a text. It
// rules out most searches for a string, because a pair of that string is
// missing.
type pairs [64]uint64

func pairsOf(text string) *pairs {
	var there pairs
	for i := 1; i < len(text); i++ {
		h := hashPair(text[i-1], text[i])
		there[h/64] |= 1 << (h % 64)
	}
	return &there
}

func hashPair(a, b byte) uint { return (uint(a)*61 ^ uint(b)) % 4096 }

// mayHave reports whether the text may contain part. If it is false, the text
// does not.
func (there *pairs) mayHave(part string) bool {
	for i := 1; i < len(part); i++ {
		if h := hashPair(part[i-1], part[i]); there[h/64]>>(h%64)&1 == 0 {
			return false
		}
	}
	return true
}

// in reports whether an expression of the pattern finds a secret in a text.
// mixed is used in place of p.Mixed.
func (p *pattern) in(expression *regexp.Regexp, text string, mixed int) bool {
	if p.Also != "" && !p.also().MatchString(text) {
		return false
	}
	for _, match := range expression.FindAllStringSubmatch(text, -1) {
		secret := strings.TrimRight(cmp.Or(match[len(match)-1], match[max(0, len(match)-2)]), ".,;:!?")
		folded := strings.ToLower(secret)
		switch {
		case slices.Contains(p.Unless, folded), p.UnlessLike != "" && p.unlessLike().MatchString(folded):
		case p.UnlessIn != "" && p.unlessIn().MatchString(match[0]):
		case entropy(secret) < p.Entropy, turns(secret) < mixed, digitsIn(secret) < p.Digits, p.Window != "" &&
			!slices.ContainsFunc(strings.FieldsFunc(match[len(match)-1], between), windows[p.Window]):
		default:
			return true
		}
	}
	return false
}

// plainForm matches words with letters and digits that are not secrets: a day,
// a version, an address, a path, a checksum, the name of a format, a number
// with a unit.
var plainForm = lazyregexp.New(`(?i)^(?:v?\d+(?:[.:-]\d+)*[a-z]{0,3}|\d+[a-z-]+|[a-z]+:?//.*|[~./].*|.*@.*\.[a-z]{2,}|[0-9a-f]{32,}|[0-9a-f-]{36}|(?:sha|md|base|utf|ipv|iso|rfc|http|oauth|x)-?\d+\S{0,4}|[$<{*%].*|.*[>}=(].*|1password\S*|[A-Z]{1,6}-\d+[a-z]{0,2}|.*\.(?:md|txt|env|json|ya?ml|go|py|js|ts|pem|key|zip|pdf|png|rs|java|c|h|sh|log|test)(?::\d+)*|q[1-4]|your.*|\d{1,2}(?:st|nd|rd|th))[.,:;]?$`)

// between reports whether a character separates words that may be secrets.
func between(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("\"'“”„«»`,;()/", r)
}

// windows tell by its form whether a word is the kind of secret that the text
// announces.
var windows = map[string]func(word string) bool{
	"password": func(word string) bool {
		return len(word) >= 6 &&
			(digitsIn(word) > 1 || turns(word) > 1 || strings.ContainsAny(word, "-_.!#+&") && turns(word) > 0) && made(word)
	},
	"key": func(word string) bool {
		return len(word) >= 12 && (digitsIn(word) >= 2 && turns(word) > 1 || digitsIn(word) >= 16) && entropy(word) > 2.8 && !place().
			MatchString(word)
	},
	"recovery": func(word string) bool {
		return len(word) >= 4 && (digitsIn(word) >= 3 || turns(word) > 1) && !year().MatchString(word) && !place().MatchString(word)
	},
}

// made reports whether a word looks as if it was made up to be hard to guess.
func made(word string) bool { return !plainForm().MatchString(word) }

// place matches an address, a path, the name of a variable, or a placeholder
// for a secret.
var place = lazyregexp.New(`(?i)://|^[~./$<{*%]|^.*@.*\.[a-z]{2,}$|x{6,}|\*{3,}|^your|[>}]$|^\d{1,4}[.:/-]\d\d?(?:[.:/-]\d{1,4})?$`)

// entropy returns the Shannon entropy of the characters of a text, in bits per
// character.
func entropy(s string) float64 {
	counts, n := map[rune]int{}, 0
	for _, r := range s {
		counts[r]++
		n++
	}
	bits := 0.0
	for _, c := range counts {
		share := float64(c) / float64(n)
		bits -= share * math.Log2(share)
	}
	return bits
}

// turns returns how often digits and letters follow each other in a text, in
// either order. Other characters between them do not count.
func turns(s string) int {
	n, last := 0, 0
	for i := range len(s) {
		now := last
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			now = 1
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			now = 2
		}
		if last != 0 && now != last {
			n++
		}
		last = now
	}
	return n
}
