package bert

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/modelfile"
	"mcp-memory/embed/tokenizer"
	"mcp-memory/memory"
)

const (
	// maxRead is how many pieces of a long text are read, in windows spread over it.
	maxRead = 4096
	// maxText is how many pieces of a text are looked at.
	maxText = 1 << 16
	// leastRoom is how many pieces of a text have to fit between those around it.
	leastRoom = 4
)

// Model is a [memory.Embedder] over a directory. Its methods may be called at the same
// time; a call uses one core.
type Model struct {
	manifest modelfile.Manifest
	loaded   func() (*content, error)
	mu       sync.Mutex
	file     io.Closer // nil before the first use
}

var _ memory.Embedder = (*Model)(nil)

// content is a model in use.
type content struct {
	*Network
	tokens        *tokenizer.Tokenizer
	length        int // pieces that are read at once
	before, after []int32
	// The pieces of the prefixes.
	query, document []int32
}

// Open returns the model of a directory without reading more than its manifest
// and the sizes of its files. [memory.CodeNotFound] if there is none,
// [memory.CodeInvalidArgument] if a file is missing or cut off, or it is no encoder.
func Open(dir string) (*Model, error) {
	manifest, err := modelfile.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if manifest.Encoder == nil {
		return nil, modelfile.Broken(modelfile.ManifestFile, "it does not say how sentences are encoded")
	}
	if err := manifest.CheckSizes(dir); err != nil {
		return nil, err
	}
	return newModel(dir, manifest), nil
}

func newModel(dir string, manifest modelfile.Manifest) *Model {
	m := &Model{manifest: manifest}
	m.loaded = sync.OnceValues(func() (*content, error) { return m.load(dir) })
	return m
}

// Prepare makes sure that a text can be embedded by the model in a directory, leaves
// its rounded weights there, and returns its manifest with the length of the vectors
// and what is measured of them. [memory.CodeInvalidArgument] says what is wrong with
// which file.
func Prepare(dir string, manifest modelfile.Manifest) (modelfile.Manifest, error) {
	m := newModel(dir, manifest)
	defer m.Close()
	c, err := m.loaded()
	if err != nil {
		return manifest, err
	}
	piece := int32(c.tokens.Size() / 2) // whatever it is: a vocabulary need not know a word of English
	vector, err := c.Vector(slices.Concat(c.before, []int32{piece}, c.after), manifest.Encoder.Pooling)
	if err != nil {
		return manifest, err
	}
	if !slices.ContainsFunc(vector, func(x float32) bool { return x != 0 }) || !finite(vector) {
		return manifest, modelfile.Broken(modelfile.TableFile, "it gives no vectors")
	}
	settings := *manifest.Encoder
	settings.Unrelated, err = m.unrelated(context.Background())
	manifest.Dimensions, manifest.Encoder = c.Width, &settings
	return manifest, err
}

// load reads the rules and the rounded weights.
func (m *Model) load(dir string) (*content, error) {
	config, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	settings := m.manifest.Encoder
	if have := m.manifest.Dimensions; have != 0 && have != config.Width {
		return nil, broken("its vectors have %d values, not %d", config.Width, have)
	}
	rules, err := tokenizer.Open(dir)
	if err != nil {
		return nil, err
	}
	if rules.Size() > config.Vocabulary {
		return nil, modelfile.Broken(modelfile.RulesFile, "it has pieces up to %d, but vocab_size of %s is %d", rules.Size(), modelfile.ConfigFile, config.Vocabulary)
	}
	c := &content{tokens: rules, length: min(settings.MaxPieces, config.Pieces())}
	c.before, c.after = rules.Around()
	// A blank at the end belongs to the first piece of the text.
	prefix := func(text string) []int32 { return rules.Pieces(strings.TrimRight(text, " "), maxText) }
	c.query, c.document = prefix(settings.QueryPrefix), prefix(settings.DocumentPrefix)
	if min(c.room(c.query), c.room(c.document)) < leastRoom {
		return nil, broken("of %d pieces none are left for a text beside its prefix", c.length)
	}
	pack, file, err := openRounded(dir, config, stamp(m.manifest))
	if err != nil {
		return nil, err
	}
	if c.Network, err = Load(config, packed{pack}); err != nil {
		if file != nil {
			file.Close()
		}
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.file = file
	return c, nil
}

// room is how many pieces of a text are read at once behind a prefix.
func (c *content) room(prefix []int32) int {
	return c.length - len(c.before) - len(prefix) - len(c.after)
}

// Close closes the file of weights. The model cannot be used after it.
func (m *Model) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil {
		return nil
	}
	return m.file.Close()
}

// Fingerprint is that of the manifest.
func (m *Model) Fingerprint() memory.Fingerprint { return m.manifest.Fingerprint() }

// Local returns false: a text takes milliseconds, for which no save waits.
func (m *Model) Local() bool { return false }

// Unrelated is how alike texts that have nothing in common are to it, 0 to 1.
func (m *Model) Unrelated() float64 { return m.manifest.Encoder.Unrelated }

// Batch is how many texts a worker gives at once: a long one takes seconds, and what is
// made of it is kept even if there is no time for the next.
func (m *Model) Batch() int { return 1 }

// EmbedDocuments returns one vector a text, in order: of a long one the mean of
// windows from its beginning to its end, which leave parts out where 4,096 pieces are not
// all of it; 0 for one without a known piece.
// [memory.CodeInvalidArgument] if the model's files are damaged,
// [memory.CodeUnavailable] if they cannot be read, or the context's error.
func (m *Model) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	c, err := m.loaded()
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if vectors[i], err = m.embed(ctx, c, c.document, text, max(1, maxRead/c.length)); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// EmbedQuery returns the vector of a question, of a long one that of its beginning;
// errors as of EmbedDocuments.
func (m *Model) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	c, err := m.loaded()
	if err != nil {
		return nil, err
	}
	return m.embed(ctx, c, c.query, query, 1)
}

// embed reads at most so many windows of a text.
func (m *Model) embed(ctx context.Context, c *content, prefix []int32, text string, windows int) ([]float32, error) {
	sum := make([]float32, c.Width)
	pieces := c.tokens.Pieces(text, maxText)
	if !slices.ContainsFunc(pieces, c.tokens.IsKnown) {
		return sum, ctx.Err()
	}
	room := c.room(prefix)
	for _, window := range encoder.Windows(pieces, room, room/4, windows) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vector, err := c.Vector(slices.Concat(c.before, prefix, window, c.after), m.manifest.Encoder.Pooling)
		if err != nil {
			return nil, memory.Errorf(memory.CodeUnavailable, "the embedding model cannot be read").WithCause(err)
		}
		add(sum, vector)
	}
	encoder.Normalise(sum)
	return sum, nil
}
