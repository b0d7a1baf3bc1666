package tokens

import (
	"strings"
	"unicode/utf8"
)

// Counter counts tokens for one model. Get one from [NewCounter]; counters
// are small, safe for concurrent use, and share vocabulary and cache with all
// others of the same encoding.
type Counter struct {
	encoding *encoding
}

// NewCounter returns a counter for a model, named as its maker names it
// ("gpt-4o", with or without a provider before a slash), or for an encoding
// ("cl100k_base", "o200k_base"). Any other name, and none, means cl100k_base.
// It loads nothing.
func NewCounter(model string) *Counter {
	return &Counter{encoding: encodingOf(model)}
}

// Encoding returns the name of the encoding, "cl100k_base" or "o200k_base".
func (c *Counter) Encoding() string { return c.encoding.name }

// Count returns the number of tokens of text as ordinary text: what looks
// like a special token ("<|endoftext|>") is counted as the characters it is.
// It is 0 exactly for the empty text.
func (c *Counter) Count(text string) int { return c.encoding.count(text) }

// CountBatch returns the count of each text, in order.
func (c *Counter) CountBatch(texts []string) []int {
	counts := make([]int, len(texts))
	for i, text := range texts {
		counts[i] = c.Count(text)
	}
	return counts
}

// Warm loads the vocabulary unless it is there, and returns when it is. Start
// it in a goroutine where the first count should not wait. An error says why
// there is no vocabulary; all counts are estimates then.
func (c *Counter) Warm() error {
	_, err := c.encoding.encoder()
	return err
}

// Estimate returns what a text takes in tokens as a rule of thumb: one for
// every 3.5 characters, rounded up.
func Estimate(text string) int {
	return (2*utf8.RuneCountInString(text) + 6) / 7
}

// o200kModels are the starts of the names of models that use o200k_base.
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
