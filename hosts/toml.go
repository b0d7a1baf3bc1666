package hosts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Lines before and after our block in a TOML file.
const (
	tomlBegin = "# >>> mcp-memory >>>"
	tomlEnd   = "# <<< mcp-memory <<<"
)

// tomlKey is a key with its value, or the header of a table, with its range in
// the text.
type tomlKey struct {
	path       []string
	header     bool
	start, end int // of the header or of key and value
	value      int // offset of the value
}

// tomlScanner finds keys and headers in TOML. It skips values without decoding
// them.
type tomlScanner struct {
	src []byte
	at  int
}

// scanTOML lists the keys and headers of a text. The path of a key includes its
// table. It returns a [memory.CodeConflict] if the text is not TOML.
func scanTOML(src []byte) ([]tomlKey, error) {
	s := &tomlScanner{src: src, at: len(src) - len(bytes.TrimPrefix(src, byteOrderMark))}
	var all []tomlKey
	var table []string
	for {
		s.blank()
		if s.at >= len(src) {
			return all, nil
		}
		k := tomlKey{start: s.at}
		var ok bool
		if src[s.at] == '[' {
			k.header = true
			ok = s.headerKey(&k)
			table = k.path
		} else {
			ok = s.keyAndValue(&k)
			k.path = slices.Concat(table, k.path)
		}
		if !ok {
			return nil, memory.Errorf(memory.CodeConflict, "it is not TOML: line %d", 1+bytes.Count(src[:k.start], []byte("\n")))
		}
		k.end = s.at
		all = append(all, k)
		if s.spaces(); s.at < len(src) && src[s.at] != '\n' && src[s.at] != '\r' && src[s.at] != '#' {
			return nil, memory.Errorf(memory.CodeConflict, "it is not TOML: line %d", 1+bytes.Count(src[:s.at], []byte("\n")))
		}
	}
}

func (s *tomlScanner) headerKey(k *tomlKey) bool {
	brackets := 1
	if s.at++; s.at < len(s.src) && s.src[s.at] == '[' {
		brackets, s.at = 2, s.at+1
	}
	if !s.dotted(k) || !bytes.HasPrefix(s.src[s.at:], []byte("]]")[:brackets]) {
		return false
	}
	s.at += brackets
	return true
}

func (s *tomlScanner) keyAndValue(k *tomlKey) bool {
	if !s.dotted(k) || s.at >= len(s.src) || s.src[s.at] != '=' {
		return false
	}
	s.at++
	s.spaces()
	k.value = s.at
	return s.passValue() && s.at > k.value
}

// dotted reads a dotted key such as a."b c".d.
func (s *tomlScanner) dotted(k *tomlKey) bool {
	for {
		s.spaces()
		start := s.at
		if s.at < len(s.src) && (s.src[s.at] == '"' || s.src[s.at] == '\'') {
			if !s.passString() {
				return false
			}
			k.path = append(k.path, tomlString(s.src[start:s.at]))
		} else {
			for s.at < len(s.src) && bareTOML(s.src[s.at]) {
				s.at++
			}
			if s.at == start {
				return false
			}
			k.path = append(k.path, string(s.src[start:s.at]))
		}
		s.spaces()
		if s.at >= len(s.src) || s.src[s.at] != '.' {
			return true
		}
		s.at++
	}
}

func bareTOML(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// spaces skips spaces and tabs. blank also skips line ends and comments.
func (s *tomlScanner) spaces() {
	for s.at < len(s.src) && (s.src[s.at] == ' ' || s.src[s.at] == '\t') {
		s.at++
	}
}

func (s *tomlScanner) blank() {
	for s.at < len(s.src) {
		switch s.src[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		case '#':
			s.at += commentTOML(s.src[s.at:])
		default:
			return
		}
	}
}

func commentTOML(text []byte) int {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

// passString skips a string, which may have several lines.
func (s *tomlScanner) passString() bool {
	quote := s.src[s.at : s.at+1]
	triple := bytes.Repeat(quote, 3)
	long := bytes.HasPrefix(s.src[s.at:], triple)
	if long {
		quote = triple
	}
	for s.at += len(quote); s.at < len(s.src); s.at++ {
		switch {
		case s.src[s.at] == '\\' && quote[0] == '"':
			s.at++
		case s.src[s.at] == '\n' && !long:
			return false
		case bytes.HasPrefix(s.src[s.at:], quote):
			s.at += len(quote)
			for long && s.at < len(s.src) && s.src[s.at] == quote[0] { // part of the text
				s.at++
			}
			return true
		}
	}
	return false
}

// passValue skips a value. Arrays and inline tables may have several lines.
func (s *tomlScanner) passValue() bool {
	start, depth := s.at, 0
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == '"' || c == '\'':
			if !s.passString() {
				return false
			}
			continue
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return false
			}
		case c == ']' || c == '}':
			if depth--; depth < 0 {
				return false
			}
		case c == '#' && depth > 0:
			s.at += commentTOML(s.src[s.at:])
			continue
		case depth == 0 && (c == '\n' || c == '#'):
			s.trim(start)
			return true
		}
		s.at++
	}
	s.trim(start)
	return depth == 0
}

// trim moves back over white space, but not before start.
func (s *tomlScanner) trim(start int) {
	s.at = start + len(bytes.TrimRight(s.src[start:min(s.at, len(s.src))], " \t\r"))
}

// tomlString decodes a string literal of one line.
func tomlString(raw []byte) string {
	if len(raw) >= 2 && raw[0] == '\'' {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}

// tomlBlock returns an entry as TOML between its marks.
func tomlBlock(name string, entry object, nl string) string {
	lines := []string{tomlBegin, "[mcp_servers." + name + "]"}
	for _, m := range entry {
		lines = append(lines, m.name+" = "+tomlValue(m.value))
	}
	return strings.Join(append(lines, tomlEnd, ""), nl)
}

func tomlValue(v any) string {
	switch v := v.(type) {
	case list:
		all := make([]string, len(v))
		for i, one := range v {
			all[i] = tomlValue(one)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case object:
		all := make([]string, len(v))
		for i, m := range v {
			all[i] = m.name + " = " + tomlValue(m.value)
		}
		return "{ " + strings.Join(all, ", ") + " }"
	case string:
		return string(quoteJSON(v))
	}
	return fmt.Sprint(v)
}
