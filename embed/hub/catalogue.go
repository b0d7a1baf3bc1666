// Package hub puts embedding models into a directory: those of a short list,
// fetched from the public hub where their makers keep them, and a user's own.
//
// Nothing is fetched unless somebody asks. A model of the list is pinned: its
// files come from one commit, and have to have the sizes and SHA-256 checksums
// that models.json has. The list and its checksums are part of the program, so
// neither a changed repository nor a mirror nor a broken line can put another
// file in place.
//
// A model appears at once: its files are gathered in a directory beside
// (.NAME.partial), checked, loaded once, and only then is the directory renamed.
// What was fetched before an interruption stays there, and the next attempt goes
// on from it; what fails its checksum is deleted with all the rest.
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

// DefaultURL is where the models of the list are.
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

// Models returns the list: static models, then encoders, of each the smallest first.
var Models = sync.OnceValue(func() []Model {
	var models []Model
	if err := json.Unmarshal(list, &models); err != nil {
		panic(err) // a test reads it
	}
	return models
})

// Find returns the model of a name, whatever the case of its letters, and
// whether there is one.
func Find(models []Model, name string) (Model, bool) {
	i := slices.IndexFunc(models, func(m Model) bool { return strings.EqualFold(m.Name, name) })
	if i < 0 {
		return Model{}, false
	}
	return models[i], true
}

// names are names of directories on every system.
var names = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// reserved are the values of the setting embed.local that mean what is in the program.
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
