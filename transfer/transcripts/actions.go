package transcripts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/text/failing"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/secrets"
)

// toolKinds maps the tools of hosts to what they do, by plainName. Tools that run commands are
// recognised by [memory.ToolCall.Command] instead.
var toolKinds = map[string]memory.ActionKind{
	"read": memory.ActionRead, "readfile": memory.ActionRead, "view": memory.ActionRead,
	"viewfile": memory.ActionRead, "openfile": memory.ActionRead,
	"write": memory.ActionWrite, "writefile": memory.ActionWrite, "create": memory.ActionWrite,
	"createfile": memory.ActionWrite, "writetofile": memory.ActionWrite,
	"edit": memory.ActionEdit, "multiedit": memory.ActionEdit, "replace": memory.ActionEdit,
	"strreplace": memory.ActionEdit, "searchreplace": memory.ActionEdit,
	"editfile": memory.ActionEdit, "notebookedit": memory.ActionEdit,
	"strreplaceeditor": memory.ActionEdit, "strreplacebasededittool": memory.ActionEdit,
	"replaceinfile": memory.ActionEdit, "inserteditintofile": memory.ActionEdit,
	"applydiff": memory.ActionEdit, "applypatch": patched, "patch": patched,
}

// patched stands for a tool that applies a patch to any number of files.
const patched memory.ActionKind = "patch"

// editorKinds maps the argument "command" of an editor tool to what the call does.
var editorKinds = map[string]memory.ActionKind{
	"view": memory.ActionRead, "create": memory.ActionWrite, "str_replace": memory.ActionEdit, "insert": memory.ActionEdit,
}

// runsTests matches commands that run tests.
var runsTests = lazyregexp.New(`(?:^|[\s;&|/])(?:(?:go|cargo|swift|dotnet|deno|bun|mix|sbt|lein|flutter|dart|zig build|bazel|buck2|gradle|gradlew|mvn|mvnw|make|just|task|rake|rails|npm|pnpm|yarn|composer|meson|ninja|pdm|hatch|poe|nox)(?: run)?(?: -\S+)* \S*(?:test|check|spec)\S*|(?:pytest|py\.test|tox|nox|jest|vitest|mocha|ava|rspec|minitest|phpunit|pest|ctest|bats|ginkgo|gotestsum|nextest|playwright test|cypress run|behave|cucumber)(?:\s|$)|python3? -m (?:pytest|unittest)|manage\.py test)`)

// begun returns the actions of a call, without an outcome.
func (d *reading) begun(t memory.Turn, c memory.ToolCall) (list []memory.Action) {
	as := memory.Action{
		Session: t.Session, At: t.SaidAt, Dir: shortLine(cmp.Or(d.state.Cwd, d.state.Dir), memory.MaxActionText),
		Host: string(d.state.Format), About: d.state.Says, Asked: d.state.Asked,
	}
	if as.Session == "" || as.At.IsZero() {
		return nil
	}
	var given arguments
	_ = json.Unmarshal(c.Arguments, &given) // no arguments leave it empty
	if dir := given.text("workdir", "working_directory", "directory", "dir_path", "cwd"); dir != "" {
		as.Dir = shortLine(at(as.Dir, dir), memory.MaxActionText)
	}
	line := c.Command()
	kind := toolKinds[plainName(c.Name)]
	if editor, known := editorKinds[given.text("command")]; known && kind == memory.ActionEdit {
		kind = editor
	}
	switch {
	case strings.HasPrefix(line, "apply_patch"):
		list = patch(as, line)
	case kind == patched:
		list = patch(as, given.text("input", "patch", "patchText", "patch_text"))
	case line != "":
		if about := given.text("description", "explanation", "justification"); about != "" {
			as.About = safeLine(about, memory.MaxActionAbout)
		}
		as.Kind, as.Text = memory.ActionCommand, beginning(secrets.RedactOutput(strings.TrimSpace(line)), memory.MaxActionText)
		if runsTests().MatchString(as.Text) {
			as.Kind = memory.ActionTest
		}
		list = []memory.Action{as}
	case kind != "":
		as.Kind, as.Text = kind,
			at(as.Dir, given.text("file_path", "absolute_path", "filePath", "target_file", "notebook_path", "path", "file", "filename"))
		if kind.Changes() {
			as.Hunks = hunks(given.put())
		}
		list = []memory.Action{as}
	}
	list = slices.DeleteFunc(list, func(a memory.Action) bool { return a.Text == "" || len(a.Text) > memory.MaxActionText })
	for i := range list {
		sum := sha256.Sum256([]byte(t.Session + "\x00" + cmp.Or(c.ID, strconv.FormatUint(uint64(d.state.Place), 10)+as.At.String()) +
			"\x00" + strconv.Itoa(i)))
		list[i].ID = hex.EncodeToString(sum[:12])
	}
	return list
}

// act passes actions to Options.Act.
func (d *reading) act(list []memory.Action) {
	for _, a := range list {
		if a.Validate() == nil { // drop what a host has written wrongly
			d.Act(a)
		}
	}
}

// noteActions remembers what a user or assistant says in a turn, and begins the actions of its
// calls.
func (d *reading) noteActions(t memory.Turn, calls []memory.ToolCall) {
	switch t.Role {
	case memory.RoleUser:
		if asked := safeLine(t.Content, memory.MaxActionAbout); asked != "" {
			d.state.Asked, d.state.Says = asked, ""
		}
	case memory.RoleAssistant:
		if says := safeLine(t.Content, memory.MaxActionAbout); says != "" {
			d.state.Says = says
		}
	}
	for _, c := range calls {
		if c.Name == "" || d.own(c.Name) || d.state.Format == Gemini { // their calls are handled in geminiCall
			continue
		}
		list := d.begun(t, c)
		switch one, waits := d.state.Calls[c.ID]; {
		case c.Result != "" || c.Error != "":
			d.act(ended(list, t.SaidAt, cmp.Or(c.Error, c.Result), c.Error != ""))
		case c.ID == "": // its result cannot be matched
			d.act(list)
		case waits:
			one.Acts = list
			d.state.Calls[c.ID] = one
		}
	}
}

// end passes on the actions of a call that has ended.
func (d *reading) end(call string, now time.Time, output string, failed bool) {
	if one := d.state.Calls[call]; d.Act != nil && len(one.Acts) > 0 {
		d.act(ended(one.Acts, now, output, failed))
	}
}

// ended returns the actions of a call with outcome, exit code, duration and output. It returns none
// if the user refused the call.
func ended(list []memory.Action, now time.Time, output string, failed bool) []memory.Action {
	if failed && Refused(output) {
		return nil
	}
	output = escapes().ReplaceAllString(output, "")
	exit, known := exitOf(output)
	outcome := memory.OutcomeOK
	if failed || known && exit != 0 {
		outcome = memory.OutcomeFailed
	}
	for i := range list {
		a := &list[i]
		if a.Outcome = outcome; a.Kind.Runs() {
			a.Exit = exit
		}
		if took := now.Sub(a.At); took > 0 && took < 24*time.Hour {
			a.Took = took.Truncate(time.Millisecond)
		}
		switch {
		case outcome == memory.OutcomeFailed:
			a.Tail = tailOf(secrets.RedactOutput(failing.Telling(frame().ReplaceAllString(output[:min(len(output), 64<<10)], ""))),
				memory.MaxActionTail)
		case a.Kind.Runs():
			a.Tail = tailOf(secrets.RedactOutput(lastBytes(frame().ReplaceAllString(lastBytes(output, 4<<10), ""), 400)), 400)
		}
	}
	return list
}

var (
	// escapes matches the colour codes that programs print.
	escapes = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)
	// frame matches lines that hosts add to the output of a command.
	frame = lazyregexp.New(`(?m)^(?:Chunk ID: .*|Wall time: .*|Process exited with code .*|Process Group PGID: .*|Background PIDs: .*|Original token count: .*|Output:|(?:Command|Directory|Stderr|Stdout): .*|Error: \(none\)|Signal: (?:\(none\)|0)|Exit code:? -?\d+|Exit Code: .*|<exited with exit code -?\d+>)\n?`)
	// exits matches how hosts report an exit code.
	exits = lazyregexp.New(`(?i)^\W*(?:process )?exit(?:ed)?(?: with)?(?: exit)? code:? *(-?\d+)`)
)

// exitOf returns the exit code that a host reports in the first or last four lines of an output.
func exitOf(output string) (code int, known bool) {
	const near = 4
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for i, line := range lines {
		if i >= near && i < len(lines)-near {
			continue
		}
		if m := exits().FindStringSubmatch(line); m != nil {
			code, err := strconv.Atoi(m[1])
			return code, err == nil
		}
	}
	return 0, false
}

// refusals are the beginnings of results of calls that the user has stopped.
var refusals = []string{"The user doesn't want to", "The user does not want to", "Request interrupted", "[Request interrupted",
	"User rejected", "rejected by user", "Permission denied by user", "Operation cancelled"}

// Refused reports whether the result of a call says that the user has stopped it.
func Refused(output string) bool {
	output = strings.TrimPrefix(strings.TrimSpace(output), "Error: ")
	return slices.ContainsFunc(refusals, func(r string) bool { return strings.HasPrefix(output, r) })
}

// arguments are the arguments of a call.
type arguments map[string]json.RawMessage

// text returns the first of some arguments that is a string and not "".
func (a arguments) text(names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(a[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// put returns the text that a call writes into a file.
func (a arguments) put() string {
	text := a.text("content", "contents", "file_text", "new_string", "newString", "new_str", "new_source", "code_edit", "insert_text")
	var edits []arguments
	if json.Unmarshal(a["edits"], &edits) == nil {
		for _, e := range edits {
			text += "\n" + e.text("new_string", "newString", "new_str", "newText")
		}
	}
	return text
}

// patchHead matches the line of a patch that names a file.
var patchHead = lazyregexp.New(`^\*\*\* (Add|Update|Delete) File: (.+)$`)

// patch returns the actions of a patch in the form of Codex, one for each file.
func patch(as memory.Action, text string) (list []memory.Action) {
	var lines []string
	end := func() {
		if n := len(list); n > 0 {
			list[n-1].Hunks = hunks(strings.Join(lines, "\n"))
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := patchHead().FindStringSubmatch(line); m != nil {
			end()
			one := as
			if one.Kind, one.Text = memory.ActionEdit, at(as.Dir, strings.TrimSpace(m[2])); m[1] == "Add" {
				one.Kind = memory.ActionWrite
			}
			list = append(list, one)
		} else if added, is := strings.CutPrefix(line, "+"); is {
			lines = append(lines, added)
		}
	}
	end()
	return list
}

// hunks returns the [LineSum] of each line of a text, one after the other. Lines with secrets are
// left out.
func hunks(text string) string {
	secret := secrets.Find(text) != ""
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); secret && secrets.Find(line) != "" {
			continue
		}
		if sum := LineSum(line); sum != "" && b.Len() < memory.MaxActionHunks {
			b.WriteString(sum)
		}
	}
	return b.String()
}

// LineSum returns the hash by which a line of a file is recognised in [memory.Action.Hunks], "" for
// a line that says too little, such as a brace.
func LineSum(line string) string {
	const least = 6
	if line = strings.TrimSpace(line); len(line) < least {
		return ""
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(line)) // never fails
	return hex.EncodeToString(h.Sum(nil))
}

// plainName returns a tool's name in lower case, without its server's name and without separators.
func plainName(name string) string {
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

// at returns a path relative to dir as one path, with slashes.
func at(dir, to string) string {
	if to == "" || strings.ContainsAny(to, "\x00\n") {
		return ""
	}
	to = strings.ReplaceAll(to, `\`, "/")
	if path.IsAbs(to) || dir == "" || strings.HasPrefix(to, "~") || len(to) > 1 && to[1] == ':' {
		return path.Clean(to)
	}
	return path.Join(strings.ReplaceAll(dir, `\`, "/"), to)
}

// shortLine returns a text as one line of at most limit bytes.
func shortLine(text string, limit int) string {
	if len(text) > 8*limit {
		text = text[:8*limit]
	}
	return beginning(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "), limit)
}

// safeLine is [shortLine] without secrets. Only the first 32*limit bytes are searched for them.
func safeLine(text string, limit int) string {
	return shortLine(secrets.Redact(text[:min(len(text), 32*limit)]), limit)
}

// beginning returns the beginning of a text, at most limit bytes, as valid UTF-8.
func beginning(text string, limit int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if len(text) <= limit {
		return text
	}
	n := limit - len("…")
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// lastBytes returns the end of a text, at most limit bytes, from the beginning of a line if
// possible.
func lastBytes(text string, limit int) string {
	if text = strings.TrimSpace(text); len(text) > limit {
		text = text[len(text)-limit:]
		if _, rest, cut := strings.Cut(text, "\n"); cut {
			text = rest
		}
	}
	return strings.ToValidUTF8(text, "")
}

// tailOf shortens an output to at most limit bytes: three fifths from its beginning, the rest from
// its end.
func tailOf(text string, limit int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD"), "\x00", "\uFFFD")
	if len(text) <= limit {
		return text
	}
	const gap = "\n…\n"
	return beginning(text, limit*3/5) + gap + lastBytes(text, limit-limit*3/5-len(gap))
}
