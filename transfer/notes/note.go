package notes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxBytes is the size of the largest note that is read, in bytes.
const MaxBytes = 4 << 20

// The keys of front matter that belong to the note's form, not to its content.
const (
	typeKey     = "mcp_memory"
	exactKey    = "exact"
	checksumKey = "checksum"
)

// Note is one file. Type is what the note holds, "" if this program did not write it. Fields is the
// front matter as a JSON object without the keys above, nil if there is none.
type Note struct {
	Type   string
	Fields json.RawMessage
	Body   string
	// Edited is set by Parse if a note of this program is not as Format wrote it.
	Edited bool
	// Front is the front matter as it is in the file, without the "---" lines.
	Front string
}

// Format returns the text of a note of this program. Fields named in raw hold foreign JSON and come
// back byte for byte from Parse and [Raw]. In other fields, numbers may come back in another
// notation. It fails if Fields is not an object.
func Format(n Note, raw ...string) (string, error) {
	var b strings.Builder
	b.WriteString(typeKey + ": " + quoted(n.Type) + "\n")
	err := eachField(n.Fields, func(key string, value json.RawMessage) error {
		var one strings.Builder
		one.WriteString(quoted(key) + ":")
		if err := putField(&one, key, value, raw); err != nil {
			return err
		}
		b.WriteString(one.String())
		return nil
	})
	if err != nil {
		return "", err
	}
	if strings.Contains(n.Body, "\r") {
		b.WriteString(exactKey + ": " + quoted(n.Body) + "\n")
	}
	body := n.Body
	if body != "" {
		body += "\n"
	}
	front := b.String()
	return "---\n" + front + checksumKey + ": " + checksum(front, body) + "\n---\n" + body, nil
}

// putField writes the value of a field. A raw value that YAML would not return byte for byte is
// written as a string that contains the JSON.
func putField(b *strings.Builder, key string, value json.RawMessage, raw []string) error {
	var one strings.Builder
	if err := putValue(&one, value, ""); err != nil {
		return err
	}
	if slices.Contains(raw, key) {
		back, err := fromYAML("x:"+one.String(), 1)
		if err != nil || value[0] != '{' || !bytes.Equal(back, slices.Concat([]byte(`{"x":`), value, []byte("}"))) {
			b.WriteString(" " + quoted(string(value)) + "\n")
			return nil
		}
	}
	b.WriteString(one.String())
	return nil
}

// checksum returns a hash of a note, short enough to be overlooked by readers. It ignores carriage
// returns, which Git may add or remove.
func checksum(front, body string) string {
	sum := sha256.Sum256([]byte(strings.ReplaceAll(front+"---\n"+body, "\r", "")))
	return "sha256-" + hex.EncodeToString(sum[:10])
}

// Raw returns the original value of a raw field: if it is a string that contains JSON, that JSON.
func Raw(value json.RawMessage) json.RawMessage {
	var text string
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, &text) != nil || !json.Valid([]byte(text)) {
		return value
	}
	return json.RawMessage(text)
}

// Parse reads any note, with \n or \r\n as line ends. Errors have type *Problem: not valid UTF-8,
// too long, or front matter that is not YAML.
func Parse(content []byte) (Note, error) {
	if len(content) > MaxBytes {
		return Note{}, &Problem{Reason: "the note is longer than 4 MiB"}
	}
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	if i := bytes.IndexByte(content, 0); i >= 0 {
		return Note{}, &Problem{lineAt(content, i), "the file is binary, not text"}
	}
	if !utf8.Valid(content) {
		return Note{}, &Problem{badLine(content), "the line is not valid UTF-8"}
	}
	text := strings.ReplaceAll(string(content), "\r\n", "\n")
	front, body, ok := split(text)
	if !ok {
		return Note{Body: text}, nil
	}
	fields, err := fromYAML(front, 2)
	if err != nil {
		return Note{}, err
	}
	n := Note{Body: body, Front: front}
	if err := n.take(fields); err != nil {
		return Note{}, &Problem{2, "the front matter is no mapping"}
	}
	if n.Type == "" {
		return n, nil
	}
	n.Body = strings.TrimSuffix(body, "\n")
	return n, n.restore(fields, front, body)
}

// take sets Type and Fields of a note.
func (n *Note) take(fields json.RawMessage) error {
	own := []string{typeKey}
	err := eachField(fields, func(key string, value json.RawMessage) error {
		if key == typeKey {
			_ = json.Unmarshal(value, &n.Type) // a value of another type is not of this program
		}
		return nil
	})
	if err != nil {
		return err
	}
	if n.Type != "" {
		own = append(own, exactKey, checksumKey)
	}
	n.Fields, err = Without(fields, own...)
	return err
}

// restore sets Edited, and restores a body whose line ends the file could not keep.
func (n *Note) restore(fields json.RawMessage, front, body string) error {
	var own struct {
		Exact    any `json:"exact"`
		Checksum any `json:"checksum"`
	}
	if err := json.Unmarshal(fields, &own); err != nil {
		return &Problem{2, err.Error()}
	}
	var kept strings.Builder
	for line := range strings.Lines(front) {
		if !strings.HasPrefix(line, checksumKey+":") {
			kept.WriteString(line)
		}
	}
	n.Edited = own.Checksum != checksum(kept.String(), body)
	exact, ok := own.Exact.(string)
	same := func(s string) string { return strings.ReplaceAll(s, "\r", "") }
	if ok && same(exact) == same(n.Body) {
		n.Body = exact
	}
	return nil
}

// split separates the front matter from the body. ok is false if there is none.
func split(text string) (front, body string, ok bool) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", "", false
	}
	if body, ok := strings.CutPrefix(rest, "---\n"); ok {
		return "", body, true
	}
	if front, body, ok := strings.Cut(rest, "\n---\n"); ok {
		return front + "\n", body, true
	}
	if front, ok := strings.CutSuffix(rest, "\n---"); ok {
		return front + "\n", "", true
	}
	return "", "", false // a horizontal rule at the top
}

// LineOf returns the line of the file on which a field of the front matter begins, 1 if it is not
// found.
func (n Note) LineOf(key string) int {
	for i, line := range strings.Split(n.Front, "\n") {
		if strings.HasPrefix(line, key+":") {
			return i + 2
		}
	}
	return 1
}

func lineAt(content []byte, offset int) int { return bytes.Count(content[:offset], []byte("\n")) + 1 }

func badLine(content []byte) int {
	for i, line := range bytes.Split(content, []byte("\n")) {
		if !utf8.Valid(line) {
			return i + 1
		}
	}
	return 0
}
