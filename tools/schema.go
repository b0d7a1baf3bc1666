package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// schema is a JSON schema limited to what every host can read. There are no arrays of types, no
// references and no alternatives. Nested schemas are written where they are used. Keys are in the
// order of the struct.
type schema struct {
	Type        string          `json:"type"`
	Description string          `json:"description,omitempty"`
	Enum        []string        `json:"enum,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	Minimum     *float64        `json:"minimum,omitempty"`
	Maximum     *float64        `json:"maximum,omitempty"`
	MaxLength   int             `json:"maxLength,omitempty"`
	Format      string          `json:"format,omitempty"`
	Items       *schema         `json:"items,omitempty"`
	MaxItems    int             `json:"maxItems,omitempty"`
	Properties  *properties     `json:"properties,omitempty"`
	Required    []string        `json:"required,omitempty"`
	// Closed points to false for arguments, where an unknown key is a mistake. It is nil for
	// results, which may get more fields later.
	Closed *bool `json:"additionalProperties,omitempty"`
}

// properties is a JSON object that keeps the order of its keys.
type properties []property

type property struct {
	name string
	schema
}

// MarshalJSON writes the properties in order.
func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(one.schema)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", one.name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// schemaOf returns the schema of a shape. Marshalling it cannot fail.
func schemaOf(sh *shape, output bool) schema {
	out := schema{Type: sh.json, Enum: sh.enum, Minimum: sh.min, Maximum: sh.max, MaxLength: sh.maxLen, MaxItems: sh.maxItems}
	switch {
	case sh.isTime && output:
		// Arguments have no format, because a date without a time is accepted too.
		out.Format = "date-time"
	case sh.elem != nil:
		items := schemaOf(sh.elem, output)
		out.Items = &items
	case sh.json == "object" && !sh.free:
		out.addFields(sh, output)
	}
	return out
}

func (s *schema) addFields(sh *shape, output bool) {
	s.Properties = &properties{}
	if !output {
		s.Closed = new(bool)
	}
	for _, f := range sh.fields {
		one := schemaOf(f.shape, output)
		one.Description, one.Default = f.desc, f.absent
		if f.required {
			s.Required = append(s.Required, f.name)
		}
		*s.Properties = append(*s.Properties, property{f.name, one})
	}
}

// raw marshals a schema.
func (s schema) raw() json.RawMessage {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // nothing in it can fail to be marshalled
	}
	return data
}
