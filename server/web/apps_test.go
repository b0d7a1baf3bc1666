package web

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

// Clients that show apps are told of the page that shows memories, and by which tools; others
// are told nothing of it. The page itself is the same for everybody.
func TestApps(t *testing.T) {
	const extension = `"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`
	const another = `"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/plain"]}}`
	l := servertest.NewBank(t)
	l.Save("ann", "The harbour closes at nine.")
	v := open(t, everybody, func(o *server.Options, _ *Options) { o.Pages, o.Fleet = l.Options().Pages, l.Options().Fleet })
	for _, c := range []struct {
		name, can, token string
		want             bool
	}{{"with apps", extension, "ann", true}, {"of a project", extension, "shop", true},
		{"without", "", "ann", false}, {"with others", another, "ann", false}} {
		session := "Mcp-Session-Id: "
		initialize := strings.Replace(servertest.Initialize("2025-11-25"), `"capabilities":{"elicitation":{}}`,
			`"capabilities":{`+c.can+`}`, 1)
		answer, text := v.ask("POST", "/mcp", initialize, bearerOf(c.token))
		if session += answer.Header.Get("Mcp-Session-Id"); answer.StatusCode != 200 {
			t.Fatalf("%s: %s %s", c.name, answer.Status, text)
		}
		for era, ask := range map[string]func(method, params string) string{
			"older": func(method, params string) string {
				_, text := v.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`}}`,
					bearerOf(c.token), session)
				return text
			},
			"newer": func(method, params string) string {
				meta := strings.Replace(servertest.MetaModern, `clientCapabilities":{}`, `clientCapabilities":{`+c.can+`}`, 1)
				headers := []string{bearerOf(c.token), "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}
				if _, uri, ok := strings.Cut(params, `"uri":`); ok {
					headers = append(headers, "Mcp-Name: "+strings.Trim(uri, `"`))
				}
				_, text := v.ask("POST", "/mcp",
					`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+strings.TrimPrefix(params+","+meta, ",")+`}}`, headers...)
				return text
			},
		} {
			what := c.name + ", " + era
			var tools struct {
				Result struct {
					Tools []struct {
						Name string
						Meta struct{ UI struct{ ResourceURI string } } `json:"_meta"`
					}
				}
			}
			if text := ask("tools/list", ""); json.Unmarshal([]byte(answerOf(text)), &tools) != nil || len(tools.Result.Tools) < 2 {
				t.Fatalf("%s: %s", what, text)
			}
			var linked []string
			for _, tool := range tools.Result.Tools {
				if tool.Meta.UI.ResourceURI == "ui://mcp-memory/memories.html" {
					linked = append(linked, tool.Name)
				}
			}
			slices.Sort(linked)
			if want := []string{"memory_get", "memory_recall"}; c.want != slices.Equal(linked, want) || !c.want && len(linked) > 0 {
				t.Errorf("%s: the page is linked by %q", what, linked)
			}
			if text := ask("resources/list", ""); strings.Contains(text, "ui://") != c.want {
				t.Errorf("%s: resources %s", what, text)
			}
			if page := ask("resources/read", `"uri":"ui://mcp-memory/memories.html"`); !strings.Contains(page,
				`"mimeType":"text/html;profile=mcp-app"`) || !strings.Contains(page, "ui/initialize") || strings.Contains(page, "harbour") {
				t.Errorf("%s: the page is %s", what, page)
			}
			if page := ask("resources/read", `"uri":"ui://mcp-memory/other.html"`); !strings.Contains(page, `"error"`) {
				t.Errorf("%s: another page is %s", what, page)
			}
		}
	}
}

// answerOf is the message in an answer, which may be a stream's.
func answerOf(text string) string {
	for line := range strings.Lines(text) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return data
		}
	}
	return text
}
