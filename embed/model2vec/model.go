package model2vec

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"

	"mcp-memory/embed/modelfile"
	"mcp-memory/embed/tokenizer"
	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// maxPieces is how many pieces of a text are used, as in the library Model2Vec. Models were trained
// on texts of that length, and the mean of more pieces means less.
const maxPieces = 512

// Model is a [memory.Embedder] over a directory. Safe for concurrent use.
type Model struct {
	manifest modelfile.Manifest
	loaded   func() (*content, error)
	mu       sync.Mutex
	file     *os.File // nil before the first use
}

var _ memory.Embedder = (*Model)(nil)

// content is a model that was loaded.
type content struct {
	*tokenizer.Tokenizer
	*table
}

// Open returns the model in a directory. It reads only the manifest and the sizes of the files.
// Errors are [memory.CodeNotFound] if there is no model and [memory.CodeInvalidArgument] if a file
// is missing or cut off.
func Open(dir string) (*Model, error) {
	manifest, err := modelfile.ReadManifest(dir)
	if err != nil {
		return nil, err
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

// Inspect reads a model that has no manifest yet, makes sure that a text can be embedded, and
// returns the length of the vectors. [memory.CodeInvalidArgument] says what is wrong with which
// file.
func Inspect(dir string) (dimensions int, err error) {
	m := newModel(dir, modelfile.Manifest{})
	defer m.Close()
	c, err := m.loaded()
	if err != nil {
		return 0, err
	}
	if _, err := m.embed(context.Background(), "Where does my sister work?"); err != nil {
		return 0, err
	}
	return c.columns, nil
}

// load reads the rules and the header of the table.
func (m *Model) load(dir string) (*content, error) {
	if err := checkConfig(dir); err != nil {
		return nil, err
	}
	rules, err := tokenizer.Open(dir)
	if err != nil {
		return nil, err
	}
	file, err := plainfile.Open(filepath.Join(dir, modelfile.TableFile))
	if err != nil {
		return nil, modelfile.Broken(modelfile.TableFile, "it cannot be read").WithCause(err)
	}
	vectors, err := openTable(file)
	if err == nil {
		err = vectors.holds(rules.Size())
	}
	if err == nil && m.manifest.Dimensions != 0 && m.manifest.Dimensions != vectors.columns {
		err = modelfile.Broken(modelfile.TableFile, "its vectors have %d values, not %d", vectors.columns, m.manifest.Dimensions)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.file = file
	return &content{rules, vectors}, nil
}

func openTable(file *os.File) (*table, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, modelfile.Broken(modelfile.TableFile, "it cannot be read").WithCause(err)
	}
	tensors, err := modelfile.ReadTensors(file, info.Size())
	if err != nil {
		return nil, err
	}
	return newTable(tensors)
}

// checkConfig checks that config.json is JSON of the right form. Its content is not used: vectors
// have length 1 whatever "normalize" is, because the store compares directions only.
func checkConfig(dir string) error {
	text, err := plainfile.Read(filepath.Join(dir, modelfile.ConfigFile), modelfile.MostSettings)
	if err != nil {
		return modelfile.Broken(modelfile.ConfigFile, "it cannot be read").WithCause(err)
	}
	var config struct {
		Normalize *bool `json:"normalize"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return modelfile.Broken(modelfile.ConfigFile, "it is not what it should be: %v", err)
	}
	return nil
}

// Close closes the table's file. The model cannot be used after it.
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

// Local returns true. The first text takes longer: 10 ms for 30,000 words, half
// a second for 500,000.
func (m *Model) Local() bool { return true }

// OwnTable returns true: the vectors do not come from the table of package semantics, so what that
// table knows of a text says nothing about them.
func (m *Model) OwnTable() bool { return true }

// EmbedDocuments returns one vector for each text, in order: zero for a text without a known piece.
// Only the first 512 pieces of a text are used. Errors are [memory.CodeInvalidArgument] if the
// model's files are damaged, [memory.CodeUnavailable] if they cannot be read, and the context's.
func (m *Model) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		var err error
		if vectors[i], err = m.embed(ctx, text); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// EmbedQuery returns the vector of a question, made like that of a document; errors are those of
// EmbedDocuments.
func (m *Model) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	return m.embed(ctx, query)
}

func (m *Model) embed(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := m.loaded()
	if err != nil {
		return nil, err
	}
	return c.mean(c.Known(text, maxPieces))
}
