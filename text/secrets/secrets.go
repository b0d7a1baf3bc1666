package secrets

import (
	_ "embed"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
)

//go:embed patterns.json
var patternsFile []byte

// rules say what is a secret; see patterns.json.
type rules struct {
	Tags     []string   `json:"tags"` // that mark one, in small letters
	Patterns []*pattern `json:"patterns"`
}

// pattern finds one sort of credential.
type pattern struct {
	Name string `json:"name"`
	// Needs are strings of which the text has one, in small letters: most texts
	// have none, and looking for them is quick.
	Needs   []string `json:"needs"`
	Pattern string   `json:"pattern"` // RE2; its first group, if there is one, is the secret
	Unless  []string `json:"unless"`  // what in place of the secret shows that it is none
	// UnlessLike is a regular expression for the same.
	UnlessLike string  `json:"unless_like"`
	Entropy    float64 `json:"entropy"`  // bits a character that the secret has at least
	Mixed      int     `json:"mixed"`    // how often at least digits and letters of it take turns
	Anywhere   bool    `json:"anywhere"` // also in the middle of a word, as in languages without blanks
	Compact    bool    `json:"compact"`  // also looked for in the text without blanks

	expression, compact, unlessLike func() *regexp.Regexp
}

// known reads the rules when they are first needed, and compiles none of them.
var known = sync.OnceValue(func() rules {
	var r rules
	if err := json.Unmarshal(patternsFile, &r); err != nil {
		panic("patterns.json: " + err.Error()) // part of the program; a test reads it
	}
	for _, p := range r.Patterns {
		p.expression, p.compact, p.unlessLike = lazyregexp.New(p.anchored()), lazyregexp.New(p.Pattern), lazyregexp.New(p.UnlessLike)
	}
	return r
})

// anchored is the pattern from the beginning of a word.
func (p *pattern) anchored() string {
	if p.Anywhere {
		return p.Pattern
	}
	return `\b(?:` + p.Pattern + `)`
}

// Marked reports whether a tag or category says that a record is a secret.
func Marked(r memory.Record) bool {
	marks := func(tag string) bool {
		tag, _ = plain(tag)
		return slices.Contains(known().Tags, strings.ToLower(strings.Trim(tag, " \t#")))
	}
	return marks(r.Category) || slices.ContainsFunc(r.Tags, marks)
}

// Is reports whether a record is marked as a secret or holds one.
func Is(r memory.Record) bool { return Marked(r) || In(r) != "" }

// In returns the name of a secret that a record holds in any of its texts, ""
// if it holds none.
func In(r memory.Record) string {
	texts := append([]string{r.Content, r.ExternalID, string(r.Metadata)}, r.Tags...)
	if t := r.Triple; t != nil {
		texts = append(texts, t.Subject+" "+t.Predicate+": "+t.Object)
	}
	if r.KindDetails != (memory.KindDetails{}) {
		if details, err := json.Marshal(r.KindDetails); err == nil { // always: they were read from JSON and text
			texts = append(texts, string(details))
		}
	}
	return Find(strings.Join(texts, "\n"))
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
	there := pairsOf(folded)
	for _, p := range known().Patterns {
		if p.needed(folded, there) && p.in(p.expression(), text, p.Mixed) {
			return p.Name
		}
	}
	switch {
	case hasCard(text):
		return "card number"
	case hasIBAN(text):
		return "bank account"
	case hasSeed(folded):
		return "seed phrase"
	}
	return ""
}

// compactMixed is how often digits and letters take turns at least in a token
// that was put together of pieces: words that run into each other do not.
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

func (p *pattern) needed(folded string, there *pairs) bool {
	return slices.ContainsFunc(p.Needs, func(need string) bool { return there.mayHave(need) && strings.Contains(folded, need) })
}

// pairs are the pairs of neighbouring bytes of a text, by a hash: what the patterns
// need is not searched for where a pair of it is missing.
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

// mayHave reports whether a text may contain another, or certainly does not.
func (there *pairs) mayHave(part string) bool {
	for i := 1; i < len(part); i++ {
		if h := hashPair(part[i-1], part[i]); there[h/64]>>(h%64)&1 == 0 {
			return false
		}
	}
	return true
}

// in reports whether an expression of the pattern finds a secret in a text.
func (p *pattern) in(expression *regexp.Regexp, text string, mixed int) bool {
	for _, match := range expression.FindAllStringSubmatch(text, -1) {
		secret := strings.TrimRight(match[len(match)-1], ".,;:!?")
		folded := strings.ToLower(secret)
		switch {
		case slices.Contains(p.Unless, folded), p.UnlessLike != "" && p.unlessLike().MatchString(folded):
		case entropy(secret) < p.Entropy, turns(secret) < mixed:
		default:
			return true
		}
	}
	return false
}

// entropy is that of the characters of a text, in bits a character (Shannon).
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

// turns counts how often digits and letters take turns.
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
