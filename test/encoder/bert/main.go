// Command bert compares encoders of the family of BERT, as package bert computes them,
// with what ONNX Runtime made of the same weights:
//
//	bert write DIR              puts small models with random weights into DIR/KIND
//	bert compare DIR VECTORS    compares with the vectors that bert.mjs wrote
//
// The pieces have to be the same, the cosine at least 0.999 by float32 weights and
// 0.995 by 8 bits.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/encoder/bert"
	"mcp-memory/embed/hub"
	"mcp-memory/embed/modelfile"
	"mcp-memory/embed/tokenizer"
	"mcp-memory/internal/testmodel"
)

// kinds are the models by the names of their folders.
var kinds = map[string]testmodel.Encoder{
	"wordpiece-mean":        {},
	"wordpiece-cls-tanh":    {First: true, Activation: "gelu_new"},
	"unigram-mean-prefixes": {Unigram: true, Prefixes: true},
	"roberta-cls":           {Unigram: true, RoBERTa: true, First: true},
	"unigram-relu-bf16":     {Unigram: true, Activation: "relu", Kind: "BF16"},
}

const leastFloat, leastRounded = 0.999, 0.995

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bert:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "write":
		for name, kind := range kinds {
			if err := kind.Write(filepath.Join(args[1], name)); err != nil {
				return err
			}
		}
		return nil
	case len(args) == 3 && args[0] == "compare":
		return compare(args[1], args[2])
	}
	return fmt.Errorf("usage: bert write DIR, or bert compare DIR VECTORS")
}

// reference is what ONNX Runtime made of a text.
type reference struct {
	Text   string
	Pieces []int32 // with those around the text
	Vector []float32
}

func compare(dir, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var made map[string][]reference
	if err := json.Unmarshal(text, &made); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	installed, err := os.MkdirTemp("", "bert")
	if err != nil {
		return err
	}
	defer os.RemoveAll(installed)
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if len(made[name]) == 0 {
			return fmt.Errorf("%s: nothing was made of any text", name)
		}
		c, err := open(name, filepath.Join(dir, name), installed)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := c.compare(made[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// candidate is a model as it is computed here, twice.
type candidate struct {
	name     string
	exact    *bert.Network
	rounded  *bert.Model
	tokens   *tokenizer.Tokenizer
	settings modelfile.Encoder
}

func open(name, dir, installed string) (c candidate, err error) {
	c.name = name
	config, err := bert.ReadConfig(dir)
	if err != nil {
		return c, err
	}
	weights, err := bert.OpenOriginal(dir)
	if err != nil {
		return c, err
	}
	defer weights.Close()
	if c.exact, err = bert.Load(config, weights); err != nil {
		return c, err
	}
	if c.tokens, err = tokenizer.Open(dir); err != nil {
		return c, err
	}
	if c.settings, err = bert.ReadSettings(dir, name); err != nil {
		return c, err
	}
	if err := hub.Copy(installed, hub.Model{Manifest: modelfile.Manifest{Name: name}}, dir); err != nil {
		return c, err
	}
	c.rounded, err = bert.Open(filepath.Join(installed, name))
	return c, err
}

func (c candidate) compare(made []reference) error {
	defer c.rounded.Close()
	before, after := c.tokens.Around()
	worstExact, worstRounded, known := float32(1), float32(1), 0
	for _, want := range made {
		pieces := c.tokens.Pieces(c.settings.QueryPrefix+want.Text, c.settings.MaxPieces-len(before)-len(after))
		if pieces = slices.Concat(before, pieces, after); !slices.Equal(pieces, want.Pieces) {
			return fmt.Errorf("%q: pieces %v, want %v", want.Text, pieces, want.Pieces)
		}
		exact, err := c.exact.Vector(pieces, c.settings.Pooling)
		if err != nil {
			return err
		}
		rounded, err := c.rounded.EmbedQuery(context.Background(), want.Text)
		if err != nil {
			return err
		}
		worstExact = min(worstExact, encoder.Dot(exact, want.Vector))
		if slices.ContainsFunc(c.tokens.Pieces(want.Text, len(want.Text)), c.tokens.IsKnown) {
			worstRounded = min(worstRounded, encoder.Dot(rounded, want.Vector))
			known++
		} else if encoder.Dot(rounded, rounded) != 0 {
			return fmt.Errorf("%q has a vector, of which no piece is known", want.Text)
		}
	}
	fmt.Printf("encoder: %s, %d texts by %s, least cosine %.5f by floats, %.5f by 8 bits\n", c.name, len(made), encoder.Kernel(), worstExact, worstRounded)
	if known < len(made)/2 || worstExact < leastFloat || worstRounded < leastRounded {
		return fmt.Errorf("at least %g and %g are wanted", leastFloat, leastRounded)
	}
	return nil
}
