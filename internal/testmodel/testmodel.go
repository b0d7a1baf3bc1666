// Package testmodel makes small embedding models for tests: in the format of Model2Vec, and
// encoders. In the former, words of one group have the same vector, orthogonal to those of other
// groups, and all other pieces have none. So exactly what a test declares similar is similar.
package testmodel

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Dimensions is the length of the vectors.
const Dimensions = 16

// Groups are words that have the same meaning to the models; at most [Dimensions] groups.
var Groups = [][]string{
	{"cat", "feline", "whiskers"}, {"boat", "vessel", "ship", "schiff"}, {"physician", "doctor", "surgery"},
	{"automobile", "car", "vehicle"}, {"harbour", "port", "hafen"}, {"cash", "money", "funds"},
	{"child", "kid", "toddler"}, {"home", "house", "dwelling"},
}

// WordPiece writes a Model2Vec model with a vocabulary of BERT's kind into a directory.
func WordPiece(t testing.TB, dir string) {
	t.Helper()
	vocabulary, rows := map[string]int{"[UNK]": 0}, []int{-1}
	for group, words := range Groups {
		for _, word := range words {
			vocabulary[word] = len(rows)
			rows = append(rows, group)
		}
	}
	vocabulary["##s"] = len(rows)
	rows = append(rows, -1)
	write(t, dir, rows, map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocabulary},
	})
}

// Unigram writes a Model2Vec model with a vocabulary of SentencePiece's kind into a directory.
func Unigram(t testing.TB, dir string) {
	t.Helper()
	vocabulary, rows := [][2]any{{"<unk>", 0.0}}, []int{-1}
	for group, words := range Groups {
		for _, word := range words {
			vocabulary = append(vocabulary, [2]any{"▁" + word, -5.0})
			rows = append(rows, group)
		}
	}
	for _, piece := range []string{"▁", "s"} {
		vocabulary = append(vocabulary, [2]any{piece, -8.0})
		rows = append(rows, -1)
	}
	write(t, dir, rows, map[string]any{
		"normalizer": map[string]any{"type": "Sequence", "normalizers": []any{
			map[string]any{"type": "NFKC"}, map[string]any{"type": "Lowercase"},
			map[string]any{"type": "Replace", "pattern": map[string]any{"Regex": `[.,?!]`}, "content": " "},
		}},
		"pre_tokenizer": map[string]any{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
		"model":         map[string]any{"type": "Unigram", "unk_id": 0, "vocab": vocabulary},
	})
}

// write writes the three files of a model. rows has the axis along which each piece's vector
// points, -1 for a zero vector.
func write(t testing.TB, dir string, rows []int, rules map[string]any) {
	t.Helper()
	var values []byte
	for _, axis := range rows {
		for i := range Dimensions {
			x := float32(0)
			if i == axis {
				x = 1
			}
			values = binary.LittleEndian.AppendUint32(values, math.Float32bits(x))
		}
	}
	text, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"config.json":    []byte(`{"model_type": "model2vec", "normalize": true}`),
		"tokenizer.json": text,
		"model.safetensors": Safetensors(map[string]Tensor{
			"embeddings": {Kind: "F32", Shape: []int{len(rows), Dimensions}, Data: values},
		}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Tensor is one tensor of a file.
type Tensor struct {
	Kind  string
	Shape []int
	Data  []byte
}

// Safetensors returns the content of a safetensors file.
func Safetensors(tensors map[string]Tensor) []byte {
	header, data := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte(nil)
	for name, one := range tensors {
		header[name] = map[string]any{"dtype": one.Kind, "shape": one.Shape, "data_offsets": []int{len(data), len(data) + len(one.Data)}}
		data = append(data, one.Data...)
	}
	text, err := json.Marshal(header)
	if err != nil {
		panic(fmt.Sprint("a header that is not JSON: ", err))
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(file, text...), data...)
}
