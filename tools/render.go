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

// severity is how loudly each code is logged; a test keeps it complete. To the
// caller every code is the same kind of result, see failure.
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

// Failure is a tool error, which unlike a protocol error reaches the model:
// "code: what is wrong (hint)".
func Failure(err *memory.Error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.NewTextContent(err.Error())}}
}

// success is a result with its structured form, and with text for hosts that
// show only that.
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

// tidy returns a copy of v that fits its output schema: nil lists and maps are
// empty ones, which encoding/json would write as null, and times are in UTC.
// The use case's own value, which it may share, is left alone.
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
