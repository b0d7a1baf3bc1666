package hub

import (
	"encoding/json"
	"path/filepath"

	"mcp-memory/embed/encoder/bert"
	"mcp-memory/embed/model2vec"
	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// Open returns the model of any kind in a directory as an embedder. It reads only the manifest and
// the sizes of the files. Errors are [memory.CodeNotFound] if there is no model and
// [memory.CodeInvalidArgument] if a file is missing or cut off.
func Open(dir string) (memory.Embedder, error) {
	m, err := modelfile.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if m.Encoder != nil {
		return bert.Open(dir)
	}
	return model2vec.Open(dir)
}

// Inspect makes sure that the model in a directory can embed a text, and returns its manifest,
// completed with the length of the vectors and, for an encoder, Unrelated.
// [memory.CodeInvalidArgument] says what is wrong with which file.
func Inspect(dir string, m modelfile.Manifest) (modelfile.Manifest, error) {
	if m.Encoder != nil {
		return bert.Prepare(dir, m)
	}
	dimensions, err := model2vec.Inspect(dir)
	if memory.CodeOf(err) == memory.CodeInvalidArgument {
		if kind := architecture(dir); kind != "" && kind != "model2vec" {
			return m, modelfile.Broken(modelfile.ConfigFile, "models of the architecture %q are not understood", kind).
				WithHint("static models of Model2Vec are, and encoders of the family of BERT").WithCause(err)
		}
	}
	m.Dimensions = dimensions
	return m, err
}

// settings reads how a user's own model in a directory is used; nil if it is no encoder.
func settings(dir, name string) (*modelfile.Encoder, error) {
	if !bert.Computes(architecture(dir)) {
		return nil, nil
	}
	e, err := bert.ReadSettings(dir, name)
	return &e, err
}

// architecture returns the "model_type" of config.json, "" if it has none or cannot be read.
func architecture(dir string) string {
	var config struct {
		Kind string `json:"model_type"`
	}
	text, err := plainfile.Read(filepath.Join(dir, modelfile.ConfigFile), modelfile.MostSettings)
	if err != nil || json.Unmarshal(text, &config) != nil {
		return ""
	}
	return config.Kind
}
