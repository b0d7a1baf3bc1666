package analysis

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Content returns the content stems of text for the word index, in order and
// with repeats. They are the stems of:
//   - every word that is not a stop word, folded,
//   - after a name in camelCase its pieces,
//   - instead of a run of a script without spaces its pairs of characters (or
//     its only character),
//   - at the end, hyphenated words written together.
//
// Nil if there are none.
func Content(text string) []string {
	stems, _ := content(text, false)
	return stems
}

// ContentWords returns the content stems of text and, for each, the word from
// which it was made, folded and in lower case.
func ContentWords(text string) (stems, words []string) { return content(text, true) }

func content(text string, keep bool) (stems, words []string) {
	var scratch []string
	add := func(word string) {
		stems = appendSized(stems, Stem(word), len(text))
		if keep {
			words = append(words, word)
		}
	}
	text = fold(text)
	for run, unspaced := range runs(text) {
		if unspaced {
			known := len(stems)
			stems = appendPairs(stems, run)
			if keep {
				words = append(words, stems[known:]...)
			}
			continue
		}
		if word := strings.ToLower(run); !IsStop(word) {
			add(word)
		}
		scratch = appendPieces(scratch[:0], run)
		for _, piece := range scratch {
			add(piece)
		}
	}
	for _, word := range joined(text) {
		add(word)
	}
	return stems, words
}

// IndexText returns what to store for text in an FTS5 index with the tokenizer
// "porter unicode61 remove_diacritics 2": text itself and below it those
// pieces, pairs and joined words of [Content] that the tokenizer would not
// find. The text is in NFKC form and valid UTF-8; otherwise it is unchanged.
func IndexText(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if !isASCII(text) {
		text = norm.NFKC.String(text)
	}
	folded := fold(text)
	extra := joined(folded)
	for run, unspaced := range runs(folded) {
		if unspaced {
			extra = appendPairs(extra, run)
		} else {
			extra = appendPieces(extra, run)
		}
	}
	if len(extra) == 0 {
		return text
	}
	return text + "\n" + strings.Join(extra, " ")
}

// Tokens returns the words of text as a full-text index stores them, in order:
// stemmed, with stop words and repeats. It is for a database without a
// tokenizer of its own, and does what FTS5 does with [IndexText].
func Tokens(text string) []string {
	var tokens []string
	for run := range runs(fold(strings.ToValidUTF8(text, "\uFFFD"))) {
		tokens = append(tokens, Stem(strings.ToLower(run)))
	}
	return tokens
}

// QueryWords returns the words of a query that are to be searched for in an
// index of [IndexText], each once, in order, unstemmed and in lower case: words
// that are not stop words, the pieces of names, the pairs of unspaced scripts,
// hyphenated words written together. For a query that has only stop words it
// returns these. The words have no query syntax, but they may have combining
// marks, so they must be quoted.
func QueryWords(text string) []string {
	var informative, all distinct
	var scratch []string
	text = fold(text)
	for run, unspaced := range runs(text) {
		scratch = scratch[:0]
		if unspaced {
			scratch = appendPairs(scratch, run)
		} else {
			word := strings.ToLower(run)
			all.add(word, word)
			scratch = appendPieces(appendInformative(scratch, word), run)
		}
		for _, word := range scratch {
			informative.add(word, word)
		}
	}
	for _, word := range joined(text) {
		informative.add(word, word)
	}
	if len(informative.items) == 0 {
		return all.items
	}
	return informative.items
}

// distinct collects strings in order, one for each key.
type distinct struct {
	items []string
	keys  map[string]struct{}
}

func (d *distinct) add(item, key string) {
	if _, known := d.keys[key]; known {
		return
	}
	if d.keys == nil {
		d.keys = make(map[string]struct{})
	}
	d.keys[key] = struct{}{}
	d.items = append(d.items, item)
}
