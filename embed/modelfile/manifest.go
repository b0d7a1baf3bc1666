package model2vec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mcp-memory/memory"
)

// The files of a model.
const (
	tableFile    = "model.safetensors"
	rulesFile    = "tokenizer.json"
	configFile   = "config.json"
	manifestFile = "model.json"
)

// FileNames are the files that a model is made of, besides its manifest.
func FileNames() []string { return []string{configFile, rulesFile, tableFile} }

// Manifest says what is in a model's directory and where it is from. It is
// written when the model is put there, after its files were checked, and what
// is loaded later has to fit.
type Manifest struct {
	Name       string `json:"name"`
	Repository string `json:"repository,omitempty"` // owner/name on the hub; none for a user's own
	Revision   string `json:"revision,omitempty"`   // a commit
	Dimensions int    `json:"dimensions"`
	Files      []File `json:"files"`
}

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

// Fingerprint returns "model2vec/NAME/…" with the first digits of a checksum
// over all files, so that another model under the same name is another one.
func (m Manifest) Fingerprint() memory.Fingerprint {
	all := sha256.New()
	for _, f := range m.Files {
		io.WriteString(all, f.Name+" "+f.SHA256+"\n")
	}
	return memory.Fingerprint{
		Model: "model2vec/" + m.Name + "/" + hex.EncodeToString(all.Sum(nil))[:8], Dimensions: m.Dimensions,
	}
}

// ReadManifest reads the manifest of a directory. [memory.CodeNotFound] if
// there is none, [memory.CodeInvalidArgument] if it is damaged.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, memory.Errorf(memory.CodeNotFound, "there is no embedding model in %s", dir)
	}
	if err != nil {
		return m, memory.Errorf(memory.CodeUnavailable, "the embedding model cannot be read").WithCause(err)
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Name == "" || m.Dimensions < 1 || m.Dimensions > maxDimensions || len(m.Files) == 0 {
		return m, broken(manifestFile, "it is damaged")
	}
	return m, nil
}

// Write writes the manifest into a directory.
func (m Manifest) Write(dir string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, manifestFile), append(text, '\n'), 0o600)
}

// Measure returns the size and checksum of a file in a directory.
func Measure(dir, name string) (File, error) {
	f, err := os.Open(filepath.Join(dir, name))
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
			return broken(want.Name, "it cannot be read").WithCause(err)
		}
		if got != want {
			return broken(want.Name, "its checksum is %s, not %s", got.SHA256, want.SHA256)
		}
	}
	return nil
}

// checkSizes compares the sizes only: that finds files that are cut off or
// missing, in microseconds.
func (m Manifest) checkSizes(dir string) error {
	for _, want := range m.Files {
		info, err := os.Stat(filepath.Join(dir, want.Name))
		if err != nil {
			return broken(want.Name, "it is missing from the embedding model %s", m.Name)
		}
		if info.Size() != want.Size {
			return broken(want.Name, "it has %d bytes, not the %d that it had", info.Size(), want.Size)
		}
	}
	return nil
}
