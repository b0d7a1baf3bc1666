package llm

import (
	"path/filepath"
	"slices"
	"strings"
)

// program is a known program that answers, with what keeps it from doing anything else.
type program struct {
	name string
	// plain is the command line that `install` offers; empty if it needs a model's name.
	plain string
	// first are arguments to add in front, unless the user has given them. "-p|--print" stands for
	// either form; the first is added.
	first []string
	// last are arguments to add behind the user's own.
	last []string
	// drop are arguments of the user to leave out: those by which the prompt would be an argument.
	drop []string
	// environ are variables to set; {dir} stands for the directory that the program is started in.
	environ []string
	// files are written into that directory, by their names.
	files map[string]string
}

// role replaces the program's own system prompt, which tells the model how to change code.
const (
	role     = "You read text and answer with JSON only."
	roleFile = "role.md"
)

// programs are the known programs. test/hosts tries what the flags do with the real ones.
var programs = []program{
	{
		name: "claude", plain: "claude -p --model haiku",
		first: []string{"-p|--print"},
		last: []string{
			"--strict-mcp-config", "--tools", "", "--no-session-persistence", "--disable-slash-commands",
			"--settings", `{"disableAllHooks":true,"autoMemoryEnabled":false}`,
			"--system-prompt", role,
		},
		environ: []string{"CLAUDE_CODE_SAFE_MODE=1", "CLAUDE_CODE_DISABLE_CLAUDE_MDS=1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"},
	},
	{
		name: "codex", plain: "codex exec",
		first: []string{"exec|e"},
		last: []string{
			"--ignore-user-config", "--ignore-rules", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "--color", "never",
			"-c", "features.hooks=false", "-c", "features.plugins=false", "-c",
			"features.apps=false", "-c", "features.memories=false", "-c", "features.shell_tool=false",
			"-c", `web_search="disabled"`, "-c", "project_doc_max_bytes=0", "-c", `model_instructions_file="{dir}/` + roleFile + `"`, "-",
		},
		drop: []string{"-"}, files: map[string]string{roleFile: role},
	},
	{
		name: "gemini", plain: "gemini -m gemini-2.5-flash",
		last: []string{"--allowed-mcp-server-names", "none", "--extensions", "none", "--approval-mode", "plan", "--skip-trust"},
		drop: []string{"-p", "--prompt"}, environ: []string{"GEMINI_SYSTEM_MD={dir}/" + roleFile},
		files: map[string]string{roleFile: role,
			".gemini/settings.json": `{"hooksConfig":{"enabled":false},"skills":{"enabled":false},"context":{"fileName":"NONE.md"}}`},
	},
	{name: "ollama", first: []string{"run"}},
}

// programNamed returns the known program that a path starts, nil for others.
func programNamed(path string) *program {
	name := strings.ToLower(filepath.Base(filepath.ToSlash(path)))
	for _, end := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, end)
	}
	if i := slices.IndexFunc(programs, func(k program) bool { return k.name == name }); i >= 0 {
		return &programs[i]
	}
	return nil
}

// Known returns command lines by the names of programs, for the known programs that need no model's
// name.
func Known() map[string]string {
	lines := map[string]string{}
	for _, k := range programs {
		if k.plain != "" {
			lines[k.name] = k.plain
		}
	}
	return lines
}

// isolated returns the command line with the arguments of k added and dropped.
func (k *program) isolated(words []string) []string {
	given := slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return slices.Contains(k.drop, w) })
	made := []string{words[0]}
	for _, one := range k.first {
		either := strings.Split(one, "|")
		if !slices.ContainsFunc(given, func(w string) bool { return slices.Contains(either, w) }) {
			made = append(made, either[0])
		}
	}
	return append(append(made, given...), k.last...)
}
