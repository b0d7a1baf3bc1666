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

// OpenAIOptions say which endpoint embeds and how. Besides what
// [endpoint.Options] requires, Dimensions is; every other zero value has a
// default.
type OpenAIOptions struct {
	endpoint.Options // Timeout is 30 s by default
	// Dimensions is the length of the vectors, at least 1. It has to be known
	// before the first answer, because a store keeps vectors by fingerprint.
	Dimensions int
	// RequestDimensions sends Dimensions with every request. Some servers
	// refuse that; OpenAI's third generation shortens its vectors to it.
	RequestDimensions bool
	// Truncate cuts longer vectors to Dimensions and normalises them again.
	// That is sound only for models trained for it ("Matryoshka").
	Truncate bool
	// QueryPrefix and DocumentPrefix are put before what is embedded. An empty
	// one is replaced by what the model was trained with as far as that is
	// known from its name; [NoPrefix] forces none.
	QueryPrefix    string
	DocumentPrefix string
	BatchSize      int // texts a request; 64
	MaxTextBytes   int // of a text, the rest is not embedded; 20 KiB, below 8,192 tokens of most texts
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
	MaxBytes: 64 << 20, // a batch of the longest vectors that there are takes a tenth
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

// Fingerprint names the model as the server does, without its address: the
// same model gives the same vectors wherever it runs.
func (o *OpenAI) Fingerprint() memory.Fingerprint {
	return memory.Fingerprint{
		Model:      o.options.Model,
		Dimensions: o.options.Dimensions,
		Prefix:     o.options.DocumentPrefix,
	}
}

// Local returns false: a save does not wait for a network.
func (o *OpenAI) Local() bool { return false }

// EmbedDocuments returns one vector a text, in order; blank texts get a zero
// vector without being sent. [memory.CodeUnavailable] when the endpoint does
// not answer as it should or the context ends, [memory.CodeInvalidArgument]
// when it refuses one of the texts.
func (o *OpenAI) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	return o.embed(ctx, o.options.DocumentPrefix, texts)
}

// EmbedQuery returns the vector of a question; errors as of EmbedDocuments.
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
	var places []int // of the inputs in texts
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

// scaleToUnit scales v in place to length 1 and reports whether all of it is
// finite. A zero vector stays one.
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
