package tokens

import (
	"strings"
	"unicode/utf8"
)

// Counter counts tokens for one model. [NewCounter] returns one. Counters are
// small and safe for concurrent use. All of the same encoding share the
// vocabulary and the cache.
type Counter struct {
	encoding *encoding
}

// NewCounter returns a counter for a model, by the name that its maker gives it
// ("gpt-4o", with or without a provider before a slash), or for an encoding
// ("cl100k_base", "o200k_base"). Any other name, and none, means cl100k_base.
// NewCounter does not load the vocabulary.
func NewCounter(model string) *Counter {
	return &Counter{encoding: encodingOf(model)}
}

// Encoding returns the name of the encoding, "cl100k_base" or "o200k_base".
func (c *Counter) Encoding() string { return c.encoding.name }

// Count returns the number of tokens of text as ordinary text: special tokens
// ("<|endoftext|>") count as the characters that they are written with. It is 0
// only for the empty text.
func (c *Counter) Count(text string) int { return c.encoding.count(text) }

// CountBatch returns the count of each text, in order.
func (c *Counter) CountBatch(texts []string) []int {
	counts := make([]int, len(texts))
	for i, text := range texts {
		counts[i] = c.Count(text)
	}
	return counts
}

// Warm loads the vocabulary, if that has not happened yet, and returns when it
// is loaded. Call it in a goroutine if the first count should not wait. The
// error says why there is no vocabulary: then all counts are estimates.
func (c *Counter) Warm() error {
	_, err := c.encoding.encoder()
	return err
}

// Estimate returns an estimate of the number of tokens of a text: one for every
// 3.5 characters, rounded up.
func Estimate(text string) int {
	return (2*utf8.RuneCountInString(text) + 6) / 7
}

// o200kModels are prefixes of the names of models that use o200k_base.
var o200kModels = []string{"gpt-4o", "chatgpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "gpt-oss", "o1", "o3", "o4"}

func encodingOf(model string) *encoding {
	name := strings.ToLower(strings.TrimSpace(model))
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.TrimPrefix(name, "ft:")
	if name == o200kBase.name {
		return o200kBase
	}
	for _, start := range o200kModels {
		rest, ok := strings.CutPrefix(name, start)
		if ok && (rest == "" || strings.ContainsRune("-.:@", rune(rest[0]))) {
			return o200kBase
		}
	}
	return cl100kBase
}
