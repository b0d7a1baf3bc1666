package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// schema is a JSON schema as tools use it: every host can read it. There are
// no type arrays, no references and no alternatives; what is nested stands
// where it is used. Keys come out in the order of the struct.
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
	// Closed is a pointer to false on input, where an unknown key is a
	// mistake, and absent on output, where fields may be added.
	Closed *bool `json:"additionalProperties,omitempty"`
}

// properties is an object that keeps its order.
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

// schemaOf writes the schema of a shape. Marshalling it cannot fail.
func schemaOf(sh *shape, output bool) schema {
	out := schema{Type: sh.json, Enum: sh.enum, Minimum: sh.min, Maximum: sh.max, MaxLength: sh.maxLen, MaxItems: sh.maxItems}
	switch {
	case sh.isTime && output:
		// Not on input, where a date alone is accepted too.
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
		panic(err) // there is nothing in it that JSON cannot hold
	}
	return data
}
