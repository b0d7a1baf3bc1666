package foreign

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// row is a row of a table or a JSON object. Its methods return zero values for names that are
// missing.
type row map[string]any

// text returns the first of some fields that is not blank, as text.
func (r row) text(names ...string) string {
	for _, name := range names {
		var text string
		switch v := r[name].(type) {
		case string:
			text = v
		case []byte:
			text = string(v)
		case json.Number:
			text = v.String()
		case int64:
			text = strconv.FormatInt(v, 10)
		case float64:
			text = strconv.FormatFloat(v, 'f', -1, 64)
		case bool:
			text = strconv.FormatBool(v)
		}
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}

// number returns a field as a number, and whether it is one with an absolute value below 1e18.
func (r row) number(name string) (float64, bool) {
	n, err := strconv.ParseFloat(r.text(name), 64)
	return n, err == nil && n == n && n < 1e18 && n > -1e18
}

// is reports whether a field is true, a number other than 0, or a text other than "", "0", "false",
// "no" and "null".
func (r row) is(name string) bool {
	switch text := strings.ToLower(r.text(name)); text {
	case "", "0", "false", "no", "null":
		return false
	}
	return true
}

// time returns the first of some fields that is a time.
func (r row) time(names ...string) (t time.Time) {
	for _, name := range names {
		if t = anyTime(r[name]); !t.IsZero() {
			break
		}
	}
	return t
}

// list returns a field as a list of texts. It may be an array, a text with a JSON array, or a
// single text. Of objects in an array, the field that holds text is taken.
func (r row) list(name string) (list []string) {
	value := r[name]
	if text := r.text(name); text != "" {
		if !strings.HasPrefix(text, "[") || unmarshal([]byte(text), &value) != nil {
			return []string{text}
		}
	}
	all, ok := value.([]any)
	if !ok {
		return nil
	}
	for _, one := range all {
		if object, ok := one.(map[string]any); ok {
			one = row(object).text("text", "content", "fact", "name", "title", "action", "step", "description")
		}
		if text := (row{"": one}).text(""); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// object returns a field that is an object, or a text with a JSON object.
func (r row) object(name string) row {
	value := r[name]
	if text := r.text(name); strings.HasPrefix(text, "{") && unmarshal([]byte(text), &value) != nil {
		return nil
	}
	object, _ := value.(map[string]any)
	return object
}

// words splits a text at commas.
func words(text string) (list []string) {
	for w := range strings.SplitSeq(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			list = append(list, w)
		}
	}
	return list
}

// unmarshal decodes JSON and keeps numbers as they are written.
func unmarshal(data []byte, into *any) error {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	return d.Decode(into)
}

// table is what to read of a database table.
type table struct {
	name   string
	needed []string // each is a group "a|b", of which one column must exist
	wanted []string
}

// each calls fn for every row of a table, and reports whether the table exists. It fails with
// [memory.CodeUnavailable] if a needed column is missing, as when the program has changed its
// schema or a migration was interrupted.
func (t table) each(ctx context.Context, db Database, fn func(number int64, r row) error) (bool, error) {
	columns, err := db.Columns(ctx, t.name)
	if err != nil || len(columns) == 0 {
		return false, err
	}
	var chosen []string
	for _, group := range t.needed {
		found := false
		for c := range strings.SplitSeq(group, "|") {
			if slices.Contains(columns, c) {
				chosen, found = append(chosen, c), true
			}
		}
		if !found {
			return true, memory.Errorf(memory.CodeUnavailable,
				"the database is of a version that is not known, or half migrated: %s has no column %s",
				t.name, strings.ReplaceAll(group, "|", " or ")).
				WithHint("start its own program once, which brings it up to date, or take its export")
		}
	}
	for _, c := range t.wanted {
		if slices.Contains(columns, c) && !slices.Contains(chosen, c) {
			chosen = append(chosen, c)
		}
	}
	return true, db.Each(ctx, t.name, chosen, func(number int64, values []any) error {
		r := make(row, len(chosen))
		for i, c := range chosen {
			r[c] = values[i]
		}
		return fn(number, r)
	})
}

// must is each for a table that has to exist.
func (t table) must(ctx context.Context, db Database, fn func(number int64, r row) error) error {
	there, err := t.each(ctx, db, fn)
	if err == nil && !there {
		err = memory.Errorf(memory.CodeUnavailable, "the database has no table %s", t.name).
			WithHint("it is of another program, or of a version that is not known: take its export")
	}
	return err
}

// isDatabase reports whether a file is an SQLite database, by its first bytes.
func isDatabase(path string) (bool, error) {
	f, err := plainfile.Open(path)
	if err != nil {
		return false, cannotRead(path, err)
	}
	defer f.Close()
	head := make([]byte, len(sqliteMagic))
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, cannotRead(path, err)
	}
	return string(head[:n]) == sqliteMagic, nil
}

// eachIn reads a file that is a JSON array, or an object with arrays. It calls fn for each element
// with the name of its array ("" for an outer array) and its index. Nested objects are skipped,
// except the lists of [listsByID]. The file is streamed. [memory.CodeInvalidArgument], with the
// byte offset, if it is not valid JSON.
func eachIn(ctx context.Context, path string, fn func(array string, index int, value any) error) error {
	f, err := plainfile.Open(path)
	if err != nil {
		return cannotRead(path, err)
	}
	defer f.Close()
	in := bufio.NewReader(f)
	if mark, _ := in.Peek(3); string(mark) == "\xef\xbb\xbf" {
		in.Discard(3)
	}
	return eachElement(ctx, in, path, fn)
}

func eachElement(ctx context.Context, in io.Reader, path string, fn func(array string, index int, value any) error) error {
	d := &document{json.NewDecoder(&tight{in: in, most: maxText}), path, fn}
	d.UseNumber()
	first, err := d.Token()
	switch {
	case err != nil:
		return d.broken(err)
	case first == json.Delim('['):
		return d.elements(ctx, "", false)
	case first != json.Delim('{'):
		return wrongForm(path, "any program that is known", "it is neither a list nor an object")
	}
	for d.More() {
		key, err1 := d.Token()
		value, err2 := d.Token()
		if err := errors.Join(err1, err2); err != nil {
			return d.broken(err)
		}
		switch value {
		case json.Delim('['):
			err = d.elements(ctx, fmt.Sprint(key), false)
		case json.Delim('{'):
			if list, ok := strings.CutPrefix(fmt.Sprint(key), listsByID); ok {
				err = d.elements(ctx, list, true)
			} else {
				err = d.skipObject()
			}
		}
		if err != nil {
			return err
		}
	}
	if _, err = d.Token(); err != nil {
		return d.broken(err)
	}
	return nil
}

// document is a JSON file that is being read.
type document struct {
	*json.Decoder
	path string
	fn   func(array string, index int, value any) error
}

func (d *document) broken(err error) error {
	if errors.Is(err, errLongText) {
		return memory.Errorf(memory.CodeTooLarge, "%s: %s", d.path, errLongText.Message).WithHint("take it out, and import the rest")
	}
	return memory.Errorf(memory.CodeInvalidArgument, "%s is cut off, or no JSON, at byte %d", d.path, d.InputOffset()).
		WithHint("export it again").WithCause(err)
}

// listsByID is the prefix of the names of lists that agentmemory's store keeps as objects, with
// each element under its id.
const listsByID = "mem:"

// elements reads the elements of an array or, with named, of an object, whose opening bracket was
// consumed.
func (d *document) elements(ctx context.Context, array string, named bool) error {
	for i := 0; d.More(); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if named {
			if _, err := d.Token(); err != nil {
				return d.broken(err)
			}
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return d.broken(err)
		}
		if err := d.fn(array, i, value); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return d.broken(err)
	}
	return nil
}

// skipObject skips an object whose opening brace was consumed.
func (d *document) skipObject() error {
	for depth := 1; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return d.broken(err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

// firstKeys returns the names in the first object of a text that may be cut off, or in the first
// object of an array. Names of nested objects are not included. ok is false if the text does not
// begin so.
func firstKeys(head []byte) (keys []string, ok bool) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))))
	first, err := d.Token()
	if err == nil && first == json.Delim('[') {
		first, err = d.Token()
	}
	if err != nil || first != json.Delim('{') {
		return nil, false
	}
	depth, name := 1, true
	for depth > 0 {
		token, err := d.Token()
		if err != nil {
			break
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
			continue
		case json.Delim('}'), json.Delim(']'):
			if depth--; depth == 1 {
				name = true
			}
			continue
		}
		if depth > 1 {
			continue
		}
		if key, is := token.(string); is && name {
			keys = append(keys, key)
		}
		name = !name
	}
	return keys, true
}

// keyed reports whether the first object of a sample has all of the names.
func (s Sample) keyed(names ...string) bool {
	keys, ok := firstKeys(s.Head)
	return ok && !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(keys, n) })
}
