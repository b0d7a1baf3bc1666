package tools

// What tools/list shows of a schema. Hosts put it into every conversation, so it has what a
// model chooses by and no more; calls are checked by the whole shape.

// The values of the tag "listed" of a field: without it a field is listed with all that
// there is to say.
const (
	listedNo    = "no"    // not listed, though an argument is accepted and a result may have it
	listedBrief = "brief" // without its values, which another tool tells
)

// listedInput is the schema of arguments without those that are for programs and for rare
// questions: they are accepted all the same, so then the schema is not closed.
func listedInput(sh *shape) schema {
	s := schemaOf(sh, false)
	s.keep(sh)
	for i := range *s.Properties {
		p := &(*s.Properties)[i]
		p.MaxLength, p.MaxItems = 0, 0 // nobody comes near, or is told
		if p.Type == "number" {        // what its ends are is said in words
			p.Minimum, p.Maximum = nil, nil
		}
	}
	return s
}

// keep leaves out of the schema of an object what is not to be listed.
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

// listedOutput is the schema of a result with its keys and those of what it lists: without
// what is deeper, without the values that a key may have, and without what they mean, which
// their names say.
func listedOutput(sh *shape) schema { return sparse(sh, schemaOf(sh, true), 0) }

// listedDepth is how deep results are told: an object in a list in an object.
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
