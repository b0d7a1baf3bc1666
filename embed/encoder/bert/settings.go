package bert

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/plainfile"
)

// Files in which Sentence Transformers stores how a model is used.
const (
	modulesFile = "modules.json"
	lengthFile  = "sentence_bert_config.json"
	promptsFile = "config_sentence_transformers.json"
	poolingDir  = "1_Pooling"
)

// usualPieces is how many pieces a model reads if it does not say so: most were trained with that
// many.
const usualPieces = 512

// ReadSettings reads how the model in a directory is used, from those files of Sentence
// Transformers that exist: modules.json, 1_Pooling/config.json, sentence_bert_config.json and
// config_sentence_transformers.json. The default is the mean of up to 512 pieces, and the prefixes
// that are known for a model of this name. [memory.CodeInvalidArgument] says what is not supported.
func ReadSettings(dir, name string) (modelfile.Encoder, error) {
	var e modelfile.Encoder
	config, err := ReadConfig(dir)
	if err != nil {
		return e, err
	}
	pooling, err := readModules(dir)
	if err != nil {
		return e, err
	}
	if e.Pooling, err = readPooling(dir, filepath.ToSlash(filepath.Join(pooling, modelfile.ConfigFile))); err != nil {
		return e, err
	}
	var length struct {
		Most int `json:"max_seq_length"`
	}
	if err := readOptional(dir, lengthFile, &length); err != nil {
		return e, err
	}
	if e.MaxPieces = min(length.Most, config.Pieces()); length.Most < 1 {
		e.MaxPieces = min(usualPieces, config.Pieces())
	}
	e.QueryPrefix, e.DocumentPrefix, err = readPrompts(dir, name)
	return e, err
}

// readOptional decodes a JSON file into `into`, if it exists.
func readOptional(dir, name string, into any) error {
	text, err := plainfile.Read(filepath.Join(dir, filepath.FromSlash(name)), modelfile.MostSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return modelfile.Broken(name, "it cannot be read").WithCause(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return modelfile.Broken(name, "it is not what it should be: %v", err)
	}
	return nil
}

// readModules returns the directory of the pooling's settings.
func readModules(dir string) (pooling string, err error) {
	var modules []struct {
		Kind string `json:"type"`
		Path string `json:"path"`
	}
	if err := readOptional(dir, modulesFile, &modules); err != nil {
		return "", err
	}
	pooling = poolingDir
	for _, m := range modules {
		switch kind := m.Kind[strings.LastIndexByte(m.Kind, '.')+1:]; kind {
		case "Transformer", "Normalize":
		case "Pooling":
			if pooling = m.Path; !filepath.IsLocal(pooling) {
				return "", modelfile.Broken(modulesFile, "%q is not a directory of the model", m.Path)
			}
		default:
			return "", modelfile.Broken(modulesFile, "modules of the kind %q are not understood", kind).
				WithHint("a model is a transformer, pooling, and perhaps a normalisation")
		}
	}
	return pooling, nil
}

func readPooling(dir, name string) (string, error) {
	var modes map[string]any
	if err := readOptional(dir, name, &modes); err != nil {
		return "", err
	}
	pooling := ""
	for mode, on := range modes {
		kind, isMode := strings.CutPrefix(mode, "pooling_mode_")
		if mode == "include_prompt" && on == false {
			return "", modelfile.Broken(name, "a prefix that does not count in the mean is not understood")
		}
		if !isMode || on != true {
			continue
		}
		as, ok := poolings[kind]
		if !ok || pooling != "" && pooling != as {
			return "", modelfile.Broken(name, "this pooling is not understood: %s", kind).
				WithHint("the mean of all pieces is, and the first piece")
		}
		pooling = as
	}
	if pooling == "" {
		pooling = modelfile.PoolMean
	}
	return pooling, nil
}

// poolings are the supported kinds by their names. The two means differ only in the length of the
// vector, which becomes 1.
var poolings = map[string]string{
	"mean_tokens": modelfile.PoolMean, "mean_sqrt_len_tokens": modelfile.PoolMean, "cls_token": modelfile.PoolFirst,
}

func readPrompts(dir, name string) (query, document string, err error) {
	var config struct {
		Prompts map[string]string `json:"prompts"`
		Default string            `json:"default_prompt_name"`
	}
	if err := readOptional(dir, promptsFile, &config); err != nil {
		return "", "", err
	}
	usual := config.Prompts[config.Default]
	first := func(names ...string) string {
		for _, name := range names {
			if prompt := config.Prompts[name]; prompt != "" {
				return prompt
			}
		}
		return usual
	}
	query, document = first("query"), first("document", "passage", "corpus")
	if query == "" && document == "" {
		query, document = modelfile.KnownPrefixes(name)
	}
	return query, document, nil
}
