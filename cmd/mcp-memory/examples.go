package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// exampleID is the beginning of an id in examples. It stands for the id of what the example is
// about.
const exampleID = "01a221b1"

// examples are the examples in the help of each command, in an order in which they work in a fresh
// bank. A test runs them all in this order.
var examples = []struct{ command, lines string }{
	{"save", `mcp-memory save "The standup is at 9:30 every weekday"
git log -1 --format=%B | mcp-memory save --tags release`},
	{"recall", `mcp-memory recall "When is the standup?"
mcp-memory recall "When is the standup?" --explain`},
	{"list", `mcp-memory list --since yesterday`},
	{"browse", `mcp-memory browse standup`},
	{"update", `mcp-memory update 01a221b1 --content "The standup is at 10:00 every weekday"`},
	{"history", `mcp-memory history 01a221b1`},
	{"get", `mcp-memory get 01a221b1`},
	{"move", `mcp-memory move 01a221b1 --to acme/shop`},
	{"log", `mcp-memory log -n 5`},
	{"undo", `mcp-memory undo`},
	{"redo", `mcp-memory redo`},
	{"forget", `mcp-memory forget 01a221b1 --reason "no longer so"`},
	{"stats", `mcp-memory stats`},

	{"import", `mcp-memory import notes/
mcp-memory import --from markdown notes/ --dry-run`},
	{"notes", `mcp-memory notes`},
	{"notes watch", `mcp-memory notes watch memories/`},
	{"context", `mcp-memory context chat.jsonl --session planning`},
	{"context status", `mcp-memory context status planning`},
	{"context assemble", `mcp-memory context assemble planning`},
	{"context compact", `mcp-memory context compact planning`},
	{"search", `mcp-memory search "which port" --in conversations`},
	{"how", `mcp-memory how "start the dev database"`},
	{"fix", `make test 2>&1 | tail -1 | mcp-memory fix`},
	{"blame", `mcp-memory blame main.go:10-20`},
	{"handoff", `mcp-memory handoff
mcp-memory handoff --to codex`},
	{"hook", `echo '{"hook_event_name": "SessionStart", "session_id": "a", "cwd": "'$PWD'"}' | mcp-memory hook --host claude-code`},
	{"memory-tool", `echo '{"command": "create", "path": "/memories/plan.md", "file_text": "Ship on Friday."}' | mcp-memory memory-tool`},
	{"memory-tool history", `mcp-memory memory-tool history`},
	{"memory-tool undo", `mcp-memory memory-tool undo 01a221b1`},
	{"self-care", `mcp-memory self-care --dry-run`},

	{"soul", `mcp-memory soul`},
	{"soul add", `mcp-memory soul add "I say what I do not know." --kind value`},
	{"soul list", `mcp-memory soul list`},
	{"soul show", `mcp-memory soul show 01a221b1`},
	{"soul remove", `mcp-memory soul remove 01a221b1 --reason "I ask instead now"`},
	{"episode", `mcp-memory episode`},
	{"episode add", `mcp-memory episode add "The launch went well." --occurred-at yesterday`},
	{"episode list", `mcp-memory episode list launch`},
	{"episode edit", `mcp-memory episode edit 01a221b1 --content "The launch went very well."`},
	{"episode show", `mcp-memory episode show 01a221b1`},
	{"episode remove", `mcp-memory episode remove 01a221b1`},
	{"triples", `mcp-memory triples`},
	{"triples add", `mcp-memory triples add --subject Ann --predicate lives_in --object Oslo`},
	{"triples list", `mcp-memory triples list`},
	{"triples show", `mcp-memory triples show 01a221b1`},
	{"triples remove", `mcp-memory triples remove 01a221b1`},
	{"procedures", `mcp-memory procedures`},
	{"procedures add", `mcp-memory procedures add release --steps '[{"action": "tag the commit"}, {"action": "push the tag"}]'`},
	{"procedures run", `mcp-memory procedures run release --success`},
	{"procedures list", `mcp-memory procedures list`},
	{"procedures find", `mcp-memory procedures find "publish a version"`},
	{"procedures show", `mcp-memory procedures show 01a221b1`},
	{"procedures remove", `mcp-memory procedures remove 01a221b1`},
	{"people", `mcp-memory people`},
	{"people add", `mcp-memory people add boris --notes "Runs the warehouse" --trust-level 0.8`},
	{"people list", `mcp-memory people list boris`},
	{"people show", `mcp-memory people show 01a221b1`},
	{"people remove", `mcp-memory people remove 01a221b1`},
	{"learnings", `mcp-memory learnings`},
	{"learnings add", `mcp-memory learnings add "The first push needs -u." --kind correction --tool git`},
	{"learnings list", `mcp-memory learnings list --tool git`},
	{"learnings edit", `mcp-memory learnings edit 01a221b1 --content "The first push of a branch needs -u."`},
	{"learnings show", `mcp-memory learnings show 01a221b1`},
	{"learnings remove", `mcp-memory learnings remove 01a221b1`},
	{"diary", `mcp-memory diary`},
	{"diary add", `mcp-memory diary add "A quiet day; the parser works."`},
	{"diary list", `mcp-memory diary list today`},

	{"todo", `mcp-memory todo`},
	{"todo add", `mcp-memory todo add "Renew the certificate" --due "next friday"`},
	{"todo list", `mcp-memory todo list`},
	{"todo done", `mcp-memory todo done 01a221b1`},
	{"calendar", `mcp-memory calendar`},
	{"calendar add", `mcp-memory calendar add "Choir" --at "tomorrow 19:00"`},
	{"calendar list", `mcp-memory calendar list`},
	{"calendar remove", `mcp-memory calendar remove 01a221b1`},

	{"workspace", `mcp-memory workspace`},
	{"workspace accept", `mcp-memory workspace accept`},
	{"workspace restore", `mcp-memory workspace restore`},
	{"workspace sync", `mcp-memory workspace sync memory-files/`},

	{"project", `mcp-memory project`},
	{"project list", `mcp-memory project list`},
	{"project alias", `mcp-memory project alias acme/store acme/shop`},
	{"project merge", `mcp-memory project merge acme/shop acme/web --dry-run`},
	{"project sort", `mcp-memory project sort --dry-run`},
	{"agent", `mcp-memory agent`},
	{"agent list", `mcp-memory agent list`},
	{"link", `mcp-memory link`},
	{"link request", `mcp-memory link request default --agent scout --message "What do you know of the shop?"`},
	{"link list", `mcp-memory link list`},
	{"link show", `mcp-memory link show 01a221b1`},
	{"link share", `mcp-memory link share 01a221b1 --kinds fact`},
	{"link revoke", `mcp-memory link revoke 01a221b1 --agent scout`},
	{"link decline", `mcp-memory link decline 01a221b1`},
	{"agent erase", `mcp-memory agent erase scout --confirm`},
	{"token", `mcp-memory token`},
	{"token create", `mcp-memory token create --agent ann`},
	{"token list", `mcp-memory token list`},
	{"token revoke", `mcp-memory token revoke 01a221b1`},

	{"serve", `mcp-memory serve --http 127.0.0.1:8765`},
	{"ping", `mcp-memory ping http://127.0.0.1:8765`},
	{"web", `mcp-memory web`},

	{"export", `mcp-memory export memories.jsonl
mcp-memory export notes-of-memory/ --format markdown`},
	{"backup", `mcp-memory backup memory.backup`},
	{"copy", `mcp-memory copy --from "$HOME/.local/share/mcp-memory" --to /tmp/memory-copy`},
	{"doctor", `mcp-memory doctor`},

	{"install", `mcp-memory install gemini
mcp-memory install claude-desktop --dry-run`},
	{"uninstall", `mcp-memory uninstall gemini`},
	{"settings", `mcp-memory settings`},
	{"settings get", `mcp-memory settings get scope`},
	{"settings set", `mcp-memory settings set backup.keep 7`},
	{"settings unset", `mcp-memory settings unset backup.keep`},
	{"model", `mcp-memory model list`},
	{"model list", `mcp-memory model list`},
	{"model pull", `mcp-memory model pull potion-base-8M`},
	{"model use", `mcp-memory model use builtin`},
	{"model remove", `mcp-memory model remove potion-base-8M`},
	{"demo", `mcp-memory demo`},
	{"tools", `mcp-memory tools --tools all`},
	{"licenses", `mcp-memory licenses`},
	{"version", `mcp-memory version`},
	{"restore", `mcp-memory restore memory.backup --yes`},
}

// exampleOf returns the examples for the help of a command, "" for none.
func exampleOf(cmd *cobra.Command) string {
	for _, one := range examples {
		if one.command == commandName(cmd) {
			return "  " + strings.ReplaceAll(one.lines, "\n", "\n  ")
		}
	}
	return ""
}
