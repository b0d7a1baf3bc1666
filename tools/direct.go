package tools

import (
	"context"
	"encoding/json"
	"reflect"

	"mcp-memory/memory"
)

// Argument describes an argument of a tool for callers that do not use MCP, such as the command
// line.
type Argument struct {
	Name        string
	Format      string // of a string: date-time, or empty
	Type        string // string, integer, number, boolean, object, array (of strings) or objects (an array of them)
	Description string
	Required    bool
	Choices     []string // the values allowed, for an array those of its elements; nil if any value is
	Default     string   // empty for none
}

// Arguments lists a tool's arguments in the order of its schema, or nil if
// there is no such tool.
func (f Fleet) Arguments(tool string) []Argument {
	for _, r := range f.rows {
		if r.Name != tool {
			continue
		}
		list := make([]Argument, len(r.in.fields))
		for i, field := range r.in.fields {
			list[i] = Argument{
				Name: field.name, Type: field.json, Description: field.desc, Required: field.required, Choices: field.enum,
				Default: plain.Replace(string(field.absent)),
			}
			if field.isTime {
				list[i].Format = "date-time"
			}
			if field.elem != nil {
				list[i].Choices = field.elem.enum
			}
			if field.elem != nil && field.elem.json == "object" {
				list[i].Type = "objects"
			}
		}
		return list
	}
	return nil
}

// Effect says what calls of a tool may do, "" if there is no such tool.
func (f Fleet) Effect(tool string) Effect {
	for _, r := range f.rows {
		if r.Name == tool {
			return r.Tool.Effect
		}
	}
	return ""
}

// Call runs a tool without a protocol around it: the same decoding, use case
// and result as over MCP. It returns the structured result as JSON and the
// text. Errors are the tool's own; an unknown tool is [memory.CodeNotFound].
func (f Fleet) Call(ctx context.Context, tool string, arguments json.RawMessage) (json.RawMessage, string, error) {
	for _, r := range f.rows {
		if r.Name != tool {
			continue
		}
		out, text, err := r.call(ctx, r.scopeOf, r.in, arguments)
		if err != nil {
			return nil, "", err
		}
		data, err := json.Marshal(tidy(reflect.ValueOf(out)).Interface())
		if text == "" {
			text = string(data)
		}
		return data, text, err
	}
	return nil, "", memory.Errorf(memory.CodeNotFound, "there is no tool %q", tool)
}
