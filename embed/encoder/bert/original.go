package bert

import (
	"os"
	"path/filepath"
	"strings"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/plainfile"
)

// Original is a model.safetensors as a [Source], with its weights as they are.
type Original struct {
	file    *os.File
	tensors map[string]modelfile.Tensor
	before  string // the prefix of all names, such as "bert."
}

var _ Source = (*Original)(nil)

// firstTensor is the tensor from whose full name the prefix of all names is read.
const firstTensor = "embeddings.word_embeddings.weight"

const placesTensor = "embeddings.position_embeddings.weight"

// OpenOriginal reads the header of the model.safetensors in a directory.
// [memory.CodeInvalidArgument] if there is none, or it is damaged or of another kind.
func OpenOriginal(dir string) (*Original, error) {
	file, err := plainfile.Open(filepath.Join(dir, modelfile.TableFile))
	if err != nil {
		return nil, modelfile.Broken(modelfile.TableFile, "it cannot be read").WithCause(err)
	}
	o := &Original{file: file}
	if o.tensors, err = readTensors(file); err != nil {
		file.Close()
		return nil, err
	}
	for name := range o.tensors {
		if before, ok := strings.CutSuffix(name, firstTensor); ok {
			o.before = before
			return o, nil
		}
	}
	file.Close()
	return nil, modelfile.Broken(modelfile.TableFile, "it has no tensor called %q", firstTensor)
}

func readTensors(file *os.File) (map[string]modelfile.Tensor, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, modelfile.Broken(modelfile.TableFile, "it cannot be read").WithCause(err)
	}
	return modelfile.ReadTensors(file, info.Size())
}

// Close closes the file.
func (o *Original) Close() error { return o.file.Close() }

// Cut limits a network that has more than n positions to the first n.
func (o *Original) Cut(c Config, n int) Config {
	name := o.before + placesTensor
	if t, ok := o.tensors[name]; ok && len(t.Shape) == 2 && int64(n) < t.Shape[0] {
		t.Shape = []int64{int64(n), t.Shape[1]}
		o.tensors[name], c.Places = t, n
	}
	return c
}

// names returns the names of the tensors that make up the one that a network asks for.
func names(name string) []string {
	at, kind, _ := strings.Cut(name, "attention.self.")
	if kind != "weight" && kind != "bias" {
		return []string{name}
	}
	at += "attention.self."
	return []string{at + "query." + kind, at + "key." + kind, at + "value." + kind}
}

// oldNames maps the names of a norm's tensors to those in some older files.
var oldNames = strings.NewReplacer("LayerNorm.weight", "LayerNorm.gamma", "LayerNorm.bias", "LayerNorm.beta")

// find returns a tensor that has n values.
func (o *Original) find(name string, n int) (modelfile.Tensor, error) {
	t, ok := o.tensors[o.before+name]
	if !ok {
		if t, ok = o.tensors[o.before+oldNames.Replace(name)]; !ok {
			return t, modelfile.Broken(modelfile.TableFile, "it has no tensor called %q", o.before+name)
		}
	}
	if !t.IsNumbers() {
		return t, modelfile.Broken(modelfile.TableFile, "%q is of the kind %s", o.before+name, t.Kind).
			WithHint("F32, F16 and BF16 are understood")
	}
	have := int64(1)
	for _, m := range t.Shape {
		have *= m
	}
	if have != int64(n) {
		return t, modelfile.Broken(modelfile.TableFile, "%q has the shape %v, not the %d values of %s", o.before+name, t.Shape, n,
			modelfile.ConfigFile)
	}
	return t, nil
}

// rows returns a function that reads one row of a matrix into row.
func (o *Original) rows(name string, rows, columns int) (read func(r int, row []float32) error, err error) {
	parts := names(name)
	each := rows / len(parts)
	tensors := make([]modelfile.Tensor, len(parts))
	for i, part := range parts {
		if tensors[i], err = o.find(part, each*columns); err != nil {
			return nil, err
		}
		if shape := tensors[i].Shape; len(shape) != 2 || shape[1] != int64(columns) {
			return nil, modelfile.Broken(modelfile.TableFile, "%q has the shape %v, not rows of %d values", o.before+part, shape, columns)
		}
	}
	var buffer []byte
	return func(r int, row []float32) (err error) {
		buffer, err = tensors[r/each].Values(row, int64(r%each)*int64(columns), buffer)
		return err
	}, nil
}

func finite(values []float32) bool {
	for _, x := range values {
		if x-x != 0 {
			return false
		}
	}
	return true
}

// table is a [Rows] with all values in memory.
type table struct {
	values  []float32
	columns int
}

// Row implements [Rows].
func (t table) Row(r int, out []float32) error {
	copy(out, t.values[r*t.columns:][:t.columns])
	return nil
}

func (o *Original) values(name string, rows, columns int) ([]float32, error) {
	read, err := o.rows(name, rows, columns)
	if err != nil {
		return nil, err
	}
	values := make([]float32, rows*columns)
	for r := range rows {
		if err := read(r, values[r*columns:][:columns]); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Rows implements [Source].
func (o *Original) Rows(name string, rows, columns int) (Rows, error) {
	values, err := o.values(name, rows, columns)
	return table{values, columns}, err
}

// Matrix implements [Source].
func (o *Original) Matrix(name string, rows, columns int) (encoder.Matrix, error) {
	values, err := o.values(name, rows, columns)
	return encoder.NewMatrixFloat(values, columns), err
}

// Floats implements [Source].
func (o *Original) Floats(name string, n int) ([]float32, error) {
	var all []float32
	parts := names(name)
	for _, part := range parts {
		t, err := o.find(part, n/len(parts))
		if err != nil {
			return nil, err
		}
		values := make([]float32, n/len(parts))
		if _, err := t.Values(values, 0, nil); err != nil {
			return nil, err
		}
		all = append(all, values...)
	}
	return all, nil
}
