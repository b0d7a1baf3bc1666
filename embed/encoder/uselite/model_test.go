package uselite

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"mcp-memory/embed/encoder"
)

func read(t *testing.T) (*Network, *Tokenizer) {
	t.Helper()
	if !Available() {
		t.Skip("built without the weights")
	}
	n, tokenizer, err := Read(weights())
	if err != nil {
		t.Fatal(err)
	}
	return n, tokenizer
}

// What the original gave for some texts; test/encoder compares many more.
func TestAsTheOriginal(t *testing.T) {
	network, tokenizer := read(t)
	b, err := os.ReadFile("testdata/original.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts []struct {
		Text   string
		Pieces []int32
		Vector []float32
	}
	if err := json.Unmarshal(b, &texts); err != nil {
		t.Fatal(err)
	}
	for _, want := range texts {
		pieces := tokenizer.Cut(want.Text)
		if !slices.Equal(pieces, want.Pieces) {
			t.Errorf("%q: pieces %v, want %v", want.Text, pieces, want.Pieces)
		}
		if cosine := encoder.Dot(network.Vector(pieces), want.Vector); cosine < 0.999 {
			t.Errorf("%q: the cosine with the original is %.5f", want.Text, cosine)
		}
	}
	if len(texts) < 5 {
		t.Errorf("only %d texts", len(texts))
	}
}

// Texts are computed in memory that others were computed in before: nothing of them is left in a vector.
func TestNothingIsLeftOfOtherTexts(t *testing.T) {
	network, _ := read(t)
	text := func(length int) []int32 {
		pieces := make([]int32, length)
		for i := range pieces {
			pieces[i] = int32(100 + 37*i%1000)
		}
		return pieces
	}
	lengths := []int{1, 15, kept, kept + 1, 3, MaxPieces}
	fresh := map[int][]float32{}
	for _, n := range lengths {
		spare.Store(nil)
		fresh[n] = network.Vector(text(n))
	}
	for range 2 {
		for _, n := range lengths {
			if !slices.Equal(network.Vector(text(n)), fresh[n]) {
				t.Errorf("the vector of %d pieces is another one after other texts", n)
			}
		}
	}
}

// A fingerprint stands for one file: other weights need another name.
func TestFileIsWhole(t *testing.T) {
	read(t)
	if err := encoder.CheckPack(weights()); err != nil {
		t.Error(err)
	}
	if sum := encoder.PackSum(weights()); sum != modelSum {
		t.Errorf("the file has the checksum %08x, and %s is of %08x: another file needs another name", sum, model, modelSum)
	}
	if size := len(weights()); size > 8<<20 {
		t.Errorf("the file has %d bytes, more than 8 MB", size)
	}
}

func TestDamagedFiles(t *testing.T) {
	read(t)
	whole := weights()
	cut := func(n int) []byte { return slices.Clone(whole[:n]) }
	changed := func(at int, b byte) []byte {
		damaged := slices.Clone(whole)
		damaged[at] = b
		return damaged
	}
	for name, file := range map[string][]byte{
		"nothing": nil, "a magic alone": cut(4), "half a header": cut(500), "half of it": cut(len(whole) / 2), "all but the end": cut(len(whole) - 1),
		"another magic": changed(0, 'X'), "another version": changed(4, 2), "a longer header": changed(15, 0x7f), "no JSON": changed(16, 'X'),
	} {
		if _, _, err := Read(file); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, _, err := Read(whole); err != nil {
		t.Error(err)
	}
	if err := encoder.CheckPack(changed(len(whole)-1, whole[len(whole)-1]^1)); err == nil {
		t.Error("a changed byte is not seen")
	}
}

func BenchmarkQuestion(b *testing.B) {
	if !Available() {
		b.Skip("built without the weights")
	}
	network, tokenizer, err := Read(weights())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		network.Vector(tokenizer.Cut("What is the name of the restaurant that my sister recommended to us last summer?")) // 15 words
	}
}
