package foreign_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/transfer/foreign"
)

const (
	claudeProjects = `[{"uuid":"p1","name":"Tea house","description":"Sells tea.","prompt_template":"Answer in rhymes.","created_at":"2026-02-01T10:00:00Z",
 "docs":[{"uuid":"d1","filename":"menu.md","content":"# Menu\n\n## Green\n\nSencha.\n\n## Black\n\nAssam.","created_at":"2026-02-02T10:00:00Z"},{"uuid":"d2","filename":"empty.md"}]},
 {"uuid":"p2","name":"How to use Claude","is_starter_project":true,"description":"An example."}, {"name":"no id"}]`
	claudeMemories = `[{"conversations_memory":"**Work context**\n\nArjun is a senior advisor\nin Pune.\n\n**Personal:**\n- Has two cats.\n- Likes **green** tea.\n1. Runs.",
 "project_memories":{"p1":"# Purpose\nOpens in May.","gone":"Is left alone."},"memory_files":[],"account_uuid":"a"}]`
	inProject = `[{"uuid":"u2","name":"Menu","project_uuid":"p1","created_at":"2026-03-01T10:00:00Z","chat_messages":[{"uuid":"m1","sender":"human","text":"Which tea?"}]}]`
)

// told reads an export, and says of each item its project, its kind and what it says.
func told(t *testing.T, program, path string, o foreign.Options) (lines, bad []string, err error) {
	t.Helper()
	keys := map[string]bool{}
	err = foreign.Read(t.Context(), []foreign.Target{{Source: conversations(program), Path: path}}, foreign.Input{Options: o},
		func(i foreign.Item) error {
			mark := ""
			if i.Review {
				mark = "?"
			}
			switch {
			case i.Bad != nil:
				bad = append(bad, i.Bad.Place+": "+i.Bad.Reason)
				return nil
			case i.Skip != "":
				lines = append(lines, i.Project+"|left out, "+i.Skip+"|"+i.Content)
			case i.Talk != nil:
				lines = append(lines, i.Project+"|talk|"+i.Talk.Turns[0].Content)
			default:
				lines = append(lines, i.Project+"|"+string(i.Kind)+mark+"|"+i.Content)
			}
			if keys[i.Key] || !strings.HasPrefix(i.Key, program+":") {
				t.Errorf("the key %s", i.Key)
			}
			keys[i.Key] = true
			return nil
		})
	return lines, bad, err
}

// What claude.ai has noted, and its projects, come in each form that exports have.
func TestClaudeMemories(t *testing.T) {
	noted := []string{
		"|?|Work context: Arjun is a senior advisor in Pune.",
		"|?|Personal: Has two cats.", "|?|Personal: Likes **green** tea.", "|?|Personal: Runs.",
		"gone|?|Is left alone.", "Tea house|?|Purpose: Opens in May.",
	}
	chat := []string{"Tea house|episode|A conversation with Claude: Menu", "Tea house|talk|Which tea?"}
	about := []string{"Tea house||Tea house: Sells tea.", "Tea house|left out, documents of projects (--all takes them)|menu.md",
		"How to use Claude|left out, examples that claude.ai itself has made|How to use Claude: An example."}
	all := slices.Concat(noted, chat, about)
	first, _, _ := strings.Cut(strings.TrimPrefix(claudeProjects, "["), ",\n {\"uuid\":\"p2\"")
	folder := filepath.Dir(export(t, "memories.json", claudeMemories))
	unknown := slices.Clone(noted)
	unknown[5] = "p1|?|Purpose: Opens in May."
	for name, c := range map[string]struct {
		path string
		want []string
		bad  int
	}{
		"zip": {export(t, "a.zip",
			zipped(t, "conversations.json", inProject, "memories.json", claudeMemories, "projects.json", claudeProjects, "users.json",
				"[{}]")), all, 1},
		"nested": {export(t, "a.zip",
			zipped(t, "conversations-000.zip", zipped(t, "conversations.json", inProject), "memories-000.zip",
				zipped(t, "memories/acct.json", strings.Trim(claudeMemories, "[]")), "projects.json", claudeProjects)), all, 1},
		"a file a project": {
			export(t, "a.zip", zipped(t, "data/memories.json", claudeMemories, "data/conversations.json", inProject,
				"data/projects/p1.json", first)),
			slices.Concat(noted, chat, about[:2]), 0,
		},
		"folder":   {folder, unknown, 0},
		"memories": {export(t, "mine.json", claudeMemories), unknown, 0},
		"projects": {export(t, "p1.json", first), about[:2], 0},
		"other form": {export(t, "memories.json",
			`[7, {"conversations_memory":["x"],"project_memories":[1]}, {"project_memories":{"p":{"a":1},"q":null}}]`), nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			lines, bad, err := told(t, "claude-ai", c.path, foreign.Options{})
			slices.Sort(lines)
			if want := slices.Sorted(slices.Values(c.want)); err != nil || !slices.Equal(lines, want) || len(bad) != c.bad {
				t.Errorf("%q\nbad %q, %v; want\n%q", lines, bad, err, want)
			}
		})
	}
	lines, _, err := told(t, "claude-ai", export(t, "projects.json", claudeProjects), foreign.Options{All: true, Instructions: true})
	want := []string{"Tea house||Tea house: Sells tea.", "Tea house||Answer in rhymes."}
	if err != nil || len(lines) != 5 || !slices.Equal(lines[:2], want) || !strings.Contains(lines[2]+lines[3], "Sencha.") ||
		!strings.Contains(lines[3], "Assam.") {
		t.Errorf("with all: %q, %v", lines, err)
	}
}

// What a user of ChatGPT wrote for all conversations comes if it is asked for, once, as
// it was last.
func TestCustomInstructions(t *testing.T) {
	one := func(id, at, content string) string {
		return `{"id":"` + id + `","create_time":` + at +
			`,"current_node":"n2","mapping":{"n1":{"message":{"author":{"role":"user"},"content":{"content_type":"user_editable_context"` +
			content + `,"is_visually_hidden_from_conversation":true}}},
			"n2":{"parent":"n1","message":{"id":"m","author":{"role":"user"},"content":{"content_type":"text","parts":["Hello."]}}}}}`
	}
	words := func(profile, told string) string {
		return `,"user_profile":"The user provided this:\n` + "```" + profile + "```" + `","user_instructions":"And this:\n` + "```" +
			told + "```" + `"},"metadata":{"a":1`
	}
	path := export(t, "conversations.json", "["+one("c1", "1772359200", words("I bake.", "Be short."))+","+
		one("c2", "1782359200", words("I bake bread.", "Be brief."))+","+
		one("c3", "1762359200",
			`},"metadata":{"user_context_message_data":{"about_user_message":"I am new.","about_model_message":"x"}`)+"]")
	without, bad, err := told(t, "chatgpt", path, foreign.Options{})
	if err != nil || len(bad) > 0 || len(without) != 3 {
		t.Errorf("%q, %q, %v", without, bad, err)
	}
	lines, _, err := told(t, "chatgpt", path, foreign.Options{Instructions: true})
	want := []string{"|?|What I told ChatGPT about myself: I bake bread.", "|?|How ChatGPT was to answer me: Be brief."}
	if err != nil || len(lines) != 5 || !slices.Equal(lines[3:], want) {
		t.Errorf("%q, %v", lines, err)
	}
}

// More blanks than a conversation may have bytes are no reason to leave out what is behind
// them, and blanks in texts are left alone.
func TestEndlessBlanks(t *testing.T) {
	blanks := strings.Repeat(" \n\t\r", 20<<20)
	text := `a` + strings.Repeat(" ", 10_000) + `\\\"[b` + strings.Repeat(" ", 10_000) + `c`
	message := `{"uuid":"m1","sender":"human","created_at":"2026-03-01","text":"` + text + `"}`
	path := export(t, "c.json", blanks+`[{"uuid":"u1","chat_messages":[`+message+`]}`+blanks+`]`)
	lines, bad, err := readExport(t, "claude-ai", path)
	if err != nil || len(bad) > 0 || len(lines) != 1 ||
		lines[0] != "claude-ai:u1|m1|user|"+strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(text) {
		t.Errorf("%d lines, bad %q, %v", len(lines), bad, err)
	}
}
