package memorytool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// input is what a model asks for. Which fields a command needs is in commands.
type input struct {
	Command    string  `json:"command"`
	Path       *string `json:"path"`
	ViewRange  []int   `json:"view_range"`
	FileText   *string `json:"file_text"`
	OldStr     *string `json:"old_str"`
	NewStr     *string `json:"new_str"`
	InsertLine *int    `json:"insert_line"`
	InsertText *string `json:"insert_text"`
	OldPath    *string `json:"old_path"`
	NewPath    *string `json:"new_path"`
}

// commands are what can be asked for, by name.
var commands = map[string]struct {
	do    func(context.Context, workspace.Memories, input) (string, error)
	given func(input) bool // whether it has what do reads
	needs string           // that, for the model
}{
	"view":        {view, func(in input) bool { return in.Path != nil }, "`path`"},
	"create":      {create, func(in input) bool { return in.Path != nil && in.FileText != nil }, "`path` and `file_text`"},
	"str_replace": {replace, func(in input) bool { return in.Path != nil && in.OldStr != nil }, "`path`, `old_str` and `new_str`"},
	"insert": {
		insert, func(in input) bool { return in.Path != nil && in.InsertLine != nil && in.InsertText != nil },
		"`path`, `insert_line` and `insert_text`",
	},
	"delete": {remove, func(in input) bool { return in.Path != nil }, "`path`"},
	"rename": {rename, func(in input) bool { return in.OldPath != nil && in.NewPath != nil }, "`old_path` and `new_path`"},
}

// decode reads the input of a call; problem says what is wrong with it, "" if nothing.
// A str_replace without new_str takes the text out.
func decode(data []byte) (in input, problem string) {
	if err := json.Unmarshal(data, &in); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			return in, fmt.Sprintf("`%s` is a %s", kind.Field, kind.Value)
		}
		return in, "the input is not a JSON object"
	}
	command, known := commands[in.Command]
	switch {
	case !known:
		return in, fmt.Sprintf("Unknown command: %s", memory.Shorten(in.Command, maxShown))
	case !command.given(in):
		return in, fmt.Sprintf("%s needs %s", in.Command, command.needs)
	}
	if in.NewStr == nil {
		in.NewStr = new(string)
	}
	return in, ""
}

// Root is what the folder is called in paths.
const Root = "/memories"

// wrong is a text for the model about what it asked for.
type wrong string

// Error returns the text.
func (w wrong) Error() string { return string(w) }

func wrongf(format string, args ...any) error { return wrong(fmt.Sprintf(format, args...)) }

// nameOf is a path without what stands for the folder. A path that is written to lead
// elsewhere is refused, also percent-encoded, whatever it would lead to.
func nameOf(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, Root)
	if !ok || rest != "" && rest[0] != '/' {
		return "", wrongf("Error: Path must start with %s, got: %s", Root, memory.Shorten(path, maxShown))
	}
	encoded := func(part string) bool { return strings.Contains(strings.ToLower(rest), part) }
	if slices.ContainsFunc([]string{"%2e", "%2f", "%5c", "%25"}, encoded) || strings.Contains(rest, "\\") ||
		slices.Contains(strings.Split(rest, "/"), "..") {
		return "", wrongf("Error: Path %s would escape %s directory", memory.Shorten(path, maxShown), Root)
	}
	rest = strings.Trim(rest, "/")
	for strings.Contains(rest, "//") {
		rest = strings.ReplaceAll(rest, "//", "/")
	}
	return rest, nil
}

// maxShown is how many characters an error repeats of what it was told.
const maxShown = 300
