//go:build unix

package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// done is a command that an agent ran, with what it printed and whether it failed; or, with a
// path, a file that it edited.
type done struct {
	command, printed string
	failed           bool
	path             string
}

// workbench is a home in which agents worked, in repositories.
type workbench struct {
	t          *testing.T
	home, data string
}

func newWorkbench(t *testing.T) *workbench {
	return &workbench{t, t.TempDir(), t.TempDir()}
}

// session writes a session of Claude Code in a repository, whose calls are a minute apart, and
// returns its file.
func (w *workbench) session(id, repository string, start time.Time, asked string, calls ...done) (path string) {
	w.t.Helper()
	lines, at := "", start
	line := func(kind, uuid string, content any) {
		lines += object1(object{"type": kind, "uuid": id + uuid, "sessionId": id, "cwd": repository, "timestamp": at.Format(time.RFC3339),
			"version": "2.1.240",
			"message": object{"role": kind, "content": content}})
	}
	line("user", "u", asked)
	for i, c := range calls {
		at = at.Add(time.Minute)
		call := fmt.Sprint("toolu_", id, i)
		tool, input, printed := "Bash", object{"command": c.command}, c.printed
		if c.path != "" {
			tool, input = "Edit", object{"file_path": filepath.Join(repository, c.path), "old_string": "a", "new_string": c.printed}
			printed = "The file has been updated successfully."
		}
		if c.failed {
			printed = "Exit code 1\n" + printed
		}
		line("assistant", fmt.Sprint("a", i), []object{{"type": "tool_use", "id": call, "name": tool, "input": input}})
		line("user", fmt.Sprint("r", i), []object{{"type": "tool_result", "tool_use_id": call, "content": printed, "is_error": c.failed}})
	}
	path = filepath.Join(w.home, ".claude", "projects", strings.ReplaceAll(repository, "/", "-"), id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// in runs a command in a folder that has to succeed and returns all that it says.
func (w *workbench) in(dir, stdin string, args ...string) string {
	w.t.Helper()
	cmd := command(w.t, w.data, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = []string{"HOME=" + w.home, withoutEncoder}
	code, stdout, stderr := runCommand(w.t, cmd)
	if code != 0 {
		w.t.Fatalf("%v: exit %d, %s", args, code, stderr)
	}
	return stdout + stderr
}

// hook tells a hook of Claude Code about a call, or asks it before one.
func (w *workbench) hook(dir, session, event string, more object) string {
	payload := object{"session_id": session, "transcript_path": "", "cwd": dir, "hook_event_name": event, "permission_mode": "default"}
	for k, v := range more {
		payload[k] = v
	}
	shown := w.in(dir, object1(payload), "hook", "--host", "claude-code", "--patience", "60s")
	(&hookDay{t: w.t, root: w.home, data: w.data}).settle() // what it does behind its answer
	return shown
}
