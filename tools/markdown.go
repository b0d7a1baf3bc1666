package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"mcp-memory/memory"
)

// Markdown returns the tables of tools for docs/reference.md, one for each group, with name,
// purpose (the first sentence of the description), arguments and effect. It is deterministic.
func (f Fleet) Markdown() string {
	var b strings.Builder
	for _, g := range Groups() {
		header := fmt.Sprintf("### %s\n\n| tool | purpose | arguments | effect |\n|---|---|---|---|\n", g)
		for _, r := range f.rows {
			if r.Group != g {
				continue
			}
			b.WriteString(header)
			header = ""
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Name, cell(firstSentence(r.Description)), cell(r.in.signature()), r.Effect)
		}
		if header == "" {
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// signature lists arguments: `name`, `name?` if optional, `name=default`.
func (sh *shape) signature() string {
	parts := make([]string, len(sh.fields))
	for i, f := range sh.fields {
		switch {
		case f.required:
			parts[i] = "`" + f.name + "`"
		case f.absent != nil:
			parts[i] = "`" + f.name + "=" + plain.Replace(string(f.absent)) + "`"
		default:
			parts[i] = "`" + f.name + "?`"
		}
	}
	return strings.Join(parts, ", ")
}

func firstSentence(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}

// cell escapes text for a cell of a Markdown table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// Snapshot returns a tool as tools/list shows it, as indented JSON with a final
// newline, for golden files. A name that is not there is [memory.CodeNotFound].
func (f Fleet) Snapshot(name string) ([]byte, error) {
	for _, r := range f.rows {
		if r.Name != name {
			continue
		}
		data, err := json.MarshalIndent(r.listed(), "", "  ")
		return append(data, '\n'), err
	}
	return nil, memory.Errorf(memory.CodeNotFound, "there is no tool %s", quote(name))
}

// plain removes JSON's quotation marks and brackets from a default value.
var plain = strings.NewReplacer(`"`, "", "[", "", "]", "")
