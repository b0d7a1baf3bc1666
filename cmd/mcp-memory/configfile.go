package main

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
)

// changeConfig sets and removes settings in config.yaml in a directory. A value of "" removes one.
// All other lines and comments stay as they are. The file is replaced atomically.
//
// If the file is written in a way that cannot be changed line by line, the error is
// [memory.CodeConflict]. Then the file is left alone, and the error says what to write.
func changeConfig(dir string, changes map[string]string) error {
	path := filepath.Join(dir, "config.yaml")
	old, err := plainfile.Read(path, maxOwn)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return memory.Errorf(memory.CodeUnavailable, "config.yaml cannot be read").WithCause(err)
	}
	want, err := configValues(old)
	if err != nil {
		return err
	}
	text := configLines(strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(old), "\r\n", "\n"), "\n"), "\n"))
	if len(old) == 0 {
		text = nil
	}
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		text = text.without(key)
		delete(want, key)
		if value := changes[key]; value != "" {
			text, want[key] = text.with(key, value), value
		}
	}
	made := strings.Join(text, "\n")
	if made != "" {
		made += "\n"
	}
	if got, err := configValues([]byte(made)); err != nil || !maps.Equal(got, want) {
		return memory.Errorf(memory.CodeConflict, "config.yaml is written in a way that cannot be changed automatically").
			WithHint("change these settings in %s yourself: %s", path, changesText(changes))
	}
	return replaceFile(path, made)
}

// changesText describes changes as lines of the file.
func changesText(changes map[string]string) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		if changes[key] == "" {
			list = append(list, "no "+key)
		} else {
			list = append(list, key+": "+quoted(changes[key]))
		}
	}
	return strings.Join(list, ", ")
}

func configValues(text []byte) (map[string]string, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // editors on Windows begin a file with a byte order mark
	var tree map[string]any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return nil, notYAML(err)
	}
	flat := map[string]string{}
	flatten("", tree, flat)
	return flat, nil
}

// configLines are the lines of config.yaml.
type configLines []string

// block matches a line that begins a group of settings.
var block = lazyregexp.New(`^([A-Za-z_]+):\s*(#.*)?$`)

// find returns the index of the line of a setting, written with dots or in its group, and of the
// line that begins its group. -1 is for what is missing.
func (c configLines) find(key string) (line, group int) {
	name, inner, _ := strings.Cut(key, ".")
	line, group = -1, -1
	inGroup := false
	for i, text := range c {
		trimmed := strings.TrimSpace(text)
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if text[0] != ' ' && text[0] != '\t' {
			m := block().FindStringSubmatch(text)
			if inGroup = m != nil && m[1] == name && inner != ""; inGroup {
				group = i
			} else if strings.HasPrefix(text, key+":") {
				line = i
			}
			continue
		}
		if inGroup && strings.HasPrefix(trimmed, inner+":") {
			line = i
		}
	}
	return line, group
}

// without removes a setting, and its group if that is then empty.
func (c configLines) without(key string) configLines {
	line, _ := c.find(key)
	if line < 0 {
		return c
	}
	c = slices.Delete(slices.Clone(c), line, line+1)
	if _, group := c.find(key); group >= 0 && c.firstInside(group) < 0 {
		c = slices.Delete(c, group, group+1)
	}
	return c
}

// firstInside returns the index of the first setting of a group, -1 if it has none.
func (c configLines) firstInside(group int) int {
	for i := group + 1; i < len(c); i++ {
		trimmed := strings.TrimSpace(c[i])
		switch {
		case trimmed == "" || trimmed[0] == '#':
		case c[i][0] == ' ':
			return i
		default:
			return -1
		}
	}
	return -1
}

// with adds a setting to its group, or at the end of the file.
func (c configLines) with(key, value string) configLines {
	_, inner, _ := strings.Cut(key, ".")
	if _, group := c.find(key); group >= 0 {
		if first := c.firstInside(group); first >= 0 {
			indent := c[first][:len(c[first])-len(strings.TrimLeft(c[first], " "))]
			return slices.Insert(slices.Clone(c), first, indent+inner+": "+quoted(value))
		}
	}
	return append(slices.Clone(c), key+": "+quoted(value))
}

// plain matches values that may be written without quotes.
var plain = lazyregexp.New(`^([a-z]+-[A-Za-z0-9.-]*[A-Za-z0-9]|https?://[A-Za-z0-9.:/_-]*[A-Za-z0-9/]|[1-9][0-9]*)$`)

func quoted(value string) string {
	if plain().MatchString(value) {
		return value
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// replaceFile writes a file that only its owner may read, atomically.
func replaceFile(path, text string) error {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved // keep a symbolic link
	}
	out, err := os.CreateTemp(filepath.Dir(path), ".config-*") // 0600
	if err != nil {
		return cannotUse(path, err)
	}
	_, err = out.WriteString(text)
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = os.Rename(out.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return nil
}
