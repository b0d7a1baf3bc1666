package hosts

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// newline returns the line end that the file uses.
func (t *jsonText) newline() string {
	if bytes.Contains(t.src, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// unit returns the white space for one level of indentation in the file, or ""
// if the file is on one line.
func (t *jsonText) unit() string {
	members := parts(t.root)
	if len(members) == 0 {
		return "  "
	}
	if indent, own := t.indent(members[0].start); own {
		if indent == "" {
			return "  "
		}
		return indent
	}
	return ""
}

// indent returns the white space at the beginning of the line that has the
// offset at. alone reports whether only that white space is before at, and the
// line is not the first.
func (t *jsonText) indent(at int) (indent string, alone bool) {
	start := bytes.LastIndexByte(t.src[:at], '\n') + 1
	line := t.src[start:]
	width := len(line) - len(bytes.TrimLeft(line, " \t"))
	return string(line[:width]), start > 0 && start+width == at
}

// render returns a value, or a member if name is not "", in the style of the
// file. indent is the indentation of its line, unit that of one level, or ""
// for a value on one line.
func (t *jsonText) render(name string, value any, indent, unit string) (string, error) {
	text, err := marshal(value, indent, unit)
	if err != nil {
		return "", err
	}
	all := strings.ReplaceAll(string(text), "\n", t.newline())
	if name == "" {
		return all, nil
	}
	if unit == "" {
		return string(quoteJSON(name)) + ":" + all, nil
	}
	return string(quoteJSON(name)) + ": " + all, nil
}

// replace replaces a value.
func (t *jsonText) replace(old hujson.Value, value any) error {
	unit := t.unit()
	if !bytes.ContainsAny(t.src[old.StartOffset:old.EndOffset], "\n") {
		unit = "" // a value on one line stays on one line
	}
	indent, _ := t.indent(old.StartOffset)
	text, err := t.render("", value, indent, unit)
	if err != nil {
		return err
	}
	return t.apply(splice{old.StartOffset, old.EndOffset, text})
}

// insert adds a member after all others, or an element of an array if name is
// "".
func (t *jsonText) insert(into hujson.Value, name string, value any) error {
	start, end := into.StartOffset+1, into.EndOffset-1
	unit := t.unit()
	outer, _ := t.indent(into.StartOffset)
	had, last, indent := parts(into), start, ""
	if len(had) > 0 {
		last = had[len(had)-1].end
		own, alone := t.indent(had[0].start)
		if indent = own; !alone {
			unit, indent = "", ""
		}
	}
	broken := bytes.Contains(t.src[last:end], []byte("\n"))
	if unit == "" && broken && len(bytes.TrimSpace(t.src[last:end])) > 0 {
		unit = "  " // after a comment it needs a line of its own
	}
	if indent == "" {
		indent = outer + unit
	}
	text, err := t.render(name, value, indent, unit)
	if err != nil {
		return err
	}
	if unit != "" {
		text = t.newline() + indent + text
	} else if len(had) > 0 && !bytes.Contains(t.src[start:last], []byte(`,"`)) {
		text = " " + text
	}
	var all []splice
	if comma := t.commaIn(last, end); comma >= 0 {
		text += ","
	} else if len(had) > 0 {
		all = append(all, splice{last, last, ","})
	}
	tail := start + len(bytes.TrimRight(t.src[start:end], " \t\r\n")) // after the last comment
	if !bytes.Contains(t.src[tail:end], []byte("\n")) && unit != "" {
		text += t.newline() + outer // the closing bracket gets a line of its own
		return t.apply(append(all, splice{tail, end, text})...)
	}
	return t.apply(append(all, splice{tail, tail, text})...)
}

// cut removes the part with the index number, its comma and the white space
// before it. Comments stay.
func (t *jsonText) cut(from hujson.Value, number int) error {
	all := parts(from)
	start, end := from.StartOffset+1, from.EndOffset-1
	p, before, behind := all[number], start, end
	if number > 0 {
		before = all[number-1].end
	}
	if number < len(all)-1 {
		behind = all[number+1].start
	}
	left := before + len(bytes.TrimRight(t.src[before:p.start], " \t\r\n"))
	out := splice{left, p.end, ""}
	var cuts []splice
	if comma := t.commaIn(p.end, behind); comma >= 0 {
		cuts = []splice{out, {comma, comma + 1, ""}}
		if len(bytes.TrimSpace(t.src[p.end:comma])) == 0 {
			cuts = []splice{{left, comma + 1, ""}}
		}
	} else if comma := t.commaIn(before, p.start); comma >= 0 && number > 0 {
		cuts = []splice{{comma, comma + 1, ""}, out}
	} else {
		cuts = []splice{out}
	}
	last := &cuts[len(cuts)-1]
	rest := t.src[last.end:end]
	spaces := len(rest) - len(bytes.TrimLeft(rest, " \t"))
	next := bytes.TrimLeft(rest, " \t\r")
	switch {
	case len(all) == 1 && len(bytes.TrimSpace(t.src[start:left])) == 0 && len(bytes.TrimSpace(rest)) == 0:
		return t.apply(splice{start, end, ""})
	case t.lineComment(before, left) && !bytes.HasPrefix(next, []byte("\n")):
		for i := range cuts {
			if cuts[i].start == left {
				cuts[i].text = t.newline() // or the comment would swallow what follows
			}
		}
	case left == start && !bytes.HasPrefix(next, []byte("\n")):
		last.end += spaces
	}
	return t.apply(cuts...)
}

// lineComment reports whether the range between two values ends with a //
// comment.
func (t *jsonText) lineComment(start, end int) bool {
	for i := start; i < end; i++ {
		if t.src[i] != '/' {
			continue
		}
		length := commentLength(t.src[i:end])
		if t.src[i+1] == '/' && i+length >= end {
			return true
		}
		i += length - 1
	}
	return false
}

// commaIn returns the offset of the first comma in a range that is not in a
// comment, or -1.
func (t *jsonText) commaIn(start, end int) int {
	for i := start; i < end; i++ {
		switch {
		case t.src[i] == ',':
			return i
		case t.src[i] == '/':
			i += commentLength(t.src[i:end]) - 1
		}
	}
	return -1
}

// commentLength returns the length of the comment at the beginning of text, at
// least 1. The end of the line is not part of a // comment.
func commentLength(text []byte) int {
	if bytes.HasPrefix(text, []byte("/*")) {
		if end := bytes.Index(text[2:], []byte("*/")); end >= 0 {
			return end + 4
		}
	}
	if bytes.HasPrefix(text, []byte("//")) {
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			return end
		}
	}
	return max(1, len(text))
}

// sameTokens reports whether two JSON texts differ only in white space.
func sameTokens(a, b []byte) bool {
	return bytes.Equal(withoutSpace(a), withoutSpace(b))
}

// withoutSpace removes the white space between tokens. A // comment keeps the
// end of its line.
func withoutSpace(src []byte) []byte {
	var out []byte
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case ' ', '\t', '\r', '\n':
		case '"':
			end := i + 1
			for end < len(src) && src[end] != '"' {
				if src[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(src))
			out = append(out, src[i:end]...)
			i = end - 1
		case '/':
			length := commentLength(src[i:])
			out = append(append(out, bytes.TrimRight(src[i:i+length], " \t\r")...), '\n')
			i += length - 1
		default:
			out = append(out, c)
		}
	}
	return out
}
