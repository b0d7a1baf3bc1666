package secrets

import (
	"strings"
	"unicode"

	"mcp-memory/text/lazyregexp"
)

// Limits for a token that no word announces: it is long and has small and
// capital letters and digits in an order that words and numbers do not have.
const (
	minToken, maxToken = 28, 200
	tokenTurns         = 6
	tokenEntropy       = 4.0
)

// noToken matches text before a word that looks like a token but is public, or
// is the id of something.
var noToken = lazyregexp.New(`(?i)(?:public|pub\s?key|ssh-|sha\d|md5|hash|digest|integrity|checksum|fingerprint|commit|etag|nonce|cache|trace|\bids?\b|uuid|example|placeholder|png|gif|jpeg|image|picture|base64|://|[\w)]/)[^\n]{0,60}$`)

// hasToken reports whether a text has a word that looks like a token.
func hasToken(text string) bool {
	if len(text) < minToken {
		return false
	}
	for begin := 0; begin < len(text); {
		word := text[begin:]
		for end := range len(word) {
			if !inToken(word[end]) {
				word = word[:end]
				break
			}
		}
		if len(word) >= minToken && len(word) <= maxToken && looksLikeToken(word) && !noToken().MatchString(text[max(0, begin-80):begin]) {
			return true
		}
		begin += max(1, len(word))
	}
	return false
}

// inToken reports whether a byte is a character of tokens, which are ASCII.
func inToken(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-' || c == '.' || c == '/' || c == '+'
}

func looksLikeToken(word string) bool {
	small := strings.ContainsFunc(word, unicode.IsLower)
	capital := strings.ContainsFunc(word, unicode.IsUpper)
	return small && capital && !strings.ContainsAny(word, "/+") && turns(word) >= tokenTurns && entropy(word) >= tokenEntropy
}
