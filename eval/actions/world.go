package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/eval/child"
)

// world is a home with transcripts, repositories with commits, and the program over a
// bank of its own.
type world struct {
	child.Program
	root    string // home, in which the repositories are too
	scripts []script
}

// newWorld writes transcripts and repositories below a directory.
func newWorld(ctx context.Context, dir, sets, binary string) (*world, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	w := &world{root: filepath.Join(dir, "home")}
	if err := os.Mkdir(w.root, 0o700); err != nil {
		return nil, err
	}
	if w.scripts, err = readScripts(sets, w.root); err != nil {
		return nil, err
	}
	if err := write(w.scripts, w.root, w.root); err != nil {
		return nil, err
	}
	if err := w.repositories(ctx); err != nil {
		return nil, err
	}
	w.Program, err = child.New(ctx, dir, binary)
	return w, err
}

// write writes the transcripts into a home, of sessions below root.
func write(scripts []script, home, root string) error {
	for _, s := range scripts {
		path, content, err := s.transcript(root)
		if err != nil {
			return err
		}
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// repositories makes a repository for each project, with a commit for each that a
// session made, of the files that it had edited.
func (w *world) repositories(ctx context.Context) error {
	byTime := slices.Clone(w.scripts)
	slices.SortFunc(byTime, func(a, b script) int { return a.start.Compare(b.start) })
	for _, s := range byTime {
		dir := filepath.Join(w.root, s.dir)
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
			if err := git(ctx, w.root, s.start, "init", "-q", s.dir); err != nil {
				return err
			}
		}
		touched := false
		for _, t := range s.steps {
			subject := t.commit()
			switch {
			case t.kind == edits || t.kind == writes:
				if err := change(filepath.Join(dir, t.text), t); err != nil {
					return err
				}
				touched = true
			case subject != "" && touched:
				if err := git(ctx, dir, t.at, "add", "-A"); err != nil {
					return err
				}
				if err := git(ctx, dir, t.at, "commit", "-q", "-m", subject); err != nil {
					return err
				}
				touched = false
			}
		}
	}
	return nil
}

// commit is the subject of the commit that a step made, "" if it made none.
func (t step) commit() string {
	_, rest, found := strings.Cut(t.text, "git commit ")
	if t.kind != runs || t.exit != 0 || !found {
		return ""
	}
	_, rest, _ = strings.Cut(rest, `"`)
	subject, _, _ := strings.Cut(rest, `"`)
	return subject
}

// change adds to a file what a step wrote.
func change(path string, t step) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.WriteFile(path, append(old, strings.Join(t.new, "\n")+"\n"...), 0o600)
}

func git(ctx context.Context, dir string, at time.Time, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	when := at.Format(time.RFC3339)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when, "GIT_AUTHOR_NAME=Mira",
		"GIT_AUTHOR_EMAIL=mira@example.test",
		"GIT_COMMITTER_NAME=Mira", "GIT_COMMITTER_EMAIL=mira@example.test",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// in prepares a command of the program in the folder of a project, as its user.
func (w *world) in(ctx context.Context, project string, args ...string) *exec.Cmd {
	cmd := w.Command(ctx, args...)
	cmd.Dir = filepath.Join(w.root, project)
	cmd.Env = append(cmd.Env, "HOME="+w.root, "CLAUDE_CONFIG_DIR=", "CODEX_HOME=", "GEMINI_CLI_HOME=")
	return cmd
}

// load imports the transcripts as their user would.
func (w *world) load(ctx context.Context) error {
	for _, host := range []string{"claude-code", "codex", "gemini"} {
		if out, err := w.in(ctx, "", "import", "--from", host, "--all", "--yes").CombinedOutput(); err != nil {
			return fmt.Errorf("import --from %s: %w\n%s", host, err, out)
		}
	}
	return nil
}

// ask runs a command that answers in JSON.
func (w *world) ask(ctx context.Context, project string, answer any, args ...string) error {
	cmd := w.in(ctx, project, append(args, "--json")...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, &stderr)
	}
	if err := json.Unmarshal(out, answer); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
