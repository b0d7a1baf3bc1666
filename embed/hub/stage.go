package hub

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// stage is the directory in which a model is gathered before it appears.
type stage struct {
	root string // all models
	name string
	dir  string
}

// open creates the stage of a model, or finds the one of an earlier attempt.
func open(root, name string) (stage, error) {
	if err := CheckName(name); err != nil {
		return stage{}, err
	}
	s := stage{root, name, filepath.Join(root, "."+name+".partial")}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return s, memory.Errorf(memory.CodeUnavailable, "the directory for models cannot be made").WithCause(err)
	}
	return s, nil
}

func (s stage) path(name string) string { return filepath.Join(s.dir, name) }

// verified reports whether the pinned model is installed already. If so, it also deletes the stage.
func (s stage) verified(m Model) bool {
	dir := filepath.Join(s.root, s.name)
	have, err := modelfile.ReadManifest(dir)
	if err != nil || !slices.Equal(have.Files, m.Files) || have.Verify(dir) != nil {
		return false
	}
	return s.drop() == nil
}

// drop deletes the stage with all that was gathered.
func (s stage) drop() error { return os.RemoveAll(s.dir) }

// finish loads the model once and installs it in place of an earlier one. A model that cannot be
// used is deleted. If the attempt fails for another reason, such as a full disk, the stage is kept
// for the next attempt.
func (s stage) finish(m modelfile.Manifest) error {
	m, err := Inspect(s.dir, m)
	if memory.CodeOf(err) == memory.CodeInvalidArgument {
		err = errors.Join(err, s.drop())
	}
	if err != nil {
		return err
	}
	if err := m.Write(s.dir); err != nil {
		return err
	}
	final := filepath.Join(s.root, s.name)
	old := filepath.Join(s.root, "."+s.name+".old")
	if err := errors.Join(os.RemoveAll(old), s.aside(final, old)); err != nil {
		return err
	}
	if err := os.Rename(s.dir, final); err != nil {
		return errors.Join(err, os.Rename(old, final))
	}
	return os.RemoveAll(old)
}

// aside moves an earlier model out of the way, if there is one.
func (s stage) aside(final, old string) error {
	err := os.Rename(final, old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Copy installs a model from a directory in root/NAME, for machines without a network. A model of
// the list must have the pinned files. Any other is a user's own: the manifest gets the sizes of
// its files, which each load compares, and their checksums. How an encoder is used is read from the
// files of Sentence Transformers in that directory. [memory.CodeInvalidArgument] if a file is
// missing, damaged or not the pinned one.
func Copy(root string, m Model, from string) error {
	s, err := open(root, m.Name)
	if err != nil {
		return err
	}
	manifest := m.Manifest
	manifest.Files = nil
	for _, name := range modelfile.FileNames() {
		if err := copyFile(filepath.Join(from, name), s.path(name)); err != nil {
			return errors.Join(memory.Errorf(memory.CodeInvalidArgument, "%s cannot be read from %s", name, from).
				WithHint("a model is the files %s", strings.Join(modelfile.FileNames(), ", ")).WithCause(err), s.drop())
		}
		got, err := modelfile.Measure(s.dir, name)
		if err != nil {
			return errors.Join(err, s.drop())
		}
		manifest.Files = append(manifest.Files, got)
	}
	for _, want := range m.Files {
		if !slices.Contains(manifest.Files, want) {
			return errors.Join(memory.Errorf(memory.CodeInvalidArgument, "%s in %s is not the file that is pinned for %s; nothing is kept",
				want.Name, from, m.Name).
				WithHint("give a model of your own another name"), s.drop())
		}
	}
	if m.Files == nil {
		if manifest.Encoder, err = settings(from, m.Name); err != nil {
			return errors.Join(err, s.drop())
		}
	}
	return s.finish(manifest)
}

func copyFile(from, to string) (err error) {
	in, err := plainfile.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

// Installed returns the models in a directory, ordered by name, those of the list and a user's own.
// A model without a readable manifest is left out.
func Installed(root string) ([]modelfile.Manifest, error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, memory.Errorf(memory.CodeUnavailable, "the directory of models cannot be read").WithCause(err)
	}
	var found []modelfile.Manifest
	for _, e := range entries {
		if CheckName(e.Name()) != nil {
			continue
		}
		if m, err := modelfile.ReadManifest(filepath.Join(root, e.Name())); err == nil {
			m.Name = e.Name() // the name of the directory is the model's
			found = append(found, m)
		}
	}
	return found, nil
}

// Remove deletes a model and what an interrupted fetch left of it. [memory.CodeNotFound] if there
// is neither.
func Remove(root, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	found := false
	for _, dir := range []string{name, "." + name + ".partial", "." + name + ".old"} {
		dir = filepath.Join(root, dir)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		found = true
		if err := os.RemoveAll(dir); err != nil {
			return memory.Errorf(memory.CodeUnavailable, "%s cannot be deleted", dir).WithCause(err)
		}
	}
	if !found {
		return memory.Errorf(memory.CodeNotFound, "there is no model %s", name).WithHint("`mcp-memory model list` shows what there is")
	}
	return nil
}
