package embed

import (
	"context"
	"math"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	openai "github.com/sashabaranov/go-openai"

	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
)

// NoPrefix, as a prefix of [OpenAIOptions], forces that none is used.
const NoPrefix = "none"

// OpenAIOptions say which endpoint embeds and how. BaseURL, Model and
// Dimensions are required; every other zero value has a default.
type OpenAIOptions struct {
	// BaseURL is the address before "/embeddings", such as
	// "http://localhost:11434/v1" or "https://api.openai.com/v1".
	BaseURL string
	APIKey  string // sent as a bearer token; empty sends none
	Model   string // as the server names it
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
	BatchSize      int           // texts a request; 64
	MaxTextBytes   int           // of a text, the rest is not embedded; 20 KiB, below 8,192 tokens of most texts
	Timeout        time.Duration // of one request; 30 s
	// MaxRetries is how often a request is repeated; 3, and none if negative.
	MaxRetries int
	// RetryDelay is the time before the first repetition, about doubled for
	// each further one unless the server names a time; 500 ms.
	RetryDelay time.Duration
}

// OpenAI is a [memory.Embedder] that asks an endpoint of the form of OpenAI's
// embeddings API: OpenAI itself, Ollama, LM Studio, llama.cpp, vLLM and
// others. Safe for concurrent use.
type OpenAI struct {
	options OpenAIOptions
	host    string // for messages; the address could hold a secret
	client  *openai.Client
}

var _ memory.Embedder = (*OpenAI)(nil)

// NewOpenAI returns an embedder without asking the endpoint anything.
// [memory.CodeInvalidArgument] names the option that is missing or wrong.
func NewOpenAI(options OpenAIOptions) (*OpenAI, error) {
	host, err := options.check()
	if err != nil {
		return nil, err
	}
	options = options.withDefaults()
	config := openai.DefaultConfig(options.APIKey)
	config.BaseURL = options.BaseURL
	config.HTTPClient = &http.Client{}
	return &OpenAI{options: options, host: host, client: openai.NewClientWithConfig(config)}, nil
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

func (o OpenAIOptions) check() (host string, err error) {
	host, err = endpoint.Setting{Name: "the embedding endpoint", Env: "MCP_MEMORY_EMBED", URL: o.BaseURL, Key: o.APIKey}.Host()
	switch {
	case err != nil:
		return "", err
	case strings.TrimSpace(o.Model) == "":
		return "", memory.Errorf(memory.CodeInvalidArgument, "the embedding endpoint at %s has no model", host).
			WithHint("name the model as the server does")
	case o.Dimensions <= 0:
		return "", memory.Errorf(memory.CodeInvalidArgument, "the vectors of embedding model %q have no length", o.Model).
			WithHint("set the number of dimensions, for example 768; the model's page tells it")
	}
	return host, nil
}

func (o OpenAIOptions) withDefaults() OpenAIOptions {
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	o.QueryPrefix, o.DocumentPrefix = prefixes(o.Model, o.QueryPrefix, o.DocumentPrefix)
	if o.BatchSize <= 0 {
		o.BatchSize = 64
	}
	if o.MaxTextBytes <= 0 {
		o.MaxTextBytes = 20 << 10
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.RetryDelay <= 0 {
		o.RetryDelay = 500 * time.Millisecond
	}
	switch {
	case o.MaxRetries == 0:
		o.MaxRetries = 3
	case o.MaxRetries < 0:
		o.MaxRetries = 0
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
