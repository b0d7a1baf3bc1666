package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"mcp-memory/access"
)

// A token that is restricted to projects does not learn from an empty answer
// that there are others.
func TestEmptyAnswerNamesOnlyProjectsOfTheCaller(t *testing.T) {
	r := newRig(t)
	for _, project := range []string{"shop", "blog", "vault"} {
		var saved saveOutput
		r.must("memory_save", `{"content":"The release branch is called stable.","project":"`+project+`"}`, &saved)
	}
	for name, c := range map[string]struct {
		projects []string
		want     string
	}{
		"a token for two":  {[]string{"shop", "kiosk"}, `[{"project":"shop","count":1}]`},
		"a token for none": {[]string{"kiosk"}, ``},
		"the owner":        {nil, `[{"project":"blog","count":1},{"project":"shop","count":1},{"project":"vault","count":1}]`},
	} {
		who := access.Identity{Agent: "ann", Projects: c.projects}
		result, text, err := r.fleet.Call(access.With(t.Context(), who), "memory_recall",
			json.RawMessage(`{"query":"release branch","project":"kiosk"}`))
		if err != nil {
			t.Fatal(err)
		}
		var out struct{ Elsewhere json.RawMessage }
		if err := json.Unmarshal(result, &out); err != nil || string(out.Elsewhere) != c.want {
			t.Errorf("%s: %s, %v", name, result, err)
		}
		if strings.Contains(text, "vault") != strings.Contains(c.want, "vault") ||
			strings.Contains(text, "shop") != strings.Contains(c.want, "shop") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestSaysWhatOfTheFilesIsNotHeardYet is about answers while many lines wait.
func TestSaysWhatOfTheFilesIsNotHeardYet(t *testing.T) {
	r, waiting := newRig(t), 2900
	r.using.Unheard = func(agent string) int {
		if agent != "ann" {
			t.Errorf("asked about %q", agent)
		}
		return waiting
	}
	r.use(sampleScopeOf)
	for _, waiting = range []int{2900, 0} {
		for _, tool := range []string{"memory_recall", "memory_search"} {
			if text := textOf(r.call(tool, `{"query":"drawer"}`)); strings.Contains(text, "2900 lines that were added") != (waiting > 0) {
				t.Errorf("%s with %d: %q", tool, waiting, text)
			}
		}
	}
}
