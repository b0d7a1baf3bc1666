package main

import (
	"regexp"
	"strings"
	"testing"
)

// wrongUses are command lines that cannot be done, and what each answer has to say.
var wrongUses = []struct{ line, says string }{
	{"save ''", "TEXT is empty"},
	{"save x --occurred-at soonish", `--occurred-at is "soonish"`},
	{"save x --importance 3", "--importance is 3 (a number from 0 to 1)"},
	{"save x --kind nonsense", "unknown flag: --kind"},
	{"save x --metadata {", "not valid JSON (an object such as"},
	{"save x --supersedes zz", "`mcp-memory list`"},
	{"get zz", "`mcp-memory list`"},
	{"update zz --content y", "`mcp-memory list`"},
	{"update", "ID is missing"},
	{"history zz", "`mcp-memory list`"},
	{"forget", "give IDs, or --query,"},
	{"forget zz", "`mcp-memory list`"},
	{"move zz", "--to is missing"},
	{"move zz --to global", "`mcp-memory list`"},
	{"recall", "QUERY is missing"},
	{"recall x --limit 0", "--limit is 0 (an integer from 1 to 100)"},
	{"recall x --since 03/04/2026", "(say which)"},
	{"recall x --limt 3", "did you mean --limit?"},
	{"search x --in nowhere", "(one of memories, conversations,"},
	{"list --kind nonsense", "(one of fact,"},
	{"list -n 0", "(1 to 500)"},
	{"list --page 0", "a whole number from 1"},
	{"undo zz", "`mcp-memory log`"},
	{"redo zz", "`mcp-memory log"},
	{"import", "name a file or folder"},
	{"import nowhere.jsonl", "(check the path"},
	{"import --from nobody", "auto, engram,"},
	{"import --from auto", "import --from PROGRAM PATH"},
	{"export", "FILE|DIR is missing"},
	{"export /nonexistent/x.jsonl", "(check the path"},
	{"export x --format pdf", "bundle or markdown"},
	{"backup", "FILE is missing"},
	{"backup /nonexistent/x", "(check the directory"},
	{"restore nowhere", "--yes says that you want that"},
	{"install nobody", "(one of claude-code,"},
	{"uninstall", "mcp-memory uninstall HOST"},
	{"settings get scop", "did you mean scope?"},
	{"settings set backup.keep many", `backup.keep is "many" (a whole number from 1)`},
	{"settings set backup.keep", "VALUE is missing"},
	{"settings set log.level loud", `log.level is "loud" (debug, info, warn or error)`},
	{"settings set agent ../x", `agent "../x" is not a name`},
	{"settings set tools nonsense", `there is no tool or group "nonsense"`},
	{"settings set scope nonsense", "auto, project or global"},
	{"token create --projects ''", "leave it out for a token of all projects"},
	{"soul add ''", "TEXT is empty"},
	{"soul remove zz", "--reason is missing"},
	{"soul add x --kind nonsense", "(one of belief,"},
	{"episode add", "EVENT is missing"},
	{"triples add --subject a", "--predicate is missing"},
	{"procedures add x", "--steps is missing"},
	{"procedures run nope --success", "`mcp-memory procedures list`"},
	{"people add", "NAME is missing"},
	{"diary list someday", "DATE is"},
	{"todo add x --due whenever", "--due-at is"},
	{"todo done zz", "`mcp-memory todo list"},
	{"calendar add x", "--starts-at is missing"},
	{"calendar remove zz", "`mcp-memory calendar list`"},
	{"context nowhere.jsonl", "(check the path"},
	{"context status nope", "`mcp-memory context FILE`"},
	{"workspace sync", "DIR is missing"},
	{"workspace nonsense", "unknown command"},
	{"project merge nope other", "`mcp-memory project list`"},
	{"project alias x", "alias takes OLD and NEW"},
	{"agent erase nope --confirm", "`mcp-memory agent list`"},
	{"link request nobody", "(an agent exists once"},
	{"link share zz", "`mcp-memory link list`"},
	{"token revoke zz", "`mcp-memory token list`"},
	{"token create --expires soonish", "(a duration such as"},
	{"serve --http nonsense", "(choose an address"},
	{"ping nonsense", "(such as http://127.0.0.1:8765)"},
	{"ping http://127.0.0.1:1", "`mcp-memory serve --http ADDRESS`"},
	{"web --addr 0.0.0.0:80", "such as 127.0.0.1:8766"},
	{"copy", "--from URL and --to URL"},
	{"copy --from nowhere --to elsewhere", "(a data directory, or the file in it)"},
	{"doctor x", `"x" is not understood`},
	{"model pull nope", "`mcp-memory model list`"},
	{"model use nope", "mcp-memory model pull nope"},
	{"tools --tools nope", "did you mean"},
	{"memory-tool undo zz", "`mcp-memory memory-tool history`"},
	{"nonsense", "unknown command"},
	{"recall x --color blue", "auto, always or never"},
	{"how ''", "WHAT is empty (say what"},
	{"self-care --mode nonsense", "(one of auto,"},
	{"self-care --undo zz", "`mcp-memory log`"},
}

// nextStep is what an error ends with: a hint, or where to look.
var nextStep = regexp.MustCompile(`\([^)]{6,}\)|Try: mcp-memory .*--help`)

// TestErrorsSayWhatToDo wants of every wrong use to hear what was wrong, in the words of the
// command line, and what to do next.
func TestErrorsSayWhatToDo(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "The harbour closes at nine.")
	for _, wrong := range wrongUses {
		var args []string
		for word := range strings.FieldsSeq(wrong.line) {
			args = append(args, strings.Trim(word, "'"))
		}
		r := m.run("", args...)
		if r.code == exitDone || r.stdout != "" || !strings.Contains(r.stderr, wrong.says) || !nextStep.MatchString(r.stderr) {
			t.Errorf("%s: exit %d, %s%s", wrong.line, r.code, r.stdout, r.stderr)
		}
	}
	empty := newMachine(t)
	empty.fails(exitFailed, "the first save, or a server, begins a new one", "recall", "x")
}
