package hosts

import (
	"bytes"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// tomlServers is the table with the servers.
const tomlServers = "mcp_servers"

// tomlEntry is the table of a server in a file.
type tomlEntry struct {
	start, end int               // from its header, or the mark before it, to the end of the last line
	fenced     bool              // it is between our marks
	values     map[string]string // TOML text of each value, by key
	command    string
	commandAt  [2]int // range of the value of command
}

// findTOML returns the entry of a name, or nil. It returns a
// [memory.CodeConflict] if the entry is there twice, or in a form that is not
// supported.
func findTOML(src []byte, name string) (*tomlEntry, error) {
	keys, err := scanTOML(src)
	if err != nil {
		return nil, err
	}
	path := []string{tomlServers, name}
	var found *tomlEntry
	inside := false // whether the current table is part of the entry
	for _, k := range keys {
		own := len(k.path) >= 2 && slices.Equal(k.path[:2], path)
		switch {
		case !k.header && len(k.path) == 1 && k.path[0] == tomlServers, own && !k.header && !inside:
			return nil, memory.Errorf(memory.CodeConflict, "it has %s in another form than [%s.%s]", strings.Join(k.path, "."),
				tomlServers, name)
		case k.header && len(k.path) == 2 && own:
			if found != nil {
				return nil, memory.Errorf(memory.CodeConflict, "[%s.%s] is in it twice", tomlServers, name)
			}
			found, inside = &tomlEntry{start: lineStart(src, k.start), values: map[string]string{}}, true
		case k.header && own && found == nil:
			return nil, memory.Errorf(memory.CodeConflict, "it has %s before [%s.%s]", strings.Join(k.path, "."), tomlServers, name)
		case k.header:
			inside = own
		}
		if !inside {
			continue
		}
		found.end = lineEnd(src, k.end)
		if k.header {
			continue
		}
		found.values[strings.Join(k.path[2:], ".")] = string(src[k.value:k.end])
		if len(k.path) == 3 && k.path[2] == "command" {
			found.command, found.commandAt = tomlString(src[k.value:k.end]), [2]int{k.value, k.end}
		}
	}
	return found, fenceTOML(src, found)
}

// fenceTOML looks for our marks. If they are around the entry, it includes them
// in its range. It returns a [memory.CodeConflict] if they are anywhere else.
func fenceTOML(src []byte, found *tomlEntry) error {
	begins, ends := marksTOML(src, tomlBegin), marksTOML(src, tomlEnd)
	switch {
	case len(begins) == 0 && len(ends) == 0:
		return nil
	case len(begins) != 1 || len(ends) != 1 || ends[0] < begins[0]:
		return memory.Errorf(memory.CodeConflict, "the marks %s and %s are not in it once each", tomlBegin, tomlEnd)
	case found == nil:
		return memory.Errorf(memory.CodeConflict, "between %s and %s is another entry", tomlBegin, tomlEnd)
	}
	if lineEnd(src, begins[0]) == found.start && found.end == ends[0] {
		found.start, found.end, found.fenced = begins[0], lineEnd(src, ends[0]), true
		return nil
	}
	return memory.Errorf(memory.CodeConflict, "between %s and %s is more than our entry", tomlBegin, tomlEnd)
}

// marksTOML returns the offsets of the lines that are the mark.
func marksTOML(src []byte, mark string) (at []int) {
	offset := 0
	for line := range bytes.Lines(src) {
		if string(bytes.TrimSpace(line)) == mark {
			at = append(at, offset)
		}
		offset += len(line)
	}
	return at
}

func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

func lineEnd(src []byte, at int) int {
	if end := bytes.IndexByte(src[at:], '\n'); end >= 0 {
		return at + end + 1
	}
	return len(src)
}

// setTOML adds an entry to a text: in place of ours, or at the end.
func setTOML(src []byte, name string, entry object, replace bool) ([]byte, error) {
	if len(src) > maxConfig {
		return nil, memory.Errorf(memory.CodeConflict, "it has more than %d MiB", maxConfig>>20)
	}
	found, err := findTOML(src, name)
	if err != nil {
		return nil, err
	}
	nl := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		nl = "\r\n"
	}
	block := tomlBlock(name, entry, nl)
	if found == nil {
		out := string(src)
		if out != "" && !strings.HasSuffix(out, "\n") {
			out += nl
		}
		if out != "" {
			out += nl
		}
		return []byte(out + block), nil
	}
	want := map[string]string{}
	for _, m := range entry {
		want[m.name] = tomlValue(m.value)
	}
	if !replace {
		if err := mayUpdate(name, found.command, found.differs(want), entry.get("command") != nil); err != nil {
			return nil, err
		}
		if found.sameTOML(want) {
			return src, nil
		}
	}
	if !found.fenced {
		block = strings.TrimSuffix(strings.TrimPrefix(block, tomlBegin+nl), tomlEnd+nl)
	}
	return slices.Concat(src[:found.start], []byte(block), src[found.end:]), nil
}

// differs reports whether the entry has values that want does not have. The
// path of the program does not count.
func (e *tomlEntry) differs(want map[string]string) bool {
	for key, value := range e.values {
		if key != "command" && value != want[key] && value != "{}" && !(key == "enabled" && value == "true") {
			return true
		}
	}
	return false
}

func (e *tomlEntry) sameTOML(want map[string]string) bool {
	for key, value := range want {
		if key == "command" {
			if string(quoteJSON(e.command)) != value {
				return false
			}
		} else if e.values[key] != value {
			return false
		}
	}
	return true
}

// mayUpdate returns an error unless an existing entry may be overwritten. local
// says whether the new entry starts the program.
func mayUpdate(name, command string, differs, local bool) error {
	switch {
	case !isProgram(command) && (local || differs):
		return memory.Errorf(memory.CodeConflict, "the name %s is taken by a server that is not this one", name).
			WithHint("--name NAME gives ours another name, --replace takes the place")
	case differs:
		return memory.Errorf(memory.CodeConflict, "the entry %s was written with other options, or changed by hand", name).
			WithHint("--replace writes it anew")
	}
	return nil
}

// removeTOML removes our entry from a text.
func removeTOML(src []byte, name, url string) ([]byte, error) {
	found, err := findTOML(src, name)
	if err != nil || found == nil {
		return src, err
	}
	if !found.fenced && !isProgram(found.command) && !(url != "" && found.values["url"] == string(quoteJSON(url))) {
		return src, nil
	}
	before := src[:found.start]
	if found.fenced { // and the blank line that was added with it
		before = bytes.TrimSuffix(before, []byte("\n"))
		before = bytes.TrimSuffix(before, []byte("\r"))
		if len(before) > 0 && before[len(before)-1] != '\n' {
			before = src[:found.start]
		}
	}
	return slices.Concat(before, src[found.end:]), nil
}

// sameLines reports whether two texts differ only in blank lines and in white
// space at the ends of lines.
func sameLines(a, b []byte) bool {
	return slices.EqualFunc(filled(a), filled(b), bytes.Equal)
}

func filled(src []byte) (lines [][]byte) {
	for line := range bytes.Lines(src) {
		if line = bytes.TrimRight(line, " \t\r\n"); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}
