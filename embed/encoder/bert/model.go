package bert

import (
	"context"
	"io"
	"slices"
	"sync"

	"mcp-memory/embed/modelfile"
	"mcp-memory/embed/tokenizer"
	"mcp-memory/memory"
)

// Model is the model in a directory as a [memory.Embedder]. Its methods may be called at the same
// time; a call uses one core.
type Model struct {
	manifest modelfile.Manifest
	loaded   func() (*Reader, error)
	mu       sync.Mutex
	file     io.Closer // nil before the first use
}

var _ memory.Embedder = (*Model)(nil)

// Open returns the model in a directory. It reads only the manifest and the sizes of the files.
// Errors are [memory.CodeNotFound] if there is no model, [memory.CodeInvalidArgument] if a file is
// missing or cut off, or if it is no encoder.
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
	m.loaded = sync.OnceValues(func() (*Reader, error) { return m.load(dir) })
	return m
}

// Prepare makes sure that the model in a directory can embed a text, writes its rounded weights
// there, and returns its manifest, completed with the length of the vectors and Unrelated.
// [memory.CodeInvalidArgument] says what is wrong with which file.
func Prepare(dir string, manifest modelfile.Manifest) (modelfile.Manifest, error) {
	m := newModel(dir, manifest)
	defer m.Close()
	r, err := m.loaded()
	if err != nil {
		return manifest, err
	}
	piece := int32(r.tokens.Size() / 2) // any piece will do: a vocabulary need not have a word of English
	vector, err := r.network.Vector(slices.Concat(r.before, []int32{piece}, r.after), manifest.Encoder.Pooling)
	if err != nil {
		return manifest, err
	}
	if !slices.ContainsFunc(vector, func(x float32) bool { return x != 0 }) || !finite(vector) {
		return manifest, modelfile.Broken(modelfile.TableFile, "it gives no vectors")
	}
	settings := *manifest.Encoder
	settings.Unrelated, err = m.unrelated(context.Background())
	manifest.Dimensions, manifest.Encoder = r.Dimensions(), &settings
	return manifest, err
}

// load reads the rules and the rounded weights.
func (m *Model) load(dir string) (*Reader, error) {
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
		return nil, modelfile.Broken(modelfile.RulesFile, "it has pieces up to %d, but vocab_size of %s is %d", rules.Size(),
			modelfile.ConfigFile, config.Vocabulary)
	}
	r, err := newReader(rules, config, *settings)
	if err != nil {
		return nil, err
	}
	pack, file, err := openRounded(dir, config, stamp(m.manifest))
	if err != nil {
		return nil, err
	}
	if r.network, err = Load(config, packed{pack}); err != nil {
		if file != nil {
			file.Close()
		}
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.file = file
	return r, nil
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

// Fingerprint returns the manifest's.
func (m *Model) Fingerprint() memory.Fingerprint { return m.manifest.Fingerprint() }

// Local returns false: a text takes milliseconds, for which no save waits.
func (m *Model) Local() bool { return false }

// Unrelated returns the mean cosine of texts that have nothing in common, from 0 to below 1.
func (m *Model) Unrelated() float64 { return m.manifest.Encoder.Unrelated }

// Batch returns how many texts a worker embeds in one call. A long text takes seconds, and its
// vector is kept even if there is no time for the next one.
func (m *Model) Batch() int { return 1 }

// EmbedDocuments returns one vector for each text, in order: zero for a text without a known piece,
// for a long text the mean of windows from its beginning to its end. If it has more than about
// 4,000 pieces, the windows leave some out. Of a text only the first 64 KiB are read. Errors are
// [memory.CodeInvalidArgument] if the model's files are damaged, [memory.CodeUnavailable] if they
// cannot be read, and the context's.
func (m *Model) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	r, err := m.loaded()
	if err != nil {
		return nil, err
	}
	return r.Documents(ctx, texts)
}

// EmbedQuery returns the vector of a question, of a long one that of its beginning; errors are
// those of EmbedDocuments.
func (m *Model) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	r, err := m.loaded()
	if err != nil {
		return nil, err
	}
	return r.Query(ctx, query)
}
