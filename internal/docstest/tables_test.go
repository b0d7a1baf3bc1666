package docstest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// listing asks a server what pages and prompts it has.
const listing = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"docstest","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"resources/list"}
{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}
{"jsonrpc":"2.0","id":4,"method":"prompts/list"}
`

// listed is what a list has of one of them.
type listed struct {
	URI         string   `json:"uri"`
	Template    string   `json:"uriTemplate"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Arguments   []listed `json:"arguments"`
	Required    bool     `json:"required"`
}

// pages makes the tables of resources and prompts that a server with an empty bank lists.
func pages(t *testing.T, command string) string {
	t.Helper()
	var all struct{ Resources, ResourceTemplates, Prompts []listed }
	for line := range strings.Lines(answered(t, listing, strings.Fields(command)...)) {
		message := struct{ Result any }{&all}
		if err := json.Unmarshal([]byte(line), &message); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
	}
	if len(all.Resources) == 0 || len(all.ResourceTemplates) == 0 || len(all.Prompts) == 0 {
		t.Fatalf("the server lists %+v", all)
	}
	var b strings.Builder
	b.WriteString("| resource | what |\n|---|---|\n")
	for _, r := range append(all.Resources, all.ResourceTemplates...) {
		if r.Description != "" { // files of the workspace have none
			fmt.Fprintf(&b, "| `%s%s` | %s |\n", r.URI, r.Template, r.Description)
		}
	}
	b.WriteString("\n| prompt | arguments | what |\n|---|---|---|\n")
	for _, p := range all.Prompts {
		var arguments []string
		for _, a := range p.Arguments {
			name := a.Name
			if !a.Required {
				name += "?"
			}
			arguments = append(arguments, "`"+name+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, strings.Join(arguments, ", "), p.Description)
	}
	return strings.TrimSpace(b.String())
}

// categories makes the table of the default ones.
func categories(*testing.T, string) string {
	var b strings.Builder
	b.WriteString("| category | what belongs there |\n|---|---|\n")
	for _, c := range memory.DefaultCategories() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.Description)
	}
	return strings.TrimSpace(b.String())
}
