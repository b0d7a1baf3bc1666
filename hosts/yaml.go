package hosts

import (
	"bytes"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mcp-memory/memory"
)

// decodeYAML decodes YAML. It returns a [memory.CodeConflict] if the text is
// not YAML or not a mapping.
func decodeYAML(src []byte) (map[string]any, error) {
	if len(src) > maxConfig {
		return nil, memory.Errorf(memory.CodeConflict, "it has more than %d MiB", maxConfig>>20)
	}
	tree := map[string]any{}
	if err := yaml.Unmarshal(src, &tree); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return nil, memory.Errorf(memory.CodeConflict, "it is not YAML: %s", line)
	}
	if tree == nil { // the text is blank
		tree = map[string]any{}
	}
	return tree, nil
}

// errByLines is returned for valid YAML that would lose something if it were
// changed line by line.
var errByLines = memory.Errorf(memory.CodeConflict, "it is written in a way that cannot be changed line by line")

// yamlLines is a text to which whole lines are added and from which they are
// removed.
type yamlLines struct {
	lines []string // with their line ends
	nl    string
}

func newYAMLLines(src []byte) yamlLines {
	y := yamlLines{nl: "\n"}
	if bytes.Contains(src, []byte("\r\n")) {
		y.nl = "\r\n"
	}
	for line := range strings.Lines(string(src)) {
		y.lines = append(y.lines, line)
	}
	return y
}

// indentOf returns the number of spaces before a line's text, or -1 for a blank
// line or a comment.
func indentOf(line string) int {
	text := strings.TrimLeft(line, " ")
	if strings.TrimSpace(text) == "" || text[0] == '#' {
		return -1
	}
	return len(line) - len(text)
}

// key returns the index of the line with a key of that indentation, searched
// from a line on. It returns -1 if there is none before a line with less
// indentation.
func (y yamlLines) key(from, indent int, name string) int {
	for i := from; i < len(y.lines); i++ {
		at := indentOf(y.lines[i])
		if at >= 0 && at < indent {
			return -1
		}
		if at == indent && strings.HasPrefix(y.lines[i][indent:], name+":") {
			return i
		}
	}
	return -1
}

// inside returns the index after the last line below a key, and the indentation
// of these lines, which is 0 if there are none.
func (y yamlLines) inside(key int) (end, indent int) {
	own := indentOf(y.lines[key])
	end = key + 1
	for i := key + 1; i < len(y.lines); i++ {
		at := indentOf(y.lines[i])
		if at >= 0 && at <= own {
			break
		}
		if at > own {
			if indent == 0 {
				indent = at
			}
			end = i + 1
		}
	}
	return end, indent
}

// setYAML adds an entry under a key of a text, before all others there. It
// replaces an existing one.
func setYAML(src []byte, key, name string, entry object, replace bool) ([]byte, error) {
	before, err := decodeYAML(src)
	if err != nil {
		return nil, err
	}
	under, _ := before[key].(map[string]any)
	if under == nil && before[key] != nil {
		return nil, memory.Errorf(memory.CodeConflict, "%s is no mapping", key)
	}
	if old, taken := under[name]; taken {
		had, _ := old.(map[string]any)
		if !replace {
			if err := mayReplace(name, had, entry); err != nil {
				return nil, err
			}
			if covers(had, entry) {
				return src, nil
			}
		}
		if src, err = cutYAML(src, key, name, true); err != nil {
			return nil, err
		}
	}
	y := newYAMLLines(src)
	at := y.key(0, 0, key)
	if at < 0 {
		if n := len(y.lines); n > 0 && !strings.HasSuffix(y.lines[n-1], "\n") {
			y.lines[n-1] += y.nl
		}
		y.lines = append(y.lines, key+":"+y.nl)
		at = len(y.lines) - 1
	}
	if rest := strings.TrimSpace(strings.TrimPrefix(y.lines[at], key+":")); rest != "" && rest[0] != '#' && len(under) == 0 {
		said := nothingUnder.FindStringSubmatch(":" + rest)
		if said == nil || said[0] != ":"+rest { // an anchor or a tag would be lost
			return nil, errByLines
		}
		y.lines[at] = strings.TrimRight(key+": "+said[1], " ") + y.nl
	}
	_, indent := y.inside(at)
	if indent == 0 {
		indent = 2
	}
	if !strings.HasSuffix(y.lines[at], "\n") {
		y.lines[at] += y.nl
	}
	y.lines = slices.Insert(y.lines, at+1, yamlEntry(name, entry, strings.Repeat(" ", indent), y.nl)...)
	out := []byte(strings.Join(y.lines, ""))
	want := maps.Clone(before)
	all := maps.Clone(under)
	if all == nil {
		all = map[string]any{}
	}
	all[name] = plain(entry)
	want[key] = all
	if after, err := decodeYAML(out); err != nil || !reflect.DeepEqual(plain(after), plain(want)) {
		return nil, errByLines
	}
	return out, nil
}

// yamlEntry returns the lines of an entry. Values are written as JSON, which is
// valid YAML.
func yamlEntry(name string, entry object, indent, nl string) []string {
	lines := []string{indent + name + ":" + nl}
	for _, m := range entry {
		text, _ := marshal(m.value, "", "")
		lines = append(lines, indent+indent+m.name+": "+string(text)+nl)
	}
	return lines
}

// cutYAML removes an entry under a key, and the key if nothing else is under it
// and keep is false.
func cutYAML(src []byte, key, name string, keep bool) ([]byte, error) {
	y := newYAMLLines(src)
	at := y.key(0, 0, key)
	if at < 0 {
		return src, nil
	}
	_, indent := y.inside(at)
	entry := -1
	if indent > 0 {
		entry = y.key(at+1, indent, name)
	}
	if entry < 0 {
		return nil, memory.Errorf(memory.CodeConflict, "%s.%s is written in a way that cannot be changed line by line", key, name)
	}
	end, _ := y.inside(entry)
	y.lines = slices.Delete(y.lines, entry, end)
	if _, indent := y.inside(at); indent == 0 && !keep {
		y.lines = slices.Delete(y.lines, at, at+1)
	}
	return []byte(strings.Join(y.lines, "")), nil
}

// removeYAML removes our entry from a text, and the key above it if nothing
// else is under it and keep is false.
func removeYAML(src []byte, key, name, url string, keep bool) ([]byte, error) {
	before, err := decodeYAML(src)
	if err != nil {
		return nil, err
	}
	under, _ := before[key].(map[string]any)
	entry, _ := under[name].(map[string]any)
	if entry == nil || !isOurs(entry, url) {
		return src, nil
	}
	out, err := cutYAML(src, key, name, keep)
	if err != nil {
		return nil, err
	}
	after, err := decodeYAML(out)
	delete(under, name)
	if left, _ := after[key].(map[string]any); err != nil || !(len(left) == 0 && len(under) == 0) && !reflect.DeepEqual(left, under) {
		return nil, errByLines
	}
	return out, nil
}

// nothingUnder matches the end of a line whose key has no value or an empty
// one, with a comment.
var nothingUnder = regexp.MustCompile(`:[ \t]*(?:\{[ \t]*\}|null|~)?[ \t]*(#.*)?$`)

// sameYAML reports whether two files differ only in blank lines and in how they
// write an empty value.
func sameYAML(a, b []byte) bool {
	return slices.EqualFunc(filled(a), filled(b), func(a, b []byte) bool {
		return bytes.Equal(nothingUnder.ReplaceAll(a, []byte(": $1")), nothingUnder.ReplaceAll(b, []byte(": $1")))
	})
}
