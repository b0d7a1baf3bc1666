package tokens

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/pkoukk/tiktoken-go"
	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// loadFrom returns a function that makes an encoder of one of the embedded
// vocabularies, which has size tokens.
//
// The library's own way to the same encoder takes ten times as long and twice
// the memory: it copies the file three times, gives each token an allocation
// of its own, and makes a decoder and a sorted list of all tokens that
// counting never reads. It makes them of the map that it is given and keeps
// that map, so here the map is filled only afterwards.
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
		// "hello" is one token if the core uses the map, and five if it does not.
		if len(encoder.EncodeOrdinary("hello")) != 1 {
			return nil, errors.New("the tokenizer does not see its vocabulary")
		}
		return encoder, nil
	}
}

// readRanks fills ranks from lines of a token in base64, a blank and its rank,
// which is also the line's number, from 0. The tokens become parts of one
// string.
func readRanks(file string, ranks map[string]int, size int) error {
	f, err := assets.Assets.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	blob := make([]byte, 0, 8*size)
	ends := make([]int, 0, size)
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		token, _, ok := bytes.Cut(lines.Bytes(), []byte{' '})
		if !ok {
			continue // the empty line at the end
		}
		if blob, err = base64.StdEncoding.AppendDecode(blob, token); err != nil {
			return err
		}
		ends = append(ends, len(blob))
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if len(ends) != size {
		return fmt.Errorf("%d tokens, not %d", len(ends), size)
	}
	start, all := 0, string(blob)
	for rank, end := range ends {
		ranks[all[start:end]] = rank
		start = end
	}
	return nil
}
