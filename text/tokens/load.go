package tokens

import (
	"embed"
	"errors"
	"fmt"

	"github.com/pkoukk/tiktoken-go"
)

// vocabularies has the vocabularies of OpenAI's tiktoken (see NOTICE). The
// files are a third as long as tiktoken's. A file has each token in the order
// of rank: one byte with its length, then its bytes.
//
//go:generate go run mcp-memory/text/tokens/generate .
//go:embed *.bpe
var vocabularies embed.FS

//go:embed NOTICE
var notice string

// Notice returns the licence of the vocabularies, for showing to people.
func Notice() string { return notice }

// loadFrom returns a function that makes an encoder from an embedded vocabulary
// of size tokens.
//
// The library's own way to this encoder takes ten times as long and twice the
// memory. It copies the file three times, allocates each token, and makes a
// decoder and a sorted list of all tokens, which counting never reads. It makes
// both from the map that it is given, and then keeps that map. So here the map
// is filled only afterwards.
func loadFrom(file string, size int, pattern string) func() (*tiktoken.Tiktoken, error) {
	return func() (*tiktoken.Tiktoken, error) {
		ranks := make(map[string]int, size)
		core, err := tiktoken.NewCoreBPE(ranks, nil, pattern)
		if err != nil {
			return nil, fmt.Errorf("compile the pattern of %s: %w", file, err)
		}
		if err := readRanks(file, ranks, size); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		encoder := tiktoken.NewTiktoken(core, nil, nil)
		// Check that the core uses the map: "hello" is then one token, else
		// five.
		if len(encoder.EncodeOrdinary("hello")) != 1 {
			return nil, errors.New("the tokenizer does not see its vocabulary")
		}
		return encoder, nil
	}
}

// readRanks fills ranks from a vocabulary. All tokens are substrings of one
// string.
func readRanks(name string, ranks map[string]int, size int) error {
	file, err := vocabularies.ReadFile(name)
	if err != nil {
		return err
	}
	all, rank := string(file), 0
	for len(all) > 0 {
		end := 1 + int(all[0])
		if end > len(all) {
			return fmt.Errorf("token %d ends beyond the file", rank)
		}
		ranks[all[1:end]] = rank
		all = all[end:]
		rank++
	}
	if rank != size {
		return fmt.Errorf("%d tokens, not %d", rank, size)
	}
	return nil
}
