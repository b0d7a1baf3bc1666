package hosts

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-memory/memory"
)

// Limits of a host's configuration file.
const (
	maxConfig = 16 << 20 // bytes
	maxDepth  = 200      // of nested objects and arrays
)

var byteOrderMark = []byte("\ufeff")

// jsonText is a host's JSON file, which is changed by replacing ranges of its
// bytes. A blank file is an empty object.
type jsonText struct {
	mark []byte // the byte order mark, if there is one
	src  []byte // what follows it
	root hujson.Value
}

// parseJSON parses JSON. If strict is false, comments and commas before a
// closing bracket are allowed. It returns a [memory.CodeConflict] if the text
// is not such JSON.
func parseJSON(text []byte, strict bool) (*jsonText, error) {
	if len(text) > maxConfig {
		return nil, memory.Errorf(memory.CodeConflict, "it has more than %d MiB", maxConfig>>20)
	}
	t := &jsonText{src: text}
	if rest, marked := bytes.CutPrefix(text, byteOrderMark); marked {
		t.mark, t.src = byteOrderMark, rest
	}
	if len(bytes.TrimSpace(t.src)) == 0 {
		t.src = []byte("{}\n")
	}
	if deep(t.src) {
		return nil, memory.Errorf(memory.CodeConflict, "it is nested more than %d deep", maxDepth)
	}
	if err := t.parse(); err != nil {
		return nil, err
	}
	if strict && !t.root.IsStandard() {
		return nil, memory.Errorf(memory.CodeConflict,
			"it has comments or commas before a closing bracket, with which the host does not read it")
	}
	return t, nil
}

// parse parses src.
func (t *jsonText) parse() (err error) {
	if t.root, err = hujson.Parse(t.src); err != nil {
		return memory.Errorf(memory.CodeConflict, "it is not JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if _, ok := t.root.Value.(*hujson.Object); !ok {
		return memory.Errorf(memory.CodeConflict, "it is no JSON object")
	}
	return nil
}

// deep reports whether brackets are nested deeper than maxDepth. It also counts
// those in strings and comments.
func deep(src []byte) bool {
	depth := 0
	for _, c := range src {
		switch c {
		case '{', '[':
			if depth++; depth > maxDepth {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// bytes returns the whole file.
func (t *jsonText) bytes() []byte { return append(bytes.Clone(t.mark), t.src...) }

// part is a member of an object or an element of an array, with its range in
// src.
type part struct {
	name       string // of a member; "" for an element
	start, end int    // of the whole, with the name
	value      hujson.Value
}

// parts lists the members of an object or the elements of an array.
func parts(v hujson.Value) []part {
	var all []part
	switch v := v.Value.(type) {
	case *hujson.Object:
		for _, m := range v.Members {
			name := m.Name.Value.(hujson.Literal).String()
			all = append(all, part{name, m.Name.StartOffset, m.Value.EndOffset, m.Value})
		}
	case *hujson.Array:
		for _, e := range v.Elements {
			all = append(all, part{"", e.StartOffset, e.EndOffset, e})
		}
	}
	return all
}

// find returns the value at a path of names, or nil. It returns a
// [memory.CodeConflict] if a name of the path is there twice, or a value on the
// path is not an object.
func (t *jsonText) find(path ...string) (*hujson.Value, error) {
	at := &t.root
	for i, name := range path {
		if _, ok := at.Value.(*hujson.Object); !ok {
			return nil, memory.Errorf(memory.CodeConflict, "%s is no object", strings.Join(path[:i], "."))
		}
		var found *hujson.Value
		for _, p := range parts(*at) {
			if p.name != name {
				continue
			}
			if found != nil {
				return nil, memory.Errorf(memory.CodeConflict, "%s is in it twice", strings.Join(path[:i+1], "."))
			}
			found = &p.value
		}
		if found == nil {
			return nil, nil
		}
		at = found
	}
	return at, nil
}

// decode returns a value as encoding/json decodes it, without comments; nil for
// none.
func (t *jsonText) decode(v *hujson.Value) any {
	if v == nil {
		return nil
	}
	text, err := hujson.Standardize(bytes.Clone(t.src[v.StartOffset:v.EndOffset])) // it works in place
	var tree any
	if err != nil || json.Unmarshal(text, &tree) != nil {
		return nil
	}
	return tree
}

// set sets the value at a path. It replaces an existing one, and adds missing
// objects of the path.
func (t *jsonText) set(value any, path ...string) error {
	old, err := t.find(path...)
	if err != nil {
		return err
	}
	if old != nil {
		return t.replace(*old, value)
	}
	depth := len(path) - 1
	var parent *hujson.Value
	for ; depth >= 0; depth-- {
		if parent, err = t.find(path[:depth]...); err != nil {
			return err
		}
		if parent != nil {
			break
		}
	}
	if _, ok := parent.Value.(*hujson.Object); !ok {
		return memory.Errorf(memory.CodeConflict, "%s is no object", strings.Join(path[:depth], "."))
	}
	for i := len(path) - 1; i > depth; i-- {
		value = object{{path[i], value}}
	}
	return t.insert(*parent, path[depth], value)
}

// add appends an element to the array at a path, and makes the array if it is
// missing.
func (t *jsonText) add(value any, path ...string) error {
	old, err := t.find(path...)
	if err != nil {
		return err
	}
	if old == nil {
		return t.set(list{value}, path...)
	}
	if _, ok := old.Value.(*hujson.Array); !ok {
		return memory.Errorf(memory.CodeConflict, "%s is no array", strings.Join(path, "."))
	}
	return t.insert(*old, "", value)
}

// remove removes the value at a path, if there is one, and then its parents
// while they are empty and keep is false for them.
func (t *jsonText) remove(keep func(path []string) bool, path ...string) error {
	for ; len(path) > 0; path = path[:len(path)-1] {
		parent, err := t.find(path[:len(path)-1]...)
		if err != nil || parent == nil {
			return err
		}
		for i, p := range parts(*parent) {
			if p.name == path[len(path)-1] {
				if err := t.cut(*parent, i); err != nil {
					return err
				}
				break
			}
		}
		if parent, err = t.find(path[:len(path)-1]...); err != nil || keep(path[:len(path)-1]) || !t.empty(*parent) {
			return err
		}
	}
	return nil
}

// empty reports whether an object or array is empty, without even a comment.
func (t *jsonText) empty(v hujson.Value) bool {
	return len(bytes.TrimSpace(t.src[v.StartOffset+1:v.EndOffset-1])) == 0
}

// splice replaces the range from start to end by text.
type splice struct {
	start, end int
	text       string
}

// apply makes the replacements, which are in order and do not overlap, and
// parses the result.
func (t *jsonText) apply(all ...splice) error {
	var b bytes.Buffer
	done := 0
	for _, s := range all {
		b.Write(t.src[done:s.start])
		b.WriteString(s.text)
		done = s.end
	}
	b.Write(t.src[done:])
	t.src = b.Bytes()
	return t.parse()
}
