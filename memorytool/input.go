package memorytool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/workspace"
)

// input is what a model asks for. Which fields a command needs is in needs.
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

// commands are what can be asked for.
var commands = map[string]func(context.Context, workspace.Memories, input) (string, error){
	"view": view, "create": create, "str_replace": replace, "insert": insert, "delete": remove, "rename": rename,
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
	if commands[in.Command] == nil {
		return in, fmt.Sprintf("Unknown command: %s", shown(in.Command))
	}
	needs := map[string][]*string{
		"view": {in.Path}, "create": {in.Path, in.FileText}, "str_replace": {in.Path, in.OldStr},
		"insert": {in.Path, in.InsertText}, "delete": {in.Path}, "rename": {in.OldPath, in.NewPath},
	}[in.Command]
	if slices.Contains(needs, nil) || in.Command == "insert" && in.InsertLine == nil {
		return in, fmt.Sprintf("%s needs %s", in.Command, map[string]string{
			"view": "`path`", "create": "`path` and `file_text`", "str_replace": "`path`, `old_str` and `new_str`",
			"insert": "`path`, `insert_line` and `insert_text`", "delete": "`path`", "rename": "`old_path` and `new_path`",
		}[in.Command])
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
		return "", wrongf("Error: Path must start with %s, got: %s", Root, shown(path))
	}
	encoded := func(part string) bool { return strings.Contains(strings.ToLower(rest), part) }
	if slices.ContainsFunc([]string{"%2e", "%2f", "%5c", "%25"}, encoded) || strings.Contains(rest, "\\") || slices.Contains(strings.Split(rest, "/"), "..") {
		return "", wrongf("Error: Path %s would escape %s directory", shown(path), Root)
	}
	rest = strings.Trim(rest, "/")
	for strings.Contains(rest, "//") {
		rest = strings.ReplaceAll(rest, "//", "/")
	}
	return rest, nil
}

// maxShown is how many characters an error repeats of what it was told.
const maxShown = 300

func shown(text string) string {
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return text
}
