package modelfile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// The files of a model.
const (
	TableFile    = "model.safetensors"
	RulesFile    = "tokenizer.json"
	ConfigFile   = "config.json"
	ManifestFile = "model.json"
)

// MaxDimensions is the greatest length of vectors.
const MaxDimensions = 8192

// FileNames are the files that a model is made of, besides its manifest.
func FileNames() []string { return []string{ConfigFile, RulesFile, TableFile} }

// Manifest says what is in a model's directory and where it is from. It is
// written when the model is put there, after its files were checked, and what
// is loaded later has to fit.
type Manifest struct {
	Name       string   `json:"name"`
	Repository string   `json:"repository,omitempty"` // owner/name on the hub; none for a user's own
	Revision   string   `json:"revision,omitempty"`   // a commit
	Dimensions int      `json:"dimensions"`
	Encoder    *Encoder `json:"encoder,omitempty"` // nil of a static model
	Files      []File   `json:"files"`
}

// Encoder says how a network that reads sentences is used: what its makers say in
// files beside it, or on its page.
type Encoder struct {
	Pooling        string `json:"pooling"`    // [PoolMean] or [PoolFirst]
	MaxPieces      int    `json:"max_pieces"` // that it reads at once, with those around a text
	QueryPrefix    string `json:"query_prefix,omitempty"`
	DocumentPrefix string `json:"document_prefix,omitempty"`
	// Unrelated is how alike texts that have nothing in common are to it: a cosine,
	// measured when the model was put there.
	Unrelated float64 `json:"unrelated,omitempty"`
}

// What of all pieces' vectors is the text's.
const (
	PoolMean  = "mean"
	PoolFirst = "cls" // that of the first piece
)

// File is one file of a model.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // in small hexadecimal digits
}

// Size returns the bytes of all files.
func (m Manifest) Size() (sum int64) {
	for _, f := range m.Files {
		sum += f.Size
	}
	return sum
}

// Fingerprint returns "model2vec/NAME/…", or "bert/NAME/…" of an encoder, with the
// first digits of a checksum over all files and how an encoder is used, so that
// another model under the same name is another one.
func (m Manifest) Fingerprint() memory.Fingerprint {
	all, kind, prefix := sha256.New(), "model2vec/", ""
	for _, f := range m.Files {
		io.WriteString(all, f.Name+" "+f.SHA256+"\n")
	}
	if e := m.Encoder; e != nil {
		kind, prefix = "bert/", e.DocumentPrefix
		fmt.Fprintf(all, "%s %d\n", e.Pooling, e.MaxPieces)
	}
	return memory.Fingerprint{
		Model: kind + m.Name + "/" + hex.EncodeToString(all.Sum(nil))[:8], Dimensions: m.Dimensions, Prefix: prefix,
	}
}

// MostSettings is how large a file of settings of a model may be, in bytes.
const MostSettings = 1 << 20

// ReadManifest reads the manifest of a directory. [memory.CodeNotFound] if
// there is none, [memory.CodeInvalidArgument] if it is damaged.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	text, err := plainfile.Read(filepath.Join(dir, ManifestFile), MostSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return m, memory.Errorf(memory.CodeNotFound, "there is no embedding model in %s", dir)
	}
	if err != nil {
		return m, memory.Errorf(memory.CodeUnavailable, "the embedding model cannot be read").WithCause(err)
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Name == "" || m.Dimensions < 1 || m.Dimensions > MaxDimensions ||
		len(m.Files) == 0 ||
		m.Encoder != nil && (m.Encoder.MaxPieces < 1 || m.Encoder.Unrelated < 0 || m.Encoder.Unrelated >= 1 ||
			m.Encoder.Pooling != PoolMean && m.Encoder.Pooling != PoolFirst) {
		return m, Broken(ManifestFile, "it is damaged")
	}
	return m, nil
}

// Write writes the manifest into a directory.
func (m Manifest) Write(dir string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return Replace(filepath.Join(dir, ManifestFile), append(text, '\n'))
}

// Replace writes a file of a model in one step, so that another process never sees half of it.
func Replace(path string, b []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = file.Write(b)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

// Measure returns the size and checksum of a file in a directory.
func Measure(dir, name string) (File, error) {
	f, err := plainfile.Open(filepath.Join(dir, name))
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	return File{Name: name, Size: size, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// Verify reads all files of a model and compares them with the manifest, which
// takes a second for each 500 MB or so. [memory.CodeInvalidArgument] names the
// first file that is missing or different.
func (m Manifest) Verify(dir string) error {
	for _, want := range m.Files {
		got, err := Measure(dir, want.Name)
		if err != nil {
			return Broken(want.Name, "it cannot be read").WithCause(err)
		}
		if got != want {
			return Broken(want.Name, "its checksum is %s, not %s", got.SHA256, want.SHA256)
		}
	}
	return nil
}

// CheckSizes compares the sizes only: that finds files that are cut off or
// missing, in microseconds.
func (m Manifest) CheckSizes(dir string) error {
	for _, want := range m.Files {
		info, err := os.Stat(filepath.Join(dir, want.Name))
		if err != nil {
			return Broken(want.Name, "it is missing from the embedding model %s", m.Name)
		}
		if info.Size() != want.Size {
			return Broken(want.Name, "it has %d bytes, not the %d that it had", info.Size(), want.Size)
		}
	}
	return nil
}
