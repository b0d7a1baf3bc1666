package jsonl

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"
)

// DecodeKnown is [Decode] for long texts of which a struct, or a slice of structs, needs little.
// Members without a field are skipped without being checked. Fields of type [json.RawMessage] are
// slices of text, neither copied nor checked, so they are valid only as long as text is. For a
// transcript this takes a fraction of the time of Decode.
//
// Whatever it cannot handle is passed to Decode, whose errors it returns.
func DecodeKnown(text []byte, into any) error {
	if decodeKnown(text, reflect.ValueOf(into).Elem()) {
		return nil
	}
	return Decode(text, into)
}

func decodeKnown(text []byte, into reflect.Value) bool {
	if into.Kind() == reflect.Slice {
		list := reflect.MakeSlice(into.Type(), 0, 1)
		element := reflect.New(into.Type().Elem()).Elem()
		ok := walk(text, '[', func(_, value []byte) bool {
			element.SetZero()
			if !decodeKnown(value, element) {
				return false
			}
			list = reflect.Append(list, element)
			return true
		})
		if ok {
			into.Set(list)
		}
		return ok
	}
	if into.Kind() != reflect.Struct {
		return false
	}
	fields := fieldsOf(into.Type())
	var raw [16]struct { // raw fields, set after the others were decoded
		field int
		value []byte
	}
	raws, rest := 0, []byte{'{'}
	ok := walk(text, '{', func(key, value []byte) bool {
		f, sure := fields.of(key)
		switch {
		case !sure:
			return false
		case f == nil:
			return true
		case !f.raw:
			if len(rest) > 1 {
				rest = append(rest, ',')
			}
			rest = append(append(append(append(rest, '"'), key...), '"', ':'), value...)
			return true
		case raws == len(raw):
			return false
		}
		raw[raws].field, raw[raws].value = f.index, value
		raws++
		return true
	})
	if !ok || len(rest) > 1 && json.Unmarshal(append(rest, '}'), into.Addr().Interface()) != nil {
		return false
	}
	for _, r := range raw[:raws] {
		into.Field(r.field).SetBytes(r.value[:len(r.value):len(r.value)])
	}
	return true
}

// field is a field of a struct.
type field struct {
	name  string
	index int
	raw   bool // a [json.RawMessage]
}

// fields are the fields of a struct, indexed by the length of their names.
type fields [][]field

var knownFields sync.Map // fields by reflect.Type

func fieldsOf(t reflect.Type) fields {
	if known, ok := knownFields.Load(t); ok {
		return known.(fields)
	}
	var list fields
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || !f.IsExported() || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			list = nil // its JSON names are not just those of its tags
			break
		}
		for len(list) <= len(name) {
			list = append(list, nil)
		}
		list[len(name)] = append(list[len(name)], field{name, i, f.Type == reflect.TypeFor[json.RawMessage]()})
	}
	knownFields.Store(t, list)
	return list
}

// of returns the field of a key, nil if there is none. sure is false for keys with escapes,
// non-ASCII characters or another case, which [json.Unmarshal] may match to a field.
func (f fields) of(key []byte) (found *field, sure bool) {
	if f == nil {
		return nil, false
	}
	for _, c := range key {
		if c == '\\' || c >= utf8.RuneSelf {
			return nil, false
		}
	}
	if len(key) >= len(f) {
		return nil, true
	}
	for i, known := range f[len(key)] {
		if string(key) == known.name {
			return &f[len(key)][i], true
		}
		if strings.EqualFold(string(key), known.name) {
			return nil, false
		}
	}
	return nil, true
}

// walk calls fn for each member of a JSON object, or for each element of a list, whose key is nil.
// It returns false if fn does, or if the text is not an object or list. It checks only how strings
// and brackets nest, not the values.
func walk(text []byte, open byte, fn func(key, value []byte) bool) bool {
	text = bytes.TrimSpace(text)
	if len(text) < 2 || text[0] != open {
		return false
	}
	end := open + 2 // ']' is '[' + 2, and '}' is '{' + 2
	at := blanks(text, 1)
	if at < len(text) && text[at] == end {
		return at == len(text)-1
	}
	for {
		var key []byte
		if open == '{' {
			after := endOfString(text, at)
			if after < 0 {
				return false
			}
			key = text[at+1 : after-1]
			if at = blanks(text, after); at >= len(text) || text[at] != ':' {
				return false
			}
			at = blanks(text, at+1)
		}
		after := endOfValue(text, at)
		if after < 0 || !fn(key, text[at:after]) {
			return false
		}
		if at = blanks(text, after); at >= len(text) {
			return false
		}
		if text[at] == end {
			return at == len(text)-1
		}
		if text[at] != ',' {
			return false
		}
		at = blanks(text, at+1)
	}
}

func blanks(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// endOfString returns the offset after the string that begins at offset at, -1 if there is none.
func endOfString(text []byte, at int) int {
	if at >= len(text) || text[at] != '"' {
		return -1
	}
	for i := at + 1; ; i++ {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		slashes := 0
		for text[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

// endOfValue returns the offset after the value that begins at offset at, -1 if there is none.
func endOfValue(text []byte, at int) int {
	if at >= len(text) {
		return -1
	}
	switch text[at] {
	case '"':
		return endOfString(text, at)
	case '{', '[':
		return endOfNested(text, at)
	}
	end := at
	for end < len(text) && strings.IndexByte(",]} \n\t\r\":[{", text[end]) < 0 {
		end++
	}
	if end == at || !json.Valid(text[at:end]) {
		return -1
	}
	return end
}

// maxNested is how deep a value may be nested to be skipped.
const maxNested = 64

func endOfNested(text []byte, at int) int {
	var open [maxNested]byte
	depth := 0
	for ; at < len(text); at++ {
		switch c := text[at]; c {
		case '"':
			if at = endOfString(text, at) - 1; at < 0 {
				return -1
			}
		case '{', '[':
			if depth == maxNested {
				return -1
			}
			open[depth] = c + 2
			depth++
		case '}', ']':
			if depth--; open[depth] != c {
				return -1
			}
			if depth == 0 {
				return at + 1
			}
		}
	}
	return -1
}

// Text returns the text of a JSON string. ok is false if the value is not a string.
func Text(value []byte) (text string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	if text, ok = unquoted(value); ok {
		return text, true
	}
	err := json.Unmarshal(value, &text)
	return text, err == nil
}

// plainEscapes maps the character after a backslash to the one it stands for.
var plainEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquoted returns the text of a JSON string without \u escapes. ok is false for others and for
// invalid ones.
func unquoted(value []byte) (string, bool) {
	if value[len(value)-1] != '"' || !utf8.Valid(value) {
		return "", false
	}
	inner := value[1 : len(value)-1]
	for _, c := range inner {
		if c < ' ' {
			return "", false
		}
	}
	next := bytes.IndexByte(inner, '\\')
	if next < 0 {
		return string(inner), bytes.IndexByte(inner, '"') < 0
	}
	var b strings.Builder
	b.Grow(len(inner))
	for ; next >= 0; next = bytes.IndexByte(inner, '\\') {
		if bytes.IndexByte(inner[:next], '"') >= 0 || next+1 == len(inner) {
			return "", false
		}
		b.Write(inner[:next])
		c := plainEscapes[inner[next+1]]
		if c == 0 {
			return "", false
		}
		b.WriteByte(c)
		inner = inner[next+2:]
	}
	b.Write(inner)
	return b.String(), bytes.IndexByte(inner, '"') < 0
}
