package notes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"mcp-memory/text/lazyregexp"
)

// plain matches strings that every YAML parser reads as the same string without quotes.
var plain = lazyregexp.New(`^(?:[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z|[0-9a-f]{8}-[0-9a-f-]{27})$`)

// words are plain strings that some YAML parsers read as booleans, null or numbers.
var words = map[string]bool{"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true,
	"null": true, "inf": true, "nan": true}

// quoted returns a string as YAML on one line, in quotes if needed.
func quoted(s string) string {
	if plain().MatchString(s) && !words[strings.ToLower(s)] {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == unicode.ReplacementChar, r == '\u200d', unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// toYAML writes a JSON object as a YAML block mapping. Each string stays on one line, so that none
// can look like the end of the front matter.
func toYAML(b *strings.Builder, object json.RawMessage, indent string) error {
	return eachField(object, func(key string, value json.RawMessage) error {
		b.WriteString(indent + quoted(key) + ":")
		return putValue(b, value, indent)
	})
}

// eachField calls fn for the fields of a JSON object, in order.
func eachField(object json.RawMessage, fn func(key string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("not an object"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := fn(key.(string), value); err != nil {
			return err
		}
	}
	return nil
}

func putValue(b *strings.Builder, value json.RawMessage, indent string) error {
	switch {
	case len(value) > 2 && value[0] == '{':
		b.WriteByte('\n')
		return toYAML(b, value, indent+"  ")
	case len(value) > 2 && value[0] == '[':
		b.WriteByte('\n')
		var list []json.RawMessage
		if err := json.Unmarshal(value, &list); err != nil {
			return err
		}
		for _, v := range list {
			b.WriteString(indent + "  -")
			if err := putItem(b, v, indent+"  "); err != nil {
				return err
			}
		}
		return nil
	case value[0] == '"':
		var s string
		if err := json.Unmarshal(value, &s); err != nil {
			return err
		}
		b.WriteString(" " + quoted(s) + "\n")
		return nil
	}
	b.WriteString(" " + string(value) + "\n")
	return nil
}

// putItem is putValue for a list item. An object begins on the line of its dash.
func putItem(b *strings.Builder, value json.RawMessage, indent string) error {
	if len(value) <= 2 || value[0] != '{' {
		return putValue(b, value, indent)
	}
	var lines strings.Builder
	if err := toYAML(&lines, value, indent+"  "); err != nil {
		return err
	}
	b.WriteString(" " + strings.TrimPrefix(lines.String(), indent+"  "))
	return nil
}

// Problem is an error in a note.
type Problem struct {
	Line   int // from 1; 0 if it is not about a line
	Reason string
}

// Error returns the reason.
func (p *Problem) Error() string { return p.Reason }

// fromYAML returns front matter as a JSON object. line is the line of the file at which text
// begins. Errors have type *Problem.
func fromYAML(text string, line int) (json.RawMessage, error) {
	if hasAlias(text) {
		return nil, &Problem{Line: line, Reason: "the front matter has aliases of YAML (*name), which are not read"}
	}
	var fields yaml.MapSlice
	err := yaml.UnmarshalWithOptions([]byte(text), &fields, yaml.UseOrderedMap())
	if err != nil {
		p := &Problem{Line: line, Reason: "the front matter is not YAML: " + err.Error()}
		var known yaml.Error
		if errors.As(err, &known) {
			p.Reason = "the front matter is not YAML: " + known.GetMessage()
			if t := known.GetToken(); t != nil && t.Position != nil {
				p.Line = line + t.Position.Line - 1
			}
		}
		return nil, p
	}
	var b bytes.Buffer
	if err := toJSON(&b, fields, 0); err != nil {
		return nil, &Problem{Line: line, Reason: err.Error()}
	}
	return b.Bytes(), nil
}

// hasAlias reports whether YAML has aliases. They are refused, because a few lines with aliases can
// expand to gigabytes.
func hasAlias(text string) bool {
	if !strings.Contains(text, "*") || !strings.Contains(text, "&") {
		return false
	}
	file, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		return false // the decoder will report the error
	}
	found := aliases{}
	for _, d := range file.Docs {
		ast.Walk(&found, d)
	}
	return found.any
}

type aliases struct{ any bool }

// Visit implements [ast.Visitor]. n is nil for a key without a value.
func (a *aliases) Visit(n ast.Node) ast.Visitor {
	a.any = a.any || n != nil && n.Type() == ast.AliasType
	return a
}

// maxDepth bounds the nesting of front matter.
const maxDepth = 100

func toJSON(b *bytes.Buffer, value any, depth int) error {
	if depth > maxDepth || b.Len() > MaxBytes {
		return errors.New("the front matter is nested too deep or too long")
	}
	switch v := value.(type) {
	case yaml.MapSlice:
		b.WriteByte('{')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			putString(b, fmt.Sprint(item.Key))
			b.WriteByte(':')
			if err := toJSON(b, item.Value, depth+1); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := toJSON(b, item, depth+1); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	return putScalar(b, value)
}

func putScalar(b *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case nil:
		b.WriteString("null")
	case string:
		putString(b, v)
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case uint64, int64, int:
		fmt.Fprint(b, v)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return errors.New("the front matter has a number that is not finite")
		}
		text, err := json.Marshal(v)
		b.Write(text)
		return err
	default:
		putString(b, fmt.Sprint(v))
	}
	return nil
}

func putString(w io.Writer, s string) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // cannot fail for a string
	_, _ = w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// Without returns a JSON object without some of its fields. It fails if object is not one.
func Without(object json.RawMessage, keys ...string) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	err := eachField(object, func(key string, value json.RawMessage) error {
		if slices.Contains(keys, key) {
			return nil
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		putString(&b, key)
		b.WriteByte(':')
		b.Write(value)
		return nil
	})
	b.WriteByte('}')
	return b.Bytes(), err
}
