package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"mcp-memory/memory"
)

// maxExact is 2⁵³, up to which a float64, and so a JSON number in most programs, represents every
// integer exactly.
const maxExact = 1 << 53

func (sh *shape) decodeBool(raw json.RawMessage, v reflect.Value, path string) error {
	switch strings.ToLower(string(bytes.Trim(raw, `" `))) {
	case "true":
		v.SetBool(true)
	case "false":
		v.SetBool(false)
	default:
		return sh.mismatch(raw, path)
	}
	return nil
}

// decodeNumber decodes a number, or a string that has one. 5.0 and 1e2 count as integers.
func (sh *shape) decodeNumber(raw json.RawMessage, v reflect.Value, path string) error {
	text := string(raw)
	if raw[0] == '"' {
		if json.Unmarshal(raw, &text) != nil {
			return sh.mismatch(raw, path)
		}
		text = strings.TrimSpace(text)
	}
	// The JSON grammar excludes what ParseFloat would accept: 0x1, 1_000, Inf.
	if text == "" || !(text[0] == '-' || text[0] >= '0' && text[0] <= '9') || !json.Valid([]byte(text)) {
		return sh.mismatch(raw, path)
	}
	x, err := strconv.ParseFloat(text, 64)
	outside := errors.Is(err, strconv.ErrRange) || sh.min != nil && x < *sh.min || sh.max != nil && x > *sh.max
	switch {
	case outside, sh.json == "integer" && math.Abs(x) > maxExact,
		v.Kind() == reflect.Int32 && math.Abs(x) > math.MaxInt32:
		return sh.wrong(text, path)
	case sh.json == "number":
		v.SetFloat(x)
	case x != math.Trunc(x):
		return sh.wrong(text, path)
	default:
		v.SetInt(int64(x))
	}
	return nil
}

// defaultOf reads the tag default in the way a caller's value of type t is read, and returns it as
// JSON, nil for no tag. For a list the tag has the elements, separated by commas.
func (sh *shape) defaultOf(text string, t reflect.Type) (json.RawMessage, error) {
	if text == "" {
		return nil, nil
	}
	var value any = text
	if sh.json == "array" {
		value = strings.Split(text, ",")
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	v := reflect.New(t).Elem()
	if err := sh.decode(raw, v, "it"); err != nil {
		return nil, fmt.Errorf("default %s: %w", text, err)
	}
	if sh.isTime {
		return raw, nil
	}
	return json.Marshal(v.Interface())
}

func (sh *shape) mismatch(raw json.RawMessage, path string) error {
	if path == "" {
		path = "the list of arguments"
	}
	return memory.Errorf(memory.CodeInvalidArgument, "%s is %s", path, describe(raw)).WithHint("%s", sh.allowed())
}

func (sh *shape) wrong(value, path string) error {
	return memory.Errorf(memory.CodeInvalidArgument, "%s is %s", path, clip(value)).WithHint("%s", sh.allowed())
}

// allowed describes the values that the shape accepts, for hints.
func (sh *shape) allowed() string {
	switch {
	case sh.isTime:
		return timeForms
	case len(sh.enum) > 0:
		return "one of " + strings.Join(sh.enum, ", ")
	case sh.elem != nil && len(sh.elem.enum) > 0:
		return "a list of " + strings.Join(sh.elem.enum, ", ")
	case sh.elem != nil:
		return "a list, each element " + sh.elem.allowed()
	case sh.json == "integer", sh.json == "number":
		return sh.article() + sh.bounds()
	}
	return sh.article()
}

func (sh *shape) article() string {
	if strings.ContainsRune("aeiou", rune(sh.json[0])) {
		return "an " + sh.json
	}
	return "a " + sh.json
}

func (sh *shape) bounds() string {
	number := func(x *float64) string { return strconv.FormatFloat(*x, 'f', -1, 64) }
	switch {
	case sh.min != nil && sh.max != nil:
		return fmt.Sprintf(" from %s to %s", number(sh.min), number(sh.max))
	case sh.min != nil:
		return " of at least " + number(sh.min)
	case sh.max != nil:
		return " of at most " + number(sh.max)
	}
	return ""
}

// describe says what kind of value a JSON value is, and quotes up to 60 characters of it.
func describe(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "the string " + clip(string(raw))
	case 'n':
		return "null"
	case 't', 'f':
		return "the boolean " + string(raw)
	}
	return "the number " + clip(string(raw))
}

func quote(s string) string { return strconv.Quote(clip(s)) }

// clip shortens a caller's text for a message about it.
func clip(s string) string { return memory.Shorten(s, 60) }

// shortened cuts ids that were not found to 200 characters, in place. They are the caller's text,
// and a real id is never longer.
func shortened(ids []string) []string {
	for i, id := range ids {
		ids[i] = memory.Shorten(id, 200)
	}
	return ids
}
