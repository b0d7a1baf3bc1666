package tokens

import (
	"crypto/sha256"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/pkoukk/tiktoken-go"
)

// cacheBytes bounds the memory of one encoding's cache. All entries have the
// same size, because their keys are hashes, so it bounds their number.
const (
	cacheBytes   = 1 << 20
	entryBytes   = 140 // measured, see BenchmarkCacheEntry
	cacheEntries = cacheBytes / entryBytes
)

// key is the key of a text in the cache: the first half of its SHA-256. That is
// enough so that nobody can make two texts with the same key.
type key [sha256.Size / 2]byte

// encoding is a vocabulary with its pattern for splitting text, and a cache of
// recent counts. There are two, which all counters share, because a vocabulary
// is large.
type encoding struct {
	name    string
	encoder func() (*tiktoken.Tiktoken, error)
	cache   func() *lru.Cache[key, int]
}

// The patterns are those that OpenAI's tiktoken publishes for the encodings.
const (
	cl100kPattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}` +
		`| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	o200kPattern = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

var (
	loadCL100K = loadFrom("cl100k_base.bpe", 100256, cl100kPattern)
	loadO200K  = loadFrom("o200k_base.bpe", 199998, o200kPattern)
	cl100kBase = newEncoding("cl100k_base", loadCL100K)
	o200kBase  = newEncoding("o200k_base", loadO200K)
)

func newEncoding(name string, load func() (*tiktoken.Tiktoken, error)) *encoding {
	return &encoding{
		name:    name,
		encoder: sync.OnceValues(load),
		cache: sync.OnceValue(func() *lru.Cache[key, int] {
			cache, err := lru.New[key, int](cacheEntries)
			if err != nil {
				panic(err) // the size is a positive constant
			}
			return cache
		}),
	}
}

func (e *encoding) count(text string) int {
	if text == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(text))
	k := key(sum[:len(key{})])
	if n, ok := e.cache().Get(k); ok {
		return n
	}
	n := e.countUncached(text)
	e.cache().Add(k, n)
	return n
}

func (e *encoding) countUncached(text string) int {
	encoder, err := e.encoder()
	if err != nil {
		return Estimate(text) // [Counter.Warm] returns why
	}
	n := 0
	known := map[string]int{} // long texts repeat words
	for piece := range pieces(text) {
		tokens, ok := known[piece]
		if !ok {
			if tokens = len(encoder.EncodeOrdinary(piece)); len(known) < knownPieces {
				known[piece] = tokens
			}
		}
		n += tokens
	}
	return n
}

// knownPieces bounds how many pieces one count remembers.
const knownPieces = 1 << 14
