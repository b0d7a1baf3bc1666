package model

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
)

// signs are characters and strings that count as features wherever they are in
// a text.
var signs = [...]string{":", ";", "?", "!", "`", "/", "_", "()", "=", "%", "€", "$", "£", "#", ", not ", "\""}

// shape adds the features that can be seen without knowing the words.
func (s *slots) shape(text string, words []string) {
	for _, field := range strings.Fields(text) {
		for _, trait := range traits(strings.Trim(field, ".,;:!?()\"'")) {
			s.add("shape", trait)
		}
	}
	for _, sign := range signs {
		if strings.Contains(text, sign) {
			s.add("sign", sign)
		}
	}
	for _, word := range words {
		if p := persons[word]; p != "" {
			s.add("person", p)
		}
	}
	switch n := len(words); {
	case n < 4:
		s.add("length", "few")
	case n < 8:
		s.add("length", "short")
	case n > 16:
		s.add("length", "long")
	}
	s.names(text)
	if negative(words) {
		s.add("negative")
	}
}

// names adds a feature for the number of words with a capital letter inside
// sentences.
func (s *slots) names(text string) {
	count := 0
	for _, sentence := range analysis.Sentences(text) {
		for i, field := range strings.Fields(sentence) {
			first, _ := utf8.DecodeRuneInString(strings.TrimLeft(field, "\"'("))
			if i > 0 && unicode.IsUpper(first) && field != "I" && !strings.HasPrefix(field, "I'") {
				count++
			}
		}
	}
	switch {
	case count == 0:
		s.add("names", "none")
	case count > 2:
		s.add("names", "many")
	default:
		s.add("names", "some")
	}
}

// token has the counts of characters in a word between blanks.
type token struct {
	digits, letters, dots, colons, hyphens int
	camel                                  bool // a capital letter after a small one
}

func inspect(text string) token {
	var t token
	var last rune
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			t.digits++
		case unicode.IsLetter(r):
			t.letters++
			t.camel = t.camel || unicode.IsUpper(r) && unicode.IsLower(last)
		case r == '.':
			t.dots++
		case r == ':':
			t.colons++
		case r == '-':
			t.hyphens++
		}
		last = r
	}
	return t
}

// traits returns the traits of a token that apply.
func traits(text string) []string {
	var found []string
	add := func(is bool, trait string) {
		if is {
			found = append(found, trait)
		}
	}
	t := inspect(text)
	add(t.letters > 0 && t.digits == 0 && t.dots == 1, "dotted")
	add(t.camel, "camel")
	add(t.letters > 1 && strings.ToUpper(text) == text && strings.ToLower(text) != text, "capitals")
	if t.digits == 0 {
		return found
	}
	bare := t.letters == 0
	recent := strings.HasPrefix(text, "19") || strings.HasPrefix(text, "20")
	add(true, "number")
	add(bare && recent && t.digits == 4 && t.dots == 0, "year")
	add(bare && !recent && t.digits >= 3, "large number")
	add(bare && t.digits <= 2, "small number")
	add(bare && t.digits >= 3 && t.colons == 1, "clock")
	add(!bare, "mixed")
	add(t.digits > 1 && t.dots > 1 || t.dots > 0 && !bare, "version")
	add(t.digits >= 6 && t.hyphens == 2, "iso date")
	add(strings.HasSuffix(text, "st") || strings.HasSuffix(text, "th"), "ordinal")
	return found
}

// persons maps pronouns, and "user", to the feature for their person.
var persons = map[string]string{
	"i": "first", "me": "first", "my": "first", "mine": "first", "myself": "first",
	"we": "we", "us": "we", "our": "we", "ours": "we",
	"he": "third", "she": "third", "his": "third", "her": "third", "him": "third", "hers": "third",
	"they": "they", "them": "they", "their": "they", "theirs": "they",
	"it": "it", "its": "it", "user": "user", "you": "you", "your": "you",
}

// negative reports whether the words have a negation.
func negative(words []string) bool {
	for i, word := range words {
		switch word {
		case "not", "no", "never", "nobody", "nothing", "none", "neither", "nor", "without", "cannot":
			return true
		case "t":
			if i > 0 && strings.HasSuffix(words[i-1], "n") {
				return true
			}
		}
	}
	return false
}
