package embed

import (
	"context"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
)

// NoPrefix, as a prefix of [OpenAIOptions], forces that none is used.
const NoPrefix = "none"

// OpenAIOptions say which endpoint embeds and how. Dimensions and what [endpoint.Options] requires
// have to be set; the zero value of every other field stands for a default.
type OpenAIOptions struct {
	endpoint.Options // Timeout is 30 s by default
	// Dimensions is the length of the vectors, at least 1. It has to be known
	// before the first answer, because a store keeps vectors by fingerprint.
	Dimensions int
	// RequestDimensions sends Dimensions with every request. Some servers refuse that. OpenAI's
	// text-embedding-3 models return vectors of that length then.
	RequestDimensions bool
	// Truncate cuts longer vectors to Dimensions and scales them to length 1 again. It makes sense
	// only for models trained for it ("Matryoshka").
	Truncate bool
	// QueryPrefix and DocumentPrefix are put before a text that is embedded. An empty one is
	// replaced by what the model was trained with, if its name is known; [NoPrefix] forces none.
	QueryPrefix    string
	DocumentPrefix string
	BatchSize      int // texts in a request; 64 by default
	MaxTextBytes   int // longer texts are cut; 20 KiB by default, which is less than 8,192 tokens of most texts
}

// OpenAI is a [memory.Embedder] that asks an endpoint of the form of OpenAI's
// embeddings API: OpenAI itself, Ollama, LM Studio, llama.cpp, vLLM and
// others. Safe for concurrent use.
type OpenAI struct {
	options OpenAIOptions
	client  *endpoint.Client
}

var _ memory.Embedder = (*OpenAI)(nil)

var api = endpoint.API{
	Name:     "the embedding endpoint",
	Env:      "MCP_MEMORY_EMBED",
	Form:     "OpenAI's embeddings API",
	Refused:  ", or the model does not know the parameter dimensions",
	Timeout:  30 * time.Second,
	MaxBytes: 64 << 20, // ten times what a batch of the longest vectors takes
}

// NewOpenAI returns an embedder without asking the endpoint anything.
// [memory.CodeInvalidArgument] names the option that is missing or wrong.
func NewOpenAI(options OpenAIOptions) (*OpenAI, error) {
	client, err := endpoint.New(api, options.Options)
	if err != nil {
		return nil, err
	}
	if options.Dimensions <= 0 {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "the vectors of embedding model %q have no length", options.Model).
			WithHint("set the number of dimensions, for example 768; the model's page tells it")
	}
	return &OpenAI{options: options.withDefaults(), client: client}, nil
}

// Fingerprint has the model's name without the endpoint's address: the same model gives the same
// vectors wherever it runs.
func (o *OpenAI) Fingerprint() memory.Fingerprint {
	return memory.Fingerprint{
		Model:      o.options.Model,
		Dimensions: o.options.Dimensions,
		Prefix:     o.options.DocumentPrefix,
	}
}

// Local returns false: a save does not wait for a network.
func (o *OpenAI) Local() bool { return false }

// EmbedDocuments returns one vector for each text, in order. Blank texts are not sent and get a
// zero vector. Errors are [memory.CodeUnavailable] if the endpoint does not answer as it should or
// the context ends, and [memory.CodeInvalidArgument] if it refuses one of the texts.
func (o *OpenAI) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	return o.embed(ctx, o.options.DocumentPrefix, texts)
}

// EmbedQuery returns the vector of a question; errors are those of EmbedDocuments.
func (o *OpenAI) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	vectors, err := o.embed(ctx, o.options.QueryPrefix, []string{query})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (o *OpenAI) embed(ctx context.Context, prefix string, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var inputs []string
	var places []int // of each input the index in texts
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			vectors[i] = make([]float32, o.options.Dimensions)
			continue
		}
		inputs = append(inputs, prefix+head(text, o.options.MaxTextBytes))
		places = append(places, i)
	}
	for start := 0; start < len(inputs); start += o.options.BatchSize {
		end := min(start+o.options.BatchSize, len(inputs))
		answer, err := o.request(ctx, inputs[start:end])
		if err != nil {
			return nil, err
		}
		for i, v := range answer {
			vectors[places[start+i]] = v
		}
	}
	return vectors, nil
}

func (o OpenAIOptions) withDefaults() OpenAIOptions {
	o.QueryPrefix, o.DocumentPrefix = prefixes(o.Model, o.QueryPrefix, o.DocumentPrefix)
	if o.BatchSize <= 0 {
		o.BatchSize = 64
	}
	if o.MaxTextBytes <= 0 {
		o.MaxTextBytes = 20 << 10
	}
	return o
}

// head returns the first limit bytes of text, cut between characters.
func head(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// scaleToUnit scales v in place to length 1, unless it is zero, and reports whether all its values
// are finite.
func scaleToUnit(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	if sum > 0 {
		scale := 1 / math.Sqrt(sum)
		for i := range v {
			v[i] = float32(float64(v[i]) * scale)
		}
	}
	return true
}
