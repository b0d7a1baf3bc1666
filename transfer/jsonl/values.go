package jsonl

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Decode decodes a line into a struct. Its errors are worded for people.
func Decode(line []byte, into any) error {
	err := json.Unmarshal(line, into)
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(line)) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return errors.New("the line ends in the middle of its JSON, as in a truncated file")
	case errors.As(err, &syntax):
		return fmt.Errorf("the line is not JSON: %w", err)
	case errors.As(err, &mismatch) && mismatch.Field == "":
		return fmt.Errorf("the line is %s, not an object", article(mismatch.Value))
	case errors.As(err, &mismatch):
		return fmt.Errorf("%s is %s", mismatch.Field, article(mismatch.Value))
	}
	return err
}

func article(noun string) string {
	if strings.HasPrefix(noun, "a") || strings.HasPrefix(noun, "o") {
		return "an " + noun
	}
	return "a " + noun
}

// Name is an identifier, which some programs write as a JSON number.
type Name string

// UnmarshalJSON implements [json.Unmarshaler].
func (n *Name) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		return nil
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(n))
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*n = Name(b)
		return nil
	}
	return errors.New("an id or session is neither a string nor a number")
}

// Moment is a time in one of the forms of [ParseTime]. A missing value, null and "" are the zero
// time.
type Moment struct{ time.Time }

// UnmarshalJSON implements [json.Unmarshaler].
func (m *Moment) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return errors.New("ts is not a string")
	}
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	if t, ok := ParseTime(text); ok {
		m.Time = t
		return nil
	}
	return memory.Errorf(memory.CodeInvalidArgument, "ts %q is not a time", text).
		WithHint("such as 2026-03-01T14:30:00Z, 2026-03-01T14:30:00 (UTC) or 2026-03-01")
}

// layouts are the accepted forms of a time. Those without an offset are in UTC. [time.Parse] also
// accepts fractions of a second.
var layouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly}

// ParseTime parses a time in one of the layouts, with "T" or a blank between date and hour. It
// reports whether it is one.
func ParseTime(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if len(text) > len(time.DateOnly) && text[len(time.DateOnly)] == ' ' {
		text = strings.Replace(text, " ", "T", 1)
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return memory.StoredTime(t), true
		}
	}
	return time.Time{}, false
}
