package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
)

// maxListed is the largest number of elements of a list without a maxitems tag. It is not written
// into the schema: there it would cost every host tokens, and hardly a caller comes near.
const maxListed = 100

// decode fills v, a struct of the shape sh, from the arguments of a call. An absent argument, or
// one that is null, gets its default. Errors are [memory.CodeInvalidArgument] or
// [memory.CodeTooLarge] and name the argument.
//
// Models write numbers and booleans as strings, and a list with one element as that element alone.
// Both are accepted where only one reading is possible.
func decode(sh *shape, args json.RawMessage, v reflect.Value) error {
	// encoding/json silently replaces bytes that are not UTF-8, so they are looked for first.
	if !utf8.Valid(args) {
		return memory.Errorf(memory.CodeInvalidArgument, "the arguments are not valid UTF-8").WithHint("convert them to UTF-8 first")
	}
	args = bytes.TrimSpace(args)
	if len(args) == 0 || string(args) == "null" {
		args = json.RawMessage("{}")
	}
	if !json.Valid(args) {
		return memory.Errorf(memory.CodeInvalidArgument, "the arguments are not valid JSON")
	}
	return sh.decodeObject(args, v, "")
}

// decode fills v from raw, which is one valid JSON value at path.
func (sh *shape) decode(raw json.RawMessage, v reflect.Value, path string) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		return sh.decode(raw, v.Elem(), path)
	}
	switch {
	case sh.isTime:
		return sh.decodeTime(raw, v, path)
	case sh.free:
		var text string
		if raw[0] == '"' && json.Unmarshal(raw, &text) == nil && json.Valid([]byte(text)) {
			raw = json.RawMessage(strings.TrimSpace(text)) // an object as text, as some hosts send it
		}
		if raw[0] != '{' {
			return sh.mismatch(raw, path)
		}
		return json.Unmarshal(raw, v.Addr().Interface())
	}
	switch sh.json {
	case "object":
		return sh.decodeObject(raw, v, path)
	case "array":
		return sh.decodeArray(raw, v, path)
	case "string":
		return sh.decodeString(raw, v, path)
	case "boolean":
		return sh.decodeBool(raw, v, path)
	}
	return sh.decodeNumber(raw, v, path)
}

func (sh *shape) decodeObject(raw json.RawMessage, v reflect.Value, path string) error {
	var keys map[string]json.RawMessage
	if raw[0] != '{' || json.Unmarshal(raw, &keys) != nil {
		return sh.mismatch(raw, path)
	}
	if err := sh.checkKeys(keys, path); err != nil {
		return err
	}
	for _, f := range sh.fields {
		at := join(path, f.name)
		value, given := keys[f.name]
		target := v.FieldByIndex(f.index)
		var err error
		switch {
		case given && !f.blank(value):
			err = f.decode(value, target, at)
		case f.required:
			err = memory.Errorf(memory.CodeInvalidArgument, "%s is missing", at).WithHint("%s", f.allowed())
		case f.absent != nil:
			err = f.decode(f.absent, target, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// blank reports whether a value counts as absent: null, or an empty string for a time or an enum,
// where it has no meaning. Models send it for "no choice".
func (f field) blank(raw json.RawMessage) bool {
	return string(raw) == "null" || string(raw) == `""` && (f.isTime || len(f.enum) > 0)
}

func (sh *shape) checkKeys(keys map[string]json.RawMessage, path string) error {
	known := make([]string, len(sh.fields))
	for i, f := range sh.fields {
		known[i] = f.name
	}
	var unknown []string
	for key := range keys {
		if !slices.Contains(known, key) {
			unknown = append(unknown, key)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	key := slices.Min(unknown)
	err := memory.Errorf(memory.CodeInvalidArgument, "unknown argument %s", quote(join(path, key)))
	if near := Nearest(key, known); near != "" {
		return err.WithHint("did you mean %s?", join(path, near))
	}
	if len(known) == 0 {
		return err.WithHint("there are no arguments")
	}
	return err.WithHint("the arguments are %s", strings.Join(known, ", "))
}

func (sh *shape) decodeArray(raw json.RawMessage, v reflect.Value, path string) error {
	var items []json.RawMessage
	switch {
	case raw[0] == '"' && sh.elem.json == "string":
		items = []json.RawMessage{raw}
	case raw[0] != '[' || json.Unmarshal(raw, &items) != nil:
		return sh.mismatch(raw, path)
	}
	most, hint := sh.maxItems, "call again for the rest"
	if most == 0 {
		most, hint = maxListed, "keep the ones that matter"
	}
	if len(items) > most {
		return memory.Errorf(memory.CodeTooLarge, "%s has %d elements, at most %d are allowed", path, len(items), most).WithHint("%s", hint)
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if err := sh.elem.decode(item, list.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	v.Set(list)
	return nil
}

func (sh *shape) decodeString(raw json.RawMessage, v reflect.Value, path string) error {
	s, err := sh.text(raw, path)
	if err != nil {
		return err
	}
	if len(sh.enum) > 0 && !slices.Contains(sh.enum, s) {
		err := memory.Errorf(memory.CodeInvalidArgument, "%s is %s", path, quote(s))
		if near := Nearest(s, sh.enum); near != "" {
			return err.WithHint("%s; did you mean %s?", sh.allowed(), near)
		}
		return err.WithHint("%s", sh.allowed())
	}
	if sh.day && sh.clock != nil && strings.TrimSpace(s) != "" && !isDate(s) {
		switch spoken, ok, unclear := Spoken(path, s, sh.clock()); {
		case ok:
			s = spoken.Format(time.DateOnly)
		case unclear != nil:
			return unclear
		}
	}
	v.SetString(s)
	return nil
}

func (sh *shape) decodeTime(raw json.RawMessage, v reflect.Value, path string) error {
	s, err := sh.text(raw, path)
	if err != nil {
		return err
	}
	t, err := ParseTime(path, s)
	if err != nil && sh.clock != nil {
		switch spoken, ok, unclear := Spoken(path, s, sh.clock()); {
		case ok:
			t, err = Dated(path, spoken), nil
		case unclear != nil:
			err = unclear
		}
	}
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(t))
	return nil
}

// text decodes the JSON string raw. A text longer than sh.maxLen bytes is [memory.CodeTooLarge].
func (sh *shape) text(raw json.RawMessage, path string) (string, error) {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", sh.mismatch(raw, path)
	}
	// encoding/json decodes half of a surrogate pair to U+FFFD. If the result has more of them than
	// the JSON text, a character was lost.
	if n := strings.Count(s, "\uFFFD"); n > 0 && n > bytes.Count(raw, []byte("\uFFFD"))+bytes.Count(bytes.ToLower(raw), []byte(`\ufffd`)) {
		return "", memory.Errorf(memory.CodeInvalidArgument, "%s has half of a surrogate pair (\\uD800 to \\uDFFF)", path).
			WithHint("escape the whole pair, or write the character itself")
	}
	limit := sh.maxLen
	if limit == 0 {
		limit = math.MaxInt
	}
	return s, memory.CheckText(path, s, limit)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
