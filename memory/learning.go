package memory

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"
)

// CompareLearnings orders learnings by how much they matter to who begins something,
// as [slices.SortFunc] wants it: corrections by the user before errors, what was
// confirmed more often before what was not, the more important of equals, the newest
// of these.
func CompareLearnings(a, b Record) int {
	corrects := func(r Record) bool { return r.Learning != nil && r.Learning.Type == LearningCorrection }
	if corrects(a) != corrects(b) {
		if corrects(a) {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.Confirmations, a.Confirmations), cmp.Compare(b.Importance, a.Importance), b.EventTime().
		Compare(a.EventTime()), strings.Compare(a.ID, b.ID))
}

// About says how much the learning is about a tool that is going to be used: 2 if it
// is about that tool or that command, 1 if it is about the shell that runs the
// command, 0 if it is about something else or names no tool. Case does not matter. A
// tool is named as hosts do: "Read", "mcp__github__create_issue", or with what a shell
// is to run, "Bash: git push" or "Bash(git push:*)", where the command's first word
// is a tool as well: git.
func (d LearningDetails) About(tool string) int {
	asked, learned := readTool(tool), readTool(d.Tool)
	switch {
	case asked == nil || learned == nil:
		return 0
	case slices.Equal(asked, learned), asked.command() != "" && asked.command() == learned.command():
		return 2
	case asked.shell() == "" || asked.shell() != learned.shell():
		return 0
	case len(asked) == 1: // all that it runs
		return 2
	case len(learned) == 1:
		return 1
	}
	return 0
}

// ToolUse returns what a call used in the form that [LearningDetails.About] reads: the name of the
// tool and, for a shell, the program of the command that it ran ("Bash: git").
func (c ToolCall) ToolUse() string {
	if used := readTool(c.Name); len(used) != 1 || used.shell() == "" {
		return c.Name
	}
	if used := commandOf(c.Command()); len(used) > 0 {
		return c.Name + ": " + used[0]
	}
	return c.Name
}

// Command returns the command line that a call gives to a shell, "" if its tool is not a shell. Of a
// command given as a list such as ["bash", "-lc", "make"], it returns the last element.
func (c ToolCall) Command() string {
	if used := readTool(c.Name); len(used) != 1 || used.shell() == "" {
		return ""
	}
	var arguments struct {
		Command, Cmd, Script json.RawMessage
	}
	if json.Unmarshal(c.Arguments, &arguments) != nil {
		return ""
	}
	for _, raw := range []json.RawMessage{arguments.Command, arguments.Cmd, arguments.Script} {
		var line string
		var words []string
		if json.Unmarshal(raw, &line) != nil && json.Unmarshal(raw, &words) == nil {
			if len(words) == 3 && shells[strings.TrimSuffix(path.Base(words[0]), ".exe")] && strings.HasPrefix(words[1], "-") {
				words = words[2:]
			}
			line = strings.Join(words, " ")
		}
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// Program returns the name of the program that a command line runs, in lower case and without its
// folder; "" if there is none. Changes of directory, variables and wrappers such as sudo before it
// are skipped: of "cd x && sudo /usr/bin/Git pull" it is "git".
func Program(line string) string {
	if words := commandOf(line); len(words) > 0 {
		return words[0]
	}
	return ""
}

// toolWords is a tool in lower case: either a shell followed by the words of its command, or the
// words of a name, which may be that of a command without its shell.
type toolWords []string

// shells are tools that run commands.
var shells = map[string]bool{
	"bash": true, "sh": true, "zsh": true, "fish": true, "shell": true,
	"local_shell": true, "terminal": true, "console": true, "powershell": true, "pwsh": true,
	"cmd": true, "exec": true, "exec_command": true, "execute_command": true,
	"run_command": true, "run_shell_command": true, "run_terminal_cmd": true,
	"run_in_terminal": true, "shell_command": true, "bashtool": true,
}

// shell returns the shell that runs the command, "" if the tool is not a shell.
func (w toolWords) shell() string {
	if len(w) > 0 && shells[w[0]] {
		return w[0]
	}
	return ""
}

// command returns the program that a shell runs, or the first word of a tool that is not a shell;
// "" for a shell alone.
func (w toolWords) command() string {
	switch {
	case w.shell() == "":
		return w[0]
	case len(w) > 1:
		return w[1]
	}
	return ""
}

// readTool understands the name of a tool, nil if there is none.
func readTool(name string) toolWords {
	name = strings.ToLower(strings.TrimSpace(name))
	// Of "mcp__github__create_issue" only what follows the server's name.
	if at := strings.LastIndex(name, "__"); at >= 0 && !strings.ContainsFunc(name[:at], unicode.IsSpace) {
		name = name[at+2:]
	}
	end := strings.IndexFunc(name, func(r rune) bool { return r == ':' || r == '(' || unicode.IsSpace(r) })
	if end < 0 {
		end = len(name)
	}
	if !shells[name[:end]] {
		return commandOf(name)
	}
	rest := strings.TrimSpace(strings.TrimLeft(name[end:], ":( \t"))
	return append(toolWords{name[:end]}, commandOf(strings.TrimRight(rest, ":*)"))...)
}

// commandOf returns the words of a command line from the program on: without a change
// of directory, variables and what only runs another program before it.
func commandOf(line string) toolWords {
	words := strings.Fields(strings.ToLower(line))
	for len(words) > 0 {
		first := strings.Trim(words[0], `"'`)
		name, _, assigns := strings.Cut(first, "=")
		switch {
		case first == "cd" && slices.ContainsFunc(words, endsCommand):
			words = words[slices.IndexFunc(words, endsCommand)+1:]
		case assigns && name != "" && !strings.ContainsAny(name, "/-."), wrappers[first] && len(words) > 1, strings.HasPrefix(first, "-"):
			words = words[1:]
		default:
			words[0] = strings.TrimSuffix(path.Base(strings.ReplaceAll(first, `\`, "/")), ".exe")
			return words
		}
	}
	return nil
}

func endsCommand(word string) bool { return word == "&&" || strings.HasSuffix(word, ";") }

// wrappers run the command that stands behind them.
var wrappers = map[string]bool{
	"sudo": true, "env": true, "time": true, "nohup": true, "nice": true, "command": true, "exec": true,
	"bash": true, "sh": true, "zsh": true, "/bin/bash": true, "/bin/sh": true,
}
