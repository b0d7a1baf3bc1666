package hosts

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object with members in order.
type object []member

// member is a name and its value: an object, list, string, number or bool.
type member struct {
	name  string
	value any
}

// list is a JSON array.
type list []any

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoteJSON(m.name))
		b.WriteByte(':')
		value, err := marshal(m.value, "", "")
		if err != nil {
			return nil, err
		}
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// with returns the object with one more member, unless the value is nil.
func (o object) with(name string, value any) object {
	if value == nil {
		return o
	}
	return append(o[:len(o):len(o)], member{name, value})
}

// get returns the value of a member, or nil.
func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// marshal returns a value as JSON, on one line if indent is "".
func marshal(v any, prefix, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if indent != "" {
		e.SetIndent(prefix, indent)
	}
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// quoteJSON returns a string literal for JSON, and for TOML, whose basic
// strings are the same.
func quoteJSON(s string) []byte {
	text, _ := marshal(s, "", "") // cannot fail for a string
	return text
}

// words returns a list of strings.
func words(s ...string) list {
	all := make(list, len(s))
	for i, one := range s {
		all[i] = one
	}
	return all
}

// plain returns a value as encoding/json decodes it: maps, slices, strings,
// numbers, bools.
func plain(v any) any {
	text, err := marshal(v, "", "")
	if err != nil {
		return nil
	}
	var tree any
	if json.Unmarshal(text, &tree) != nil {
		return nil
	}
	return tree
}
