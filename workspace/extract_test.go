package workspace_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// put writes a file as a person does.
func put(t *testing.T, d workspace.Dir, name, content string) {
	t.Helper()
	path := filepath.Join(testfiles.Path(d), name)
	if err := testfiles.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := testfiles.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestExtracts(t *testing.T) {
	data := t.TempDir()
	d := testfiles.Open(data, "ann")
	if err := d.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := d.Extracts(t.Context()); len(got) > 0 {
		t.Fatalf("files that nobody wrote in give %+v", got)
	}
	if err := d.MergeMemory(t.Context(), []memory.Record{fact("a", "preference", "Tea")}); err != nil {
		t.Fatal(err)
	}
	if err := d.MirrorSoul(t.Context(),
		[]memory.Record{{ID: "s", Content: "Be honest",
			KindDetails: memory.KindDetails{Soul: &memory.SoulDetails{Type: memory.SoulValue}}}}); err != nil {
		t.Fatal(err)
	}
	if got := d.Extracts(t.Context()); len(got) > 0 {
		t.Fatalf("lines that mirror records give %+v", got)
	}
	read := func(name string) string {
		content, err := d.Read(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	put(t, d, "AGENTS.md", read("AGENTS.md")+"\n## Style\n\nNo emojis.\n\n## Empty\n")
	put(t, d, "MEMORY.md", read("MEMORY.md")+"\nThe flat has a cellar.\n<!-- a remark -->\n")
	put(t, d, "USER.md", "# User\n\n# Ann\n\n## Work\n- vet\n")
	put(t, d, "../_shared/AGENTS.md", "Answer in English.\n")
	got := map[string]string{}
	var order []string
	for _, e := range d.Extracts(t.Context()) {
		got[e.Name] = e.Text
		order = append(order, e.Name)
	}
	if want := "_shared/AGENTS.md AGENTS.md USER.md MEMORY.md"; strings.Join(order, " ") != want {
		t.Errorf("the order is %q, want %q", order, want)
	}
	for name, want := range map[string]string{
		"_shared/AGENTS.md": "Answer in English.", "AGENTS.md": "## Style\n\nNo emojis.",
		"MEMORY.md": "## Preference\n\nThe flat has a cellar.", "USER.md": "# Ann\n\n## Work\n- vet",
	} {
		if got[name] != want {
			t.Errorf("of %s %q is a person's, want %q", name, got[name], want)
		}
	}
}

func TestWithin(t *testing.T) {
	e := workspace.Extract{Name: "AGENTS.md",
		Text: "Always test.\n\n## Style\n\nNo emojis.\nShort answers.\n\n## Deploy\n\nmake ship, then wait for the pipeline to go green and tell the team."}
	words := func(s string) int { return len(strings.Fields(s)) }
	for _, c := range []struct {
		room int
		want string
	}{
		{100,
			"Always test.|## Style||No emojis.|Short answers.|## Deploy||make ship, then wait for the pipeline to go green and tell the team."},
		{14, "Always test.|## Style||No emojis.|Short answers.|… 1 more section (Deploy): memory://workspace/AGENTS.md"},
		{9, "Always test.|… 2 more sections (Style, Deploy): memory://workspace/AGENTS.md"},
		{3, ""},
	} {
		if got := strings.Join(e.Within(c.room, words), "|"); got != c.want {
			t.Errorf("in %d words: %q, want %q", c.room, got, c.want)
		}
	}
	long := workspace.Extract{Name: "USER.md", Text: "One.\nTwo.\nThree.\nFour is a longer line than the others.\nFive."}
	if got := strings.Join(long.Within(9, words), "|"); got != "One.|Two.|Three.|… 2 more lines: memory://workspace/USER.md" {
		t.Errorf("a long section is cut to %q", got)
	}
}

// TestBeginnings: what a standard file began with is no person's word, also in a file
// that an earlier version made.
func TestBeginnings(t *testing.T) {
	d := testfiles.Open(t.TempDir(), "ann")
	if err := d.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	names := []string{"AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md", "HEARTBEAT.md"}
	for _, name := range names {
		now, err := d.Read(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		texts := append(workspace.FormerBeginnings(name), now, strings.ReplaceAll(now, "\n", "\r\n"))
		if len(texts) < 3 {
			t.Errorf("%s has no former beginning", name)
		}
		if lines := strings.Count(now, "\n"); lines > 6 {
			t.Errorf("%s begins with %d lines", name, lines)
		}
		for _, text := range texts {
			for words, want := range map[string]string{"": "", "\nMeetings are on Tuesdays.\n": "Meetings are on Tuesdays."} {
				put(t, d, name, text+words)
				got := ""
				for _, e := range d.Extracts(t.Context()) {
					if e.Name == name {
						got = e.Text
					}
				}
				if got != want {
					t.Errorf("of %q in %s %q is a person's", text+words, name, got)
				}
			}
		}
		put(t, d, name, strings.Repeat("x", len(now)-1)+"\n")
		if got := d.Extracts(t.Context()); len(got) != 1 {
			t.Errorf("a person's %s as long as its beginning is passed over", name)
		}
		put(t, d, name, now)
	}
}

// TestAside: front matter and comments are the file's, code is the person's.
func TestAside(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"front matter": {"---\ntitle: Rules\ntags:\n  - one\n- two\n# a remark\n\nowner: \"Ann\"\n---\n\nUse tabs.\n",
			"Use tabs."},
		"of Windows":             {"---\r\ntitle: Rules\r\n---\r\nUse tabs.\r\n", "Use tabs."},
		"with a byte order mark": {"\uFEFF---\ntitle: Rules\n---\nUse tabs.\n", "Use tabs."},
		"that ends with dots":    {"---\ntitle: Rules\n...\nUse tabs.\n", "Use tabs."},
		"nothing else":           {"---\ntitle: Rules\n---\n", ""},
		"rules around prose":     {"---\nUse tabs.\nNever spaces.\n---\nBe brief.\n", "---\nUse tabs.\nNever spaces.\n---\nBe brief."},
		"prose behind what looks so": {"---\nNote: use tabs\nwherever you can.\n---\nBe brief.\n",
			"---\nNote: use tabs\nwherever you can.\n---\nBe brief."},
		"never closed": {"---\ntitle: Rules\n\nUse tabs.\n", "---\ntitle: Rules\n\nUse tabs."},
		"further down": {"Use tabs.\n\n---\nkey: value\n---\n", "Use tabs.\n\n---\nkey: value\n---"},
		"a comment":    {"Use tabs.\n<!-- hidden -->\nBe brief.\n", "Use tabs.\nBe brief."},
		"beside words": {"Use tabs. <!-- hidden -->\nBe <!-- hidden --> brief, <!-- and hidden --> please.\n",
			"Use tabs.\nBe brief, please."},
		"over several lines":          {"<!--\nhidden\n\n## Hidden\n- hidden\n-->\nUse tabs.\n", "Use tabs."},
		"beginning and ending beside": {"Use tabs. <!-- hidden\nhidden --> Be brief. <!-- hidden -->\n", "Use tabs. Be brief."},
		"under a heading":             {"## Style\n<!-- hidden -->\n\n## Tests\nAlways.\n", "## Tests\nAlways."},
		"never closed comment":        {"Use tabs. <!-- not hidden\nBe brief.\n", "Use tabs. <!-- not hidden\nBe brief."},
		"in code": {"```html\n<!-- shown -->\n```\nUse `<!-- x -->` for remarks.\n",
			"```html\n<!-- shown -->\n```\nUse `<!-- x -->` for remarks."},
	} {
		for _, file := range []string{"AGENTS.md", "SOUL.md", "USER.md"} {
			d := testfiles.Open(t.TempDir(), "ann")
			put(t, d, file, c.text)
			got := ""
			for _, e := range d.Extracts(t.Context()) {
				got = e.Text
			}
			if got != c.want {
				t.Errorf("%s: of %s sessions are given %q, want %q", name, file, got, c.want)
			}
		}
	}
}

// TestTheGuideListsWhatIsLoaded compares the table of docs/workspace.md with the files
// that sessions are given, in their order.
func TestTheGuideListsWhatIsLoaded(t *testing.T) {
	guide, err := testfiles.ReadFile(filepath.Join("..", "docs", "workspace.md"))
	if err != nil {
		t.Fatal(err)
	}
	var have, want []string
	for line := range strings.Lines(string(guide)) {
		cells := strings.Split(line, "|")
		if len(cells) == 6 && strings.HasPrefix(cells[1], " `") {
			have = append(have, strings.Trim(cells[1], " `")+cells[3]+cells[4])
		}
	}
	for _, e := range workspace.LoadedFiles {
		brief := map[bool]string{true: "yes", false: "no"}[e.Brief]
		want = append(want, fmt.Sprintf("%s %.0f %%  %s ", e.Name, 100*e.Share, brief))
	}
	if !slices.Equal(have, want) {
		t.Errorf("docs/workspace.md has\n%q, want\n%q", have, want)
	}
}
