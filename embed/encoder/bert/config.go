package bert

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// architectures are the values of "model_type" whose networks this package can compute.
var architectures = []string{"bert", "xlm-roberta", "roberta", "camembert"}

// Config is the content of a network's config.json.
type Config struct {
	Architecture string  `json:"model_type"`
	Vocabulary   int     `json:"vocab_size"`
	Width        int     `json:"hidden_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int     `json:"num_attention_heads"`
	Inner        int     `json:"intermediate_size"`
	Places       int     `json:"max_position_embeddings"`
	Types        int     `json:"type_vocab_size"`
	Activation   string  `json:"hidden_act"`
	Epsilon      float32 `json:"layer_norm_eps"`
	Padding      int     `json:"pad_token_id"`
	PlaceKind    string  `json:"position_embedding_type"`
}

// Limits of what is accepted, far above any model of this family that runs well on a processor.
const (
	maxLayers     = 64
	maxPlaces     = 1 << 14
	maxVocabulary = 1 << 21
)

// ReadConfig reads the config.json in a directory. [memory.CodeInvalidArgument] says what is not
// supported.
func ReadConfig(dir string) (Config, error) {
	text, err := plainfile.Read(filepath.Join(dir, modelfile.ConfigFile), modelfile.MostSettings)
	if err != nil {
		return Config{}, broken("it cannot be read").WithCause(err)
	}
	return parseConfig(text)
}

func parseConfig(text []byte) (Config, error) {
	c := Config{Types: 2, Activation: "gelu", Epsilon: 1e-12, Padding: 1, PlaceKind: "absolute"}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, broken("it is not what it should be: %v", err)
	}
	if !Computes(c.Architecture) {
		return c, broken("models of the architecture %q are not understood", c.Architecture).
			WithHint("these are: %s, and static models of Model2Vec", strings.Join(architectures, ", "))
	}
	switch {
	case c.Width < 16 || c.Width%16 != 0 || c.Width > modelfile.MaxDimensions/2:
		return c, broken("hidden_size is %d, not a multiple of 16 up to %d", c.Width, modelfile.MaxDimensions/2)
	case c.Heads < 1 || c.Width%c.Heads != 0:
		return c, broken("hidden_size is %d, which is not a multiple of num_attention_heads, %d", c.Width, c.Heads)
	case c.Inner < 16 || c.Inner%16 != 0 || c.Inner > modelfile.MaxDimensions:
		return c, broken("intermediate_size is %d, not a multiple of 16 up to %d", c.Inner, modelfile.MaxDimensions)
	case c.Layers < 1 || c.Layers > maxLayers:
		return c, broken("num_hidden_layers is %d, not 1 to %d", c.Layers, maxLayers)
	case c.Vocabulary < 1 || c.Vocabulary > maxVocabulary:
		return c, broken("vocab_size is %d, not 1 to %d", c.Vocabulary, maxVocabulary)
	case c.Types < 1 || c.Types > 16:
		return c, broken("type_vocab_size is %d, not 1 to 16", c.Types)
	case c.Padding < 0 || c.Places > maxPlaces || c.Pieces() < 1:
		return c, broken("max_position_embeddings is %d, not 1 to %d", c.Places, maxPlaces)
	case !(c.Epsilon >= 0 && c.Epsilon < 1):
		return c, broken("layer_norm_eps is %g", c.Epsilon)
	case c.PlaceKind != "absolute":
		return c, broken("position_embedding_type is %q; absolute is understood", c.PlaceKind)
	}
	if _, ok := activations[c.Activation]; !ok {
		return c, broken("hidden_act is %q; gelu, gelu_new, gelu_pytorch_tanh and relu are understood", c.Activation)
	}
	return c, nil
}

// Computes reports whether this package can compute networks of an architecture, which is a
// "model_type" of config.json.
func Computes(architecture string) bool {
	for _, known := range architectures {
		if architecture == known {
			return true
		}
	}
	return false
}

// firstPlace returns the position of a text's first piece: RoBERTa's positions begin after that of
// padding.
func (c Config) firstPlace() int {
	if c.Architecture == "bert" {
		return 0
	}
	return c.Padding + 1
}

// Pieces returns how many pieces the network has positions for.
func (c Config) Pieces() int { return c.Places - c.firstPlace() }

func broken(format string, args ...any) *memory.Error {
	return modelfile.Broken(modelfile.ConfigFile, format, args...)
}
