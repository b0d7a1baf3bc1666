package tools

// This file makes the schemas for tools/list. Hosts put that list into every conversation, so it
// has only what a model needs to choose a tool and its arguments. Calls are checked by the whole
// shape.

// Values of the tag "listed" of a field. A field without the tag is listed in full.
const (
	listedNo    = "no"    // not listed, but accepted as an argument or present in a result
	listedBrief = "brief" // listed without its enum, which another tool lists
)

// listedInput is the schema of the arguments, without those marked "no", which are for programs and
// for rare questions. They are accepted nevertheless, so a schema that lacks some allows other
// keys.
func listedInput(sh *shape) schema {
	s := schemaOf(sh, false)
	s.keep(sh)
	for i := range *s.Properties {
		p := &(*s.Properties)[i]
		p.MaxLength, p.MaxItems = 0, 0 // large limits that callers rarely reach; the error tells them
		if p.Type == "number" {        // the description gives the range in words
			p.Minimum, p.Maximum = nil, nil
		}
	}
	return s
}

// keep removes from an object's schema what its fields' tags "listed" say is not to be listed.
func (s *schema) keep(sh *shape) {
	var kept properties
	for i, f := range sh.fields {
		p := (*s.Properties)[i]
		switch {
		case f.listed == listedNo:
			s.Closed = nil
			continue
		case f.listed == listedBrief && p.Items != nil:
			p.Items.Enum = nil
		}
		kept = append(kept, p)
	}
	s.Properties = &kept
}

// listedOutput is the schema of a result with names and types only, down to listedDepth, and the
// required names of the result itself. It has no enums and no descriptions, as the names say
// enough.
func listedOutput(sh *shape) schema { return sparse(sh, schemaOf(sh, true), 0) }

// listedDepth is how many levels of objects have their keys listed: the result itself and the
// objects in its fields or lists. Deeper objects have a type alone.
const listedDepth = 2

func sparse(sh *shape, s schema, depth int) schema {
	out := schema{Type: s.Type}
	if s.Items != nil {
		items := sparse(sh.elem, *s.Items, depth)
		out.Items = &items
	}
	if s.Properties == nil || depth == listedDepth {
		return out
	}
	out.Properties = &properties{}
	for i, p := range *s.Properties {
		if f := sh.fields[i]; f.listed != listedNo {
			*out.Properties = append(*out.Properties, property{p.name, sparse(f.shape, p.schema, depth+1)})
		}
	}
	if depth == 0 {
		out.Required = s.Required
	}
	return out
}
