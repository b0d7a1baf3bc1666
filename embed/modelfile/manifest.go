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

// MaxDimensions is the greatest length of vectors that is allowed.
const MaxDimensions = 8192

// FileNames returns the files of a model, without its manifest.
func FileNames() []string { return []string{ConfigFile, RulesFile, TableFile} }

// Manifest describes the files in a model's directory and where they are from. It is written when
// the model is installed, after its files were checked. Each load compares the sizes of the files
// with it, see CheckSizes; Verify compares the checksums too.
type Manifest struct {
	Name       string   `json:"name"`
	Repository string   `json:"repository,omitempty"` // owner/name on the hub; empty for a user's own model
	Revision   string   `json:"revision,omitempty"`   // a commit
	Dimensions int      `json:"dimensions"`
	Encoder    *Encoder `json:"encoder,omitempty"` // nil for a static model
	Files      []File   `json:"files"`
}

// Encoder says how a sentence encoder is used, which its authors note in files beside it or on its
// page.
type Encoder struct {
	Pooling string `json:"pooling"` // [PoolMean] or [PoolFirst]
	// how many pieces it reads at once, including those around a text such as [CLS]
	MaxPieces      int    `json:"max_pieces"`
	QueryPrefix    string `json:"query_prefix,omitempty"`
	DocumentPrefix string `json:"document_prefix,omitempty"`
	// Unrelated is the mean cosine of texts that have nothing in common, from 0 to below 1,
	// measured when the model was installed.
	Unrelated float64 `json:"unrelated,omitempty"`
}

// How the vector of a text is made from the vectors of its pieces.
const (
	PoolMean  = "mean"
	PoolFirst = "cls" // the vector of the first piece
)

// File is one file of a model.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // in lower-case hexadecimal
}

// Size returns the bytes of all files.
func (m Manifest) Size() (sum int64) {
	for _, f := range m.Files {
		sum += f.Size
	}
	return sum
}

// Fingerprint returns "model2vec/NAME/…", or "bert/NAME/…" for an encoder, with the first digits of
// a checksum over all files, and over Pooling and MaxPieces of an encoder. Its DocumentPrefix is
// the Prefix. So another model under the same name has another fingerprint.
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

// MostSettings is the largest size of a model's settings file, in bytes.
const MostSettings = 1 << 20

// ReadManifest reads the manifest in a directory. Errors are [memory.CodeNotFound] if there is
// none, [memory.CodeInvalidArgument] if it is damaged, and [memory.CodeUnavailable] if it cannot be
// read.
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

// Verify reads all files of a model and compares them with the manifest, at about 500 MB per
// second. [memory.CodeInvalidArgument] names the first file that is missing or different.
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

// CheckSizes compares only the sizes of the files with the manifest. It finds files that are cut
// off or missing, within microseconds.
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
