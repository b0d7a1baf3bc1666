package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// skill is the only file that is in the tree twice: Gemini CLI looks for it only below the
// directory of its own extension.
const skill = "skills/memory/SKILL.md"

// treeFiles writes the generated files of the tree. With check it writes nothing, and returns an
// error that lists those which are out of date.
func treeFiles(top string, check bool) error {
	text, err := os.ReadFile(filepath.Join(top, "plugin", skill))
	if err != nil {
		return err
	}
	files, err := pluginFiles()
	if err != nil {
		return err
	}
	files["plugin/gemini/"+skill] = text
	var differ []string
	for name, want := range files {
		path := filepath.Join(top, filepath.FromSlash(name))
		if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, want) {
			continue
		}
		differ = append(differ, name)
		if check {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			return err
		}
	}
	slices.Sort(differ)
	if check && len(differ) > 0 {
		return errors.New("not as internal/product and the code say: " + strings.Join(differ, ", ") +
			"; go run ./build/release files writes them")
	}
	for _, name := range differ {
		fmt.Println("wrote", name)
	}
	return nil
}

// jsonText returns a value as indented JSON.
func jsonText(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return b.Bytes(), err
}
