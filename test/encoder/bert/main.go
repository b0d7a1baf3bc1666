// Command bert compares encoders of the family of BERT, as package bert computes them,
// with what ONNX Runtime made of the same weights:
//
//	bert write DIR              puts small models with random weights into DIR/KIND
//	bert compare DIR VECTORS    compares with the vectors that bert.mjs wrote
//	bert real DIR VECTORS N     compares real models, DIR/NAME, with the vectors that
//	                            real/reference.py wrote, by floats those of every Nth text
//
// The pieces have to be the same, the cosine at least 0.999 by float32 weights, which
// take ten times as long, and 0.995 by 8 bits, of real models 0.99.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

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

// The least cosines, by floats, by 8 bits of random weights and of real ones.
const leastFloat, leastRounded, leastReal = 0.999, 0.995, 0.99

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
		return compare(args[1], args[2], slices.Sorted(maps.Keys(kinds)), bars{1, leastRounded})
	case len(args) == 4 && args[0] == "real":
		every, err := strconv.Atoi(args[3])
		if err != nil || every < 1 {
			return fmt.Errorf("%q is not how many texts there are for one by floats", args[3])
		}
		return compare(args[1], args[2], real, bars{every, leastReal})
	}
	return fmt.Errorf("usage: bert write DIR, bert compare DIR VECTORS, or bert real DIR VECTORS N")
}

// bars are what is asked of a model.
type bars struct {
	every   int     // of so many texts one is computed by floats, too
	rounded float32 // the least cosine by 8 bits
}

// reference is what ONNX Runtime made of a text.
type reference struct {
	Text     string
	Question *bool   // nil is true: else it is a memory
	Pieces   []int32 // with those around the text
	Vector   []float32
}

func (r reference) question() bool { return r.Question == nil || *r.Question }

func compare(dir, path string, names []string, b bars) error {
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
	var failed error
	for _, name := range names {
		if len(made[name]) == 0 {
			return fmt.Errorf("%s: nothing was made of any text", name)
		}
		c, err := open(name, filepath.Join(dir, name), installed)
		if err == nil {
			err = c.compare(made[name], b)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	return failed
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
	if err := hub.Copy(installed, listed(name, dir), dir); err != nil {
		return c, err
	}
	c.rounded, err = bert.Open(filepath.Join(installed, name))
	if err == nil {
		err = checkUse(name, c.settings)
	}
	return c, err
}

func (c candidate) compare(made []reference, b bars) error {
	defer c.rounded.Close()
	results, errs := make([]result, len(made)), make([]error, len(made))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) { // a text is computed on one core
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(made); i = int(next.Add(1)) - 1 {
				results[i], errs[i] = c.compareText(made[i], i%b.every == 0)
			}
		})
	}
	workers.Wait()
	least, exact, known := result{1, 1, false}, 0, 0
	for i, r := range results {
		least.exact, least.rounded = min(least.exact, r.exact), min(least.rounded, r.rounded)
		if i%b.every == 0 {
			exact++
		}
		if r.known {
			known++
		}
	}
	fmt.Printf("encoder: %s, %d texts by %s, least cosine %.5f by floats (%d of them), %.5f by 8 bits\n",
		c.name, len(made), encoder.Kernel(), least.exact, exact, least.rounded)
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if known < len(made)/2 || least.exact < leastFloat || least.rounded < b.rounded {
		return fmt.Errorf("at least %g and %g are wanted", leastFloat, b.rounded)
	}
	return nil
}

// result is the cosines of a text's vectors with that of ONNX Runtime, 1 where there
// is none.
type result struct {
	exact, rounded float32
	known          bool
}

func (c candidate) compareText(want reference, exactly bool) (result, error) {
	r := result{exact: 1, rounded: 1}
	pieces := c.pieces(want)
	if !slices.Equal(pieces, want.Pieces) {
		return r, fmt.Errorf("%q: pieces %v, want %v", want.Text, pieces, want.Pieces)
	}
	if exactly {
		vector, err := c.exact.Vector(pieces, c.settings.Pooling)
		if err != nil {
			return r, err
		}
		r.exact = encoder.Dot(vector, want.Vector)
	}
	vector, err := c.embed(want)
	if err != nil {
		return r, err
	}
	if r.known = slices.ContainsFunc(c.tokens.Pieces(want.Text, len(want.Text)), c.tokens.IsKnown); r.known {
		r.rounded = encoder.Dot(vector, want.Vector)
	} else if encoder.Dot(vector, vector) != 0 {
		return r, fmt.Errorf("%q has a vector, of which no piece is known", want.Text)
	}
	return r, nil
}

// pieces are those that the network reads first, with those around them.
func (c candidate) pieces(of reference) []int32 {
	before, after := c.tokens.Around()
	prefix := c.settings.DocumentPrefix
	if of.question() {
		prefix = c.settings.QueryPrefix
	}
	inner := c.tokens.Pieces(prefix+of.Text, c.settings.MaxPieces-len(before)-len(after))
	return slices.Concat(before, inner, after)
}

func (c candidate) embed(text reference) ([]float32, error) {
	if text.question() {
		return c.rounded.EmbedQuery(context.Background(), text.Text)
	}
	list, err := c.rounded.EmbedDocuments(context.Background(), []string{text.Text})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}
