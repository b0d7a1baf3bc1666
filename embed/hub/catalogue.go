// Package hub installs embedding models in a directory: those of a short list, which it fetches
// from the public hub where their authors keep them, and a user's own.
//
// Nothing is fetched unless somebody asks for it. A model of the list is pinned: its files come
// from one commit, and must have the sizes and SHA-256 checksums that models.json has for them. The
// list is part of the program, so neither a changed repository nor a mirror nor a bad connection
// can put another file in their place.
//
// A model appears in one step: its files are gathered in a directory beside (.NAME.partial),
// checked, and loaded once; only then is the directory renamed. After an interruption that
// directory stays, and the next attempt continues from there. If a file fails its checksum, the
// whole directory is deleted.
package hub

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcp-memory/embed/modelfile"
	"mcp-memory/memory"
)

// DefaultURL is the hub from which the models of the list are fetched.
const DefaultURL = "https://huggingface.co"

// Model is a model that can be fetched by its name.
type Model struct {
	modelfile.Manifest
	Languages string `json:"languages"`
	Licence   string `json:"licence"`
	About     string `json:"about"` // a few words on what it is for
}

//go:embed models.json
var list []byte

// Models returns the list: static models, then encoders, each by size.
var Models = sync.OnceValue(func() []Model {
	var models []Model
	if err := json.Unmarshal(list, &models); err != nil {
		panic(err) // a test makes sure that this never happens
	}
	return models
})

// Find returns the model with a name, ignoring case, and whether there is one.
func Find(models []Model, name string) (Model, bool) {
	i := slices.IndexFunc(models, func(m Model) bool { return strings.EqualFold(m.Name, name) })
	if i < 0 {
		return Model{}, false
	}
	return models[i], true
}

// names matches what can be the name of a directory on every system.
var names = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// reserved are the values of the setting embed.local that mean embedders in the program.
var reserved = []string{"builtin", "table", "encoder"}

// CheckName returns [memory.CodeInvalidArgument] for what cannot be the name of
// a model in a directory.
func CheckName(name string) error {
	taken := slices.ContainsFunc(reserved, func(own string) bool { return strings.EqualFold(name, own) })
	if taken || !names().MatchString(name) || strings.HasSuffix(name, ".") {
		return memory.Errorf(memory.CodeInvalidArgument, "%q is not a name for a model", name).
			WithHint("letters, digits, dots, dashes and underscores; `mcp-memory model list` shows what there is")
	}
	return nil
}
