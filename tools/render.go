package tools

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/memory"
)

// severity is the level at which an error of each code is logged. A test keeps it complete. Callers
// get the same kind of result for every code; see [Failure].
var severity = map[memory.Code]slog.Level{
	memory.CodeInvalidArgument: slog.LevelInfo,
	memory.CodeNotFound:        slog.LevelInfo,
	memory.CodeConflict:        slog.LevelInfo,
	memory.CodeForbidden:       slog.LevelInfo,
	memory.CodeTooLarge:        slog.LevelInfo,
	memory.CodeExpired:         slog.LevelInfo,
	memory.CodeUnavailable:     slog.LevelWarn,
	memory.CodeInternal:        slog.LevelError,
}

// Failure is the result of a tool that failed, with the text "code: what is wrong (hint)". It is no
// protocol error, because those do not reach the model.
func Failure(err *memory.Error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.NewTextContent(err.Error())}}
}

// success is the result of a tool: its structured form, and text for hosts that show only that.
// Without a text, the text is the JSON.
func success(out any, text string) (*mcp.CallToolResult, error) {
	data, err := json.Marshal(tidy(reflect.ValueOf(out)).Interface())
	if err != nil {
		return nil, fmt.Errorf("render result: %w", err)
	}
	if text == "" {
		text = string(data)
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.NewTextContent(text)},
		StructuredContent: json.RawMessage(data),
	}, nil
}

// tidy returns a copy of v that fits its output schema: nil lists and maps become empty ones,
// because encoding/json writes nil as null, and times are converted to UTC. v itself may be shared
// with the use case and is not changed.
func tidy(v reflect.Value) reflect.Value {
	switch {
	case v.Type() == timeType:
		return reflect.ValueOf(v.Interface().(time.Time).UTC())
	case v.Type() == rawType && v.Len() == 0:
		return reflect.ValueOf(json.RawMessage("{}"))
	case v.Type() == rawType:
		return v
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(tidy(v.Elem()))
		return p
	case reflect.Map:
		if v.IsNil() {
			return reflect.MakeMap(v.Type())
		}
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			list.Index(i).Set(tidy(v.Index(i)))
		}
		return list
	case reflect.Struct:
		s := reflect.New(v.Type()).Elem()
		s.Set(v)
		for i := range v.NumField() {
			omitted := v.Field(i).IsZero() && strings.Contains(v.Type().Field(i).Tag.Get("json"), ",omitempty")
			if s.Field(i).CanSet() && !omitted {
				s.Field(i).Set(tidy(v.Field(i)))
			}
		}
		return s
	}
	return v
}
