package analysis

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Content returns the content stems of text for the word index, in order and
// with repeats: every word that is not a stop word, folded and stemmed; behind
// a name in camelCase the stems of its pieces; for a run of a script without
// spaces its pairs of characters (of one character, that one); at the end the
// stems of hyphenated words written together. Nil where nothing is left.
func Content(text string) []string {
	stems, _ := content(text, false)
	return stems
}

// ContentWords returns the content stems of text and, beside each, the word
// that it was made of, folded and in lower case.
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

// IndexText returns what is to be stored in an FTS5 index with the tokenizer
// "porter unicode61 remove_diacritics 2" in place of text: text itself, and
// below it the pieces and pairs of [Content] that the tokenizer would not
// find. Text that has none is returned as it is.
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

// Tokens returns the words of text in order as a full-text index has them: in the
// form in which inflections are equal, stop words and repeats among them. It does for a
// database without a tokenizer of its own what FTS5 does with [IndexText].
func Tokens(text string) []string {
	var tokens []string
	for run := range runs(fold(strings.ToValidUTF8(text, "\uFFFD"))) {
		tokens = append(tokens, Stem(strings.ToLower(run)))
	}
	return tokens
}

// QueryWords returns the words of a query to be looked for in an index of
// [IndexText], each once, in order, unstemmed and in lower case: words that
// are not stop words, the pieces of names, the pairs of unspaced scripts. Of a
// query of nothing but stop words it returns all words. Words hold no query
// syntax, but may hold combining marks, so they have to be quoted.
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

// distinct collects strings in order of arrival, one for each key.
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
