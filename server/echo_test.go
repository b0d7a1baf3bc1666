package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mcp-memory/server/servertest"
)

// maxAnswer is how long the answer to something that is not there may be, in bytes.
const maxAnswer = 4 << 10

// An answer does not repeat what it is about, however long that is.
func TestAnswersDoNotRepeatLongInput(t *testing.T) {
	long := strings.Repeat("Zwölf.", 1<<17/7)
	b := servertest.NewBank(t)
	c := servertest.Dial(t, b.Server)
	n := 0
	ask := func(what, method string, params map[string]any) string {
		t.Helper()
		n++
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": n, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		c.Send(string(line))
		for {
			answer := c.Next()
			if !strings.Contains(answer, fmt.Sprintf(`"id":%d`, n)) {
				continue // a notification
			}
			if len(answer) > maxAnswer && strings.Contains(answer, "Zwölf.Zwölf.Zwölf") {
				t.Errorf("%s: an answer of %d bytes: %.200s", what, len(answer), answer)
			}
			return answer
		}
	}
	ask("initialize", "initialize",
		map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
			"clientInfo": map[string]any{"name": long, "version": "1"}})
	c.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	ask("a method", long, map[string]any{})
	for _, method := range []string{"tools/call", "prompts/get"} {
		ask(method, method, map[string]any{"name": long, "arguments": map[string]any{}})
	}
	for _, method := range []string{"resources/read", "resources/subscribe", "resources/unsubscribe"} {
		for _, uri := range []string{long, "memory://" + long, "memory://record/" + long, "memory://ann/" + long} {
			ask(method, method, map[string]any{"uri": uri})
		}
	}
	for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
		ask(method, method, map[string]any{"cursor": long})
	}
	ask("logging", "logging/setLevel", map[string]any{"level": long})

	var prompts struct {
		Result struct {
			Prompts []struct {
				Name      string
				Arguments []struct{ Name string }
			}
		}
	}
	if err := json.Unmarshal([]byte(ask("list", "prompts/list", map[string]any{})), &prompts); err != nil ||
		len(prompts.Result.Prompts) == 0 {
		t.Fatal(prompts, err)
	}
	refs := []map[string]any{{"type": long, "name": "x"}, {"type": long, "uri": "x"}, {"type": "ref/prompt", "name": long},
		{"type": "ref/resource", "uri": long}}
	for _, p := range prompts.Result.Prompts {
		refs = append(refs, map[string]any{"type": "ref/prompt", "name": p.Name})
		for _, a := range p.Arguments {
			args := map[string]any{}
			for _, other := range p.Arguments {
				args[other.Name] = "x"
			}
			args[a.Name] = long
			ask(p.Name+" "+a.Name, "prompts/get", map[string]any{"name": p.Name, "arguments": args})
			ask("complete "+a.Name, "completion/complete",
				map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": p.Name},
					"argument": map[string]any{"name": a.Name, "value": long}})
		}
		ask(p.Name, "prompts/get", map[string]any{"name": p.Name, "arguments": map[string]any{long: "x"}})
	}
	var templates struct {
		Result struct {
			ResourceTemplates []struct{ URITemplate string }
		}
	}
	if err := json.Unmarshal([]byte(ask("list", "resources/templates/list", map[string]any{})), &templates); err != nil ||
		len(templates.Result.ResourceTemplates) == 0 {
		t.Fatal(templates, err)
	}
	for _, one := range templates.Result.ResourceTemplates {
		refs = append(refs, map[string]any{"type": "ref/resource", "uri": one.URITemplate})
		before, rest, _ := strings.Cut(one.URITemplate, "{")
		name, after, _ := strings.Cut(rest, "}")
		ask(one.URITemplate, "resources/read", map[string]any{"uri": before + long + after})
		ask(one.URITemplate, "completion/complete",
			map[string]any{"ref": map[string]any{"type": "ref/resource", "uri": one.URITemplate},
				"argument": map[string]any{"name": name, "value": long}})
	}
	for _, ref := range refs {
		ask(fmt.Sprintf("complete %.40v", ref), "completion/complete",
			map[string]any{"ref": ref, "argument": map[string]any{"name": long, "value": "x"}})
	}
	if n < 40 {
		t.Errorf("only %d requests were made", n)
	}
}
