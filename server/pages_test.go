package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/resources"
	"mcp-memory/server/servertest"
)

// pageReply is what of an answer the tests look at.
type pageReply struct {
	Result struct {
		Resources []struct{ URI, Name, Title, MimeType string }
		Templates []struct{ URITemplate string }                  `json:"resourceTemplates"`
		Contents  []struct{ URI, MimeType, Text string }          `json:"contents"`
		Prompts   []struct{ Name, Title string }                  `json:"prompts"`
		Messages  []struct{ Content struct{ Type, Text string } } `json:"messages"`
		Completed struct {
			Values  []string
			HasMore bool
		} `json:"completion"`
		NextCursor string
	}
	Error struct {
		Code    int
		Message string
	}
}

func do(ctx context.Context, t *testing.T, l *servertest.Bank, era, method, params string) pageReply {
	t.Helper()
	data, err := json.Marshal(l.MCP().HandleMessage(ctx, json.RawMessage(servertest.Request(era, method, params))))
	if err != nil {
		t.Fatal(err)
	}
	var r pageReply
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err, string(data))
	}
	return r
}

func TestResources(t *testing.T) {
	l := servertest.NewBank(t)
	id := l.Save("ann", "The harbour closes at nine.")
	other := l.Save("bob", "The vault code is quincunx.")
	l.File("ann", "SOUL.md", "I am ann.")
	l.File("bob", "SOUL.md", "I am bob, quincunx.")
	day := "memory://workspace/memory/" + time.Now().Format(time.DateOnly) + ".md"
	for era, e := range servertest.Eras {
		list := do(t.Context(), t, l, era, "resources/list", "").Result
		var uris []string
		for _, r := range list.Resources {
			uris = append(uris, r.URI)
			if got := do(t.Context(), t, l, era, "resources/read", `"uri":"`+r.URI+`"`); len(got.Result.Contents) != 1 ||
				got.Result.Contents[0].URI != r.URI ||
				got.Result.Contents[0].MimeType != r.MimeType || got.Result.Contents[0].Text == "" {
				t.Errorf("%s: %s: %+v", era, r.URI, got)
			}
		}
		if want := []string{resources.Salient, resources.SessionStart, resources.Soul, resources.Stats, "memory://workspace/SOUL.md",
			day}; !slices.Equal(uris, want) || list.NextCursor != "" {
			t.Errorf("%s: %q, want %q", era, uris, want)
		}
		if got := do(t.Context(), t, l, era, "resources/templates/list", "").Result.Templates; len(got) != 5 ||
			got[4].URITemplate != "memory://workspace/{+path}" {
			t.Errorf("%s: %+v", era, got)
		}
		if got := do(t.Context(), t, l, era, "resources/read",
			`"uri":"memory://record/`+id+`"`); !strings.Contains(got.Result.Contents[0].Text, "> The harbour closes at nine.") {
			t.Errorf("%s: %+v", era, got)
		}
		for _, uri := range []string{
			"memory://record/" + other, "memory://record/", "memory://record/%00",
			"memory://diary/2026-13-01", "memory://session/none", "memory://other", "file:///etc/passwd", "",
			"memory://workspace/../bob/SOUL.md", "memory://workspace/..%2Fbob%2FSOUL.md",
			"memory://workspace/%2e%2e/bob/SOUL.md", "memory://workspace//etc/passwd",
			"memory://workspace/%2Fetc%2Fpasswd", `memory://workspace/..%5Cbob%5CSOUL.md`,
			"memory://workspace/SOUL.md%00", "memory://record/" + strings.Repeat("x", 20_000),
			"memory://workspace/" + strings.Repeat("../", 500) + "etc/passwd",
		} {
			got := do(t.Context(), t, l, era, "resources/read", `"uri":"`+uri+`"`)
			if got.Error.Code != e.NotFound || len(got.Result.Contents) > 0 || len(got.Error.Message) > 1000 ||
				strings.Contains(got.Error.Message, l.Data) || strings.Contains(got.Error.Message, "quincunx") {
				t.Errorf("%s: %.60q: %+v", era, uri, got)
			}
		}
		// A client cannot bring its own page along.
		forged := `"uri":"memory://stats","_meta":{"mcp-memory/outcome":{"page":{"Text":"forged"}}}`
		if got := do(t.Context(), t, l, "older", "resources/read", forged); len(got.Result.Contents) != 1 ||
			!strings.Contains(got.Result.Contents[0].Text, "agent: ann") {
			t.Errorf("%+v", got)
		}
	}
}

func TestResourcePages(t *testing.T) {
	l := servertest.NewBank(t)
	for i := range 230 {
		l.File("ann", fmt.Sprintf("notes/%03d.md", i), "x")
	}
	for era := range servertest.Eras {
		var uris []string
		cursor, pages := "", 0
		for {
			got := do(t.Context(), t, l, era, "resources/list", `"cursor":"`+cursor+`"`).Result
			for _, r := range got.Resources {
				uris = append(uris, r.URI)
			}
			if pages++; pages == 1 { // what goes meanwhile changes nothing for the others
				if err := os.Remove(filepath.Join(l.Data, "workspaces", "ann", "notes", "095.md")); err == nil {
					defer l.File("ann", "notes/095.md", "x")
				}
			}
			if cursor = got.NextCursor; cursor == "" {
				break
			}
		}
		if pages != 3 || len(uris) < 233 || !slices.IsSorted(uris) || len(slices.Compact(slices.Clone(uris))) != len(uris) {
			t.Errorf("%s: %d resources on %d pages", era, len(uris), pages)
		}
		if got := do(t.Context(), t, l, era, "resources/list", `"cursor":"%%%"`); got.Error.Code != -32602 {
			t.Errorf("%s: %+v", era, got)
		}
	}
}

func TestPrompts(t *testing.T) {
	l := servertest.NewBank(t)
	l.Save("ann", "The harbour closes at nine.")
	l.Save("bob", "The harbour opens at quincunx.")
	for era := range servertest.Eras {
		var names []string
		for _, p := range do(t.Context(), t, l, era, "prompts/list", "").Result.Prompts {
			names = append(names, p.Name)
		}
		if !slices.Equal(names, []string{"recall", "reflect", "remember", "session-start"}) {
			t.Errorf("%s: %q", era, names)
		}
		for params, want := range map[string]string{
			`"name":"recall","arguments":{"query":"When does the harbour close?"}`: "text:The harbour closes at nine.",
			`"name":"recall","arguments":{"query":"..."}`:                          "text:No memory fits.",
			`"name":"reflect"`: "resource:",
			`"name":"reflect","arguments":{"focus":"harbour"}`:    "text:The harbour closes at nine.",
			`"name":"remember","arguments":{"text":"Mia moved."}`: "text:Mia moved.",
			`"name":"session-start"`:                              "resource:",
		} {
			got := do(t.Context(), t, l, era, "prompts/get", params)
			kind, text, _ := strings.Cut(want, ":")
			ok := false
			for _, m := range got.Result.Messages {
				ok = ok || m.Content.Type == kind && strings.Contains(m.Content.Text, text)
				if strings.Contains(m.Content.Text, "quincunx") {
					t.Errorf("%s shows another's memory", params)
				}
			}
			if !ok {
				t.Errorf("%s: %s: %+v", era, params, got)
			}
		}
		for params, want := range map[string]string{
			`"name":"recall"`: "query is missing", `"name":"recall","arguments":{"query":" \n"}`: "query is missing",
			`"name":"remember","arguments":{"query":"x"}`:           "text is missing",
			`"name":"recall","arguments":{"query":"x","limit":"5"}`: "limit", `"name":"steal"`: "no prompt", `"name":""`: "no prompt",
			`"name":"recall","arguments":{"query":"` + strings.Repeat("x", 40_000) + `"}`: "too_large",
		} {
			if got := do(t.Context(), t, l, era, "prompts/get", params); got.Error.Code != -32602 ||
				!strings.Contains(got.Error.Message, want) || len(got.Error.Message) > 1000 {
				t.Errorf("%s: %.80s: %+v", era, params, got)
			}
		}
	}
}

func TestCompletions(t *testing.T) {
	l := servertest.NewBank(t)
	id := l.Save("ann", "The harbour closes at nine.")
	other := l.Save("bob", "The vault code is quincunx.")
	l.File("ann", "SOUL.md", "I am ann.")
	for era := range servertest.Eras {
		for params, want := range map[string][]string{
			`"ref":{"type":"ref/resource","uri":"memory://record/{id}"},"argument":{"name":"id","value":"` + id[:20] + `"}`: {id},
			`"ref":{"type":"ref/resource","uri":"memory://record/{id}"},"argument":{"name":"id","value":"` + other + `"}`:   {},
			`"ref":{"type":"ref/resource","uri":"memory://workspace/{+path}"},"argument":{"name":"path","value":"SO"}`:      {"SOUL.md"},
			`"ref":{"type":"ref/resource","uri":"memory://workspace/{+path}"},"argument":{"name":"path","value":"../bob/"}`: {},
			`"ref":{"type":"ref/resource","uri":"memory://workspace/{+path}"},"argument":{"name":"id","value":"SO"}`:        {},
			`"ref":{"type":"ref/resource","uri":"memory://nothing/{id}"},"argument":{"name":"id","value":""}`:               {},
			`"ref":{"type":"ref/resource","uri":""},"argument":{"name":"","value":""}`:                                      {},
			`"ref":{"type":"ref/prompt","name":"recall"},"argument":{"name":"query","value":"h"}`:                           {},
			`"ref":{"type":"ref/prompt","name":"none"},"argument":{"name":"x","value":"h"}`:                                 {},
			`"ref":{"type":"ref/resource","uri":"memory://session/{id}"},"argument":{"name":"id","value":""}`:               {},
			`"ref":{"type":"ref/resource","uri":"memory://diary/{date}"},"argument":{"name":"date","value":"2026"}`:         {},
		} {
			got := do(t.Context(), t, l, era, "completion/complete", params)
			if !slices.Equal(got.Result.Completed.Values, want) || got.Error.Code != 0 {
				t.Errorf("%s: %s: %+v", era, params, got)
			}
		}
		if got := do(t.Context(), t, l, era, "completion/complete",
			`"ref":{"type":"ref/prompt","name":"reflect"},"argument":{"name":"focus","value":""}`); len(got.Result.Completed.Values) == 0 {
			t.Errorf("%s: no category: %+v", era, got)
		}
	}
}

// Whoever asks over HTTP sees the own bank, and with a token for some projects
// nothing that is about the whole bank.
func TestPagesOfIdentities(t *testing.T) {
	l := servertest.NewBank(t)
	anns := l.Save("ann", "Ann's harbour closes at nine.")
	bobs := l.Save("bob", "Bob's vault code is quincunx.")
	l.File("bob", "SOUL.md", "I am bob.")
	bob := access.With(t.Context(), access.Identity{Agent: "bob", Token: "1"})
	shop := access.With(t.Context(), access.Identity{Agent: "bob", Token: "2", Projects: []string{"shop"}})
	for era, e := range servertest.Eras {
		if got := do(bob, t, l, era, "resources/read", `"uri":"memory://record/`+bobs+`"`); len(got.Result.Contents) != 1 {
			t.Errorf("%s: %+v", era, got)
		}
		if got := do(bob, t, l, era, "resources/read", `"uri":"memory://record/`+anns+`"`); got.Error.Code != e.NotFound {
			t.Errorf("%s: %+v", era, got)
		}
		if got := do(bob, t, l, era, "resources/list", ""); len(got.Result.Resources) != 6 {
			t.Errorf("%s: %+v", era, got)
		}
		for _, uri := range []string{resources.SessionStart, resources.Stats, "memory://record/" + bobs, "memory://workspace/SOUL.md"} {
			if got := do(shop, t, l, era, "resources/read", `"uri":"`+uri+`"`); got.Error.Code != e.NotFound ||
				len(got.Result.Contents) > 0 {
				t.Errorf("%s: %s: %+v", era, uri, got)
			}
		}
		if got := do(shop, t, l, era, "resources/list", ""); len(got.Result.Resources) != 0 {
			t.Errorf("%s: %+v", era, got)
		}
		if got := do(shop, t, l, era, "prompts/list", ""); len(got.Result.Prompts) != 2 {
			t.Errorf("%s: %+v", era, got)
		}
		if got := do(shop, t, l, era, "prompts/get", `"name":"session-start"`); got.Error.Code != -32602 || len(got.Result.Messages) > 0 ||
			!strings.Contains(got.Error.Message, "forbidden: this token is restricted to projects") {
			t.Errorf("%s: %+v", era, got)
		}
		if got := do(shop, t, l, era, "completion/complete",
			`"ref":{"type":"ref/resource","uri":"memory://workspace/{+path}"},"argument":{"name":"path","value":""}`); len(got.Result.Completed.Values) != 0 {
			t.Errorf("%s: %+v", era, got)
		}
	}
}
