package llm

import (
	"path/filepath"
	"slices"
	"strings"
)

// program is a known program that answers, and how it is kept from doing anything else.
type program struct {
	name string
	// plain is the command line that `install` offers.
	plain string
	// first are arguments that have to be there, unless one of them is: of "-p|--print" either.
	first []string
	// last are arguments behind the user's own.
	last []string
	// drop are arguments that the user may have written and that ask for the prompt as an argument.
	drop []string
	// environ are variables; {dir} is the directory that the program is started in.
	environ []string
	// files are written into that directory.
	files map[string]string
}

// role takes the place of what a program tells its model otherwise: how to change code.
const (
	role     = "You read text and answer with JSON only."
	roleFile = "role.md"
)

// programs are those that are known. What a flag does is tried with the real programs by
// test/hosts.
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

// programNamed returns what is known of a program, by the path that starts it; nil for others.
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

// Known returns the command lines of the known programs that need no model's name, by the
// programs' names.
func Known() map[string]string {
	lines := map[string]string{}
	for _, k := range programs {
		if k.plain != "" {
			lines[k.name] = k.plain
		}
	}
	return lines
}

// isolated returns a command line with the arguments that keep the program to itself.
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
