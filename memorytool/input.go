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

// input is the input of a call. The fields that each command needs are in commands.
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

// commands has the commands by name.
var commands = map[string]struct {
	do    func(context.Context, workspace.Memories, input) (string, error)
	given func(input) bool // whether the fields are there that do needs
	needs string           // the names of these fields, for the model
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

// decode parses the input of a call. problem says what is wrong with it, "" for nothing. A
// str_replace without new_str deletes the text.
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

// Root is the name of the folder in paths.
const Root = "/memories"

// wrong is an error whose text is written for the model.
type wrong string

// Error returns the text.
func (w wrong) Error() string { return string(w) }

func wrongf(format string, args ...any) error { return wrong(fmt.Sprintf(format, args...)) }

// nameOf returns a path relative to [Root]. A path with "..", a backslash, or a percent-encoded
// dot, separator or percent sign is refused, even if it would stay inside.
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

// maxShown is how many characters of the caller's text an error repeats.
const maxShown = 300
