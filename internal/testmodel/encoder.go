package testmodel

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Encoder makes a small sentence encoder of BERT's family with random weights. The words of one of
// [Groups] have the same embedding, so texts that differ only in them have the same vector.
type Encoder struct {
	Unigram    bool   // vocabulary of SentencePiece's kind, else of BERT's
	RoBERTa    bool   // positions begin behind that of padding
	First      bool   // the vector of the first piece is the text's, else the mean
	Activation string // "gelu" for ""
	Prefixes   bool   // write the prefixes "query: " and "passage: " into the settings
	MaxPieces  int    // 64 for 0
	Kind       string // of the weights: F32 for "", or BF16
}

// EncoderDimensions is the length of an encoder's vectors.
const EncoderDimensions = 64

const (
	encoderLayers = 3
	encoderHeads  = 4
	encoderInner  = 128
	encoderPlaces = 80
)

// WriteTo is Write for tests: it fails the test on an error.
func (e Encoder) WriteTo(t testing.TB, dir string) {
	t.Helper()
	if err := e.Write(dir); err != nil {
		t.Fatal(err)
	}
}

// Write writes the model's files into a directory. The weights are the same every time, but not
// their order in the file.
func (e Encoder) Write(dir string) error {
	pieces, groups := e.pieces()
	rules, config := e.rules(pieces), e.config(len(pieces))
	files := map[string]any{
		"config.json": config, "tokenizer.json": rules,
		"tokenizer_config.json": map[string]any{"tokenizer_class": map[bool]string{true: "XLMRobertaTokenizer",
			false: "BertTokenizer"}[e.Unigram]},
		"modules.json": []map[string]any{
			{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
			{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
			{"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
		},
		"1_Pooling/config.json": map[string]any{
			"word_embedding_dimension": EncoderDimensions, "pooling_mode_cls_token": e.First,
			"pooling_mode_mean_tokens": !e.First, "pooling_mode_max_tokens": false,
		},
		"sentence_bert_config.json": map[string]any{"max_seq_length": e.maxPieces(), "do_lower_case": false},
	}
	if e.Prefixes {
		files["config_sentence_transformers.json"] = map[string]any{"prompts": map[string]string{"query": "query: ",
			"passage": "passage: "}}
	}
	for name, content := range files {
		text, err := json.MarshalIndent(content, "", " ")
		if err != nil {
			return err
		}
		if err := writeFile(dir, name, text); err != nil {
			return err
		}
	}
	return writeFile(dir, "model.safetensors", e.weights(groups))
}

func writeFile(dir, name string, text []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

func (e Encoder) maxPieces() int {
	if e.MaxPieces == 0 {
		return 64
	}
	return e.MaxPieces
}

// pieces returns the vocabulary and the index of each piece's group, -1 for none.
func (e Encoder) pieces() (pieces []string, groups []int) {
	special, begin, next := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}, "", "##"
	if e.Unigram {
		special, begin, next = []string{"<s>", "<pad>", "</s>", "<unk>"}, "▁", ""
	}
	add := func(group int, list ...string) {
		for _, piece := range list {
			pieces, groups = append(pieces, piece), append(groups, group)
		}
	}
	add(-1, special...)
	for group, words := range Groups {
		for _, word := range words {
			add(group, begin+word)
		}
	}
	for _, word := range strings.Fields("the a of is in at my sister works lies anchor query passage where does sleep ing s ed") {
		add(-1, begin+word, next+"x"+word)
	}
	for _, letter := range "abcdefghijklmnopqrstuvwxyz0123456789éüß" {
		add(-1, begin+string(letter), next+string(letter))
	}
	for _, mark := range ".,?!:;-()'" {
		add(-1, string(mark))
	}
	if e.Unigram {
		add(-1, "▁")
	}
	return pieces, groups
}

func (e Encoder) rules(pieces []string) map[string]any {
	around := func(first, last string, firstID, lastID int) map[string]any {
		part := func(id string) map[string]any {
			return map[string]any{"SpecialToken": map[string]any{"id": id, "type_id": 0}}
		}
		text := map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}
		token := func(id string, number int) map[string]any {
			return map[string]any{"id": id, "ids": []int{number}, "tokens": []string{id}}
		}
		return map[string]any{
			"type": "TemplateProcessing", "single": []any{part(first), text, part(last)}, "pair": []any{part(first), text, part(last)},
			"special_tokens": map[string]any{first: token(first, firstID), last: token(last, lastID)},
		}
	}
	rules := map[string]any{"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": []any{}, "decoder": nil}
	if e.Unigram {
		var vocabulary [][2]any
		for i, piece := range pieces {
			vocabulary = append(vocabulary, [2]any{piece, -float64(4 + i%7 - 3*min(len(piece), 9)/4)})
		}
		rules["normalizer"] = map[string]any{"type": "Sequence",
			"normalizers": []any{map[string]any{"type": "NFKC"}, map[string]any{"type": "Lowercase"}}}
		rules["pre_tokenizer"] = map[string]any{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}
		rules["post_processor"] = around("<s>", "</s>", 0, 2)
		rules["model"] = map[string]any{"type": "Unigram", "unk_id": 3, "vocab": vocabulary}
		return rules
	}
	vocabulary := map[string]int{}
	for i, piece := range pieces {
		vocabulary[piece] = i
	}
	rules["normalizer"] = map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": false,
		"lowercase": true}
	rules["pre_tokenizer"] = map[string]any{"type": "BertPreTokenizer"}
	rules["post_processor"] = around("[CLS]", "[SEP]", 2, 3)
	rules["model"] = map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
		"max_input_chars_per_word": 100, "vocab": vocabulary}
	return rules
}

func (e Encoder) config(pieces int) map[string]any {
	activation, architecture, padding := e.Activation, "bert", 0
	if activation == "" {
		activation = "gelu"
	}
	if e.RoBERTa {
		architecture, padding = "xlm-roberta", 1
	}
	return map[string]any{
		"model_type": architecture, "vocab_size": pieces, "hidden_size": EncoderDimensions, "num_hidden_layers": encoderLayers,
		"num_attention_heads": encoderHeads, "intermediate_size": encoderInner, "max_position_embeddings": encoderPlaces,
		"type_vocab_size": 2, "hidden_act": activation, "layer_norm_eps": 1e-12,
		"pad_token_id": padding, "position_embedding_type": "absolute",
	}
}

// weights returns the content of model.safetensors.
func (e Encoder) weights(groups []int) []byte {
	random := rand.New(rand.NewPCG(18, 3))
	tensors := map[string]Tensor{}
	add := func(name string, values []float32, shape ...int) {
		tensors[name] = e.tensor(values, shape)
	}
	normal := func(n int, mean, spread float64) []float32 {
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(mean + spread*random.NormFloat64())
		}
		return values
	}
	norm := func(name string) {
		add(name+".weight", normal(EncoderDimensions, 1, 0.2), EncoderDimensions)
		add(name+".bias", normal(EncoderDimensions, 0, 0.1), EncoderDimensions)
	}
	linear := func(name string, rows, columns int) {
		add(name+".weight", normal(rows*columns, 0, 1.5/math.Sqrt(float64(columns))), rows, columns)
		add(name+".bias", normal(rows, 0, 0.1), rows)
	}
	words, first := normal(len(groups)*EncoderDimensions, 0, 1), map[int]int{}
	for i, group := range groups {
		if at, ok := first[group]; ok && group >= 0 {
			copy(words[i*EncoderDimensions:], words[at*EncoderDimensions:][:EncoderDimensions])
		} else {
			first[group] = i
		}
	}
	add("embeddings.word_embeddings.weight", words, len(groups), EncoderDimensions)
	add("embeddings.position_embeddings.weight", normal(encoderPlaces*EncoderDimensions, 0, 0.3), encoderPlaces, EncoderDimensions)
	add("embeddings.token_type_embeddings.weight", normal(2*EncoderDimensions, 0, 0.3), 2, EncoderDimensions)
	norm("embeddings.LayerNorm")
	for i := range encoderLayers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range []string{"self.query", "self.key", "self.value", "output.dense"} {
			linear(at+"attention."+part, EncoderDimensions, EncoderDimensions)
		}
		norm(at + "attention.output.LayerNorm")
		linear(at+"intermediate.dense", encoderInner, EncoderDimensions)
		linear(at+"output.dense", EncoderDimensions, encoderInner)
		norm(at + "output.LayerNorm")
	}
	return Safetensors(tensors)
}

func (e Encoder) tensor(values []float32, shape []int) Tensor {
	kind := "F32"
	if e.Kind != "" {
		kind = e.Kind
	}
	var data []byte
	for _, x := range values {
		if bits := math.Float32bits(x); kind == "BF16" {
			data = binary.LittleEndian.AppendUint16(data, uint16(bits>>16))
		} else {
			data = binary.LittleEndian.AppendUint32(data, bits)
		}
	}
	return Tensor{Kind: kind, Shape: shape, Data: data}
}
