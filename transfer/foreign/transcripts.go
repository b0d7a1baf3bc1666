package foreign

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/transfer/transcripts"
)

// recentDays is how old conversations may be that are read by default. Claude Code keeps them as
// long.
const recentDays = 30

// A piece of a conversation that has pieceTurns turns ends before the next message of the user, at
// the latest after maxPieceTurns turns or maxPieceBytes bytes.
const (
	pieceTurns    = 150
	maxPieceTurns = 400
	maxPieceBytes = 1 << 20
)

// host is an agent host whose transcripts are read.
type host struct {
	format transcripts.Format
	about  string
	// roots returns the default folders of its transcripts, which may not exist.
	roots func(Machine) []string
	// folders are the folders of transcripts within the host's own folder.
	folders []string
	// is reports whether a file is a transcript. path is relative to the root.
	is func(path string) bool
	// of returns what the transcript itself does not contain, or is nil.
	of func(root, path string) (session, dir string)
}

// transcriptSources returns a source for each host.
func transcriptSources() (list []Source) {
	for _, h := range hosts() {
		list = append(list, Source{
			Name: string(h.format), About: h.about,
			Find:  func(m Machine) []string { return existing(h.roots(m)...) },
			Knows: h.knows,
			Read:  func(ctx context.Context, in Input, emit Emit) error { return h.read(ctx, in, emit) },
		})
	}
	return list
}

func hosts() []host {
	return []host{
		{
			format: transcripts.ClaudeCode, folders: []string{"projects"},
			about: "Claude Code: conversations of the last 30 days, in ~/.claude/projects",
			roots: func(m Machine) []string {
				return []string{filepath.Join(m.dir("CLAUDE_CONFIG_DIR", ".claude"), "projects")}
			},
			is: func(path string) bool {
				return filepath.Ext(path) == ".jsonl" && !inFolder(path, "subagents") && !inFolder(path, "memory")
			},
		},
		{
			format: transcripts.Codex, folders: []string{"sessions", "archived_sessions"},
			about: "Codex: conversations of the last 30 days, in ~/.codex/sessions",
			roots: func(m Machine) []string {
				home := m.dir("CODEX_HOME", ".codex")
				return []string{filepath.Join(home, "sessions"), filepath.Join(home, "archived_sessions")}
			},
			is: func(path string) bool {
				return filepath.Ext(path) == ".jsonl" && strings.HasPrefix(filepath.Base(path), "rollout-")
			},
		},
		{
			format: transcripts.Gemini, folders: []string{"tmp"}, about: "Gemini CLI: conversations of the last 30 days, in ~/.gemini/tmp",
			roots: geminiRoots, is: isGeminiChat, of: geminiProject,
		},
		{
			format: transcripts.Copilot, folders: []string{"session-state"},
			about: "Copilot CLI: conversations of the last 30 days, in ~/.copilot/session-state",
			roots: func(m Machine) []string {
				return []string{filepath.Join(m.dir("COPILOT_HOME", ".copilot"), "session-state")}
			},
			is: func(path string) bool { return filepath.Base(path) == "events.jsonl" },
		},
		{
			format: transcripts.Cursor, folders: []string{"projects"},
			about: "Cursor CLI: conversations of the last 30 days, in ~/.cursor/projects",
			roots: func(m Machine) []string {
				return []string{filepath.Join(m.dir("CURSOR_CONFIG_DIR", ".cursor"), "projects")}
			},
			is: func(path string) bool {
				return filepath.Ext(path) == ".jsonl" && inFolder(path, "agent-transcripts") && !inFolder(path, "subagents")
			},
			of: cursorChat,
		},
	}
}

// inFolder reports whether a folder of the path has the name.
func inFolder(path, name string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(path)), "/"), name)
}

// geminiRoots returns the folder of Gemini CLI's chats. GEMINI_CLI_HOME is the folder that contains
// .gemini.
func geminiRoots(m Machine) []string {
	if home := m.Env("GEMINI_CLI_HOME"); home != "" {
		return []string{filepath.Join(home, ".gemini", "tmp")}
	}
	return []string{m.under(".gemini", "tmp")}
}

// isGeminiChat reports whether a file is a chat. Chats of sub-agents, in folders below their
// session's, are not.
func isGeminiChat(path string) bool {
	ext := filepath.Ext(path)
	return (ext == ".json" || ext == ".jsonl") && strings.HasPrefix(filepath.Base(path), "session-") &&
		(filepath.Base(filepath.Dir(path)) == "chats" || filepath.Dir(path) == ".")
}

// geminiProject returns the folder that a chat is about. It is in a file of the project's folder,
// or in the list of all projects.
func geminiProject(_, path string) (session, dir string) {
	project := filepath.Dir(filepath.Dir(path))
	if root, err := plainfile.Read(filepath.Join(project, ".project_root"), 4<<10); err == nil {
		return "", strings.TrimSpace(string(root))
	}
	var list struct {
		Projects map[string]string `json:"projects"` // name by path
	}
	text, err := plainfile.Read(filepath.Join(filepath.Dir(filepath.Dir(project)), "projects.json"), maxConfig)
	if err != nil || json.Unmarshal(text, &list) != nil {
		return "", ""
	}
	for path, name := range list.Projects {
		if name == filepath.Base(project) {
			return "", path
		}
	}
	return "", ""
}

// cursorChat returns the session of a chat, which is its file name, and the working directory,
// which Cursor keeps in another folder.
func cursorChat(root, path string) (session, dir string) {
	session = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	found, err := filepath.Glob(filepath.Join(filepath.Dir(root), "chats", "*", globEscaped(session), "meta.json"))
	if err != nil || len(found) == 0 {
		return session, ""
	}
	var meta struct {
		Cwd string `json:"cwd"`
	}
	if text, err := plainfile.Read(found[0], maxConfig); err != nil || json.Unmarshal(text, &meta) != nil {
		return session, ""
	}
	return session, meta.Cwd
}

// globEscaped replaces the special characters of a glob pattern by "?", which matches each of them.
func globEscaped(name string) string {
	return strings.NewReplacer(`*`, `?`, `[`, `?`, `\`, `?`).Replace(name)
}

// knows reports whether a file is a transcript of the host.
func (h host) knows(s Sample) bool {
	if s.Folder {
		return false
	}
	report, err := transcripts.Read(strings.NewReader(string(s.Head)), transcripts.Options{SkipBad: true},
		func(transcripts.Turn) error { return nil })
	return err == nil && report.Format == h.format
}

// transcript is a file to read. written is its modification time.
type transcript struct {
	root, path string
	written    time.Time
}

// read reads the transcripts at a path, least recently written first.
func (h host) read(ctx context.Context, in Input, emit Emit) error {
	files, folder, err := h.files(in.Path)
	if err != nil {
		return err
	}
	since := in.Since
	if since.IsZero() && !in.All && folder {
		since = in.Now.AddDate(0, 0, -recentDays)
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.written.Before(since) {
			err = emit(Item{Key: Key(string(h.format), f.path), Skip: "conversations that are older (--since reads them)"})
		} else {
			err = h.readFile(f, in, emit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// files returns the transcripts at a path, which is one file or a folder. folder says which.
func (h host) files(path string) (files []transcript, folder bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false, cannotRead(path, err)
	}
	if !info.IsDir() {
		return []transcript{{filepath.Dir(path), path, info.ModTime()}}, false, nil
	}
	var roots []string // in the host's own folder, only these folders have transcripts
	for _, name := range h.folders {
		roots = append(roots, existing(filepath.Join(path, name))...)
	}
	if len(roots) == 0 {
		roots = []string{path}
	}
	for _, root := range roots {
		found, err := h.below(root)
		if err != nil {
			return nil, true, err
		}
		files = append(files, found...)
	}
	slices.SortFunc(files, func(a, b transcript) int {
		return cmp.Or(a.written.Compare(b.written), strings.Compare(a.path, b.path))
	})
	return files, true, nil
}

// below returns the transcripts below a folder.
func (h host) below(path string) (files []transcript, err error) {
	err = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // skip folders without permission
		}
		from, err := filepath.Rel(path, at)
		here := filepath.Dir(from) == "." && filepath.Ext(from) == ".jsonl" // a folder named by the user may have them at its top
		if err != nil || !entry.Type().IsRegular() || !h.is(from) && !here {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			files = append(files, transcript{path, at, info.ModTime()})
		}
		return nil
	})
	return files, err
}

// readFile reads one transcript. If it cannot be read, a problem is emitted, and the import goes
// on.
func (h host) readFile(f transcript, in Input, emit Emit) error {
	file, err := plainfile.Open(f.path)
	if err != nil {
		return emit.bad(f.path, "it cannot be opened")
	}
	defer file.Close()
	o := transcripts.Options{Format: h.format}
	if h.of != nil {
		o.Session, o.Dir = h.of(f.root, f.path)
	}
	p := pieces{program: string(h.format), file: f, emit: emit}
	return p.read(file, o)
}

// read reads a conversation and emits it in pieces.
func (p *pieces) read(lines io.Reader, o transcripts.Options) error {
	o.SkipBad, o.MaxResult, o.Own = true, transcripts.KeptResult, transcripts.OwnTool
	o.Act = func(a memory.Action) {
		a.Host = p.program
		p.done = append(p.done, a)
	}
	report, err := transcripts.Read(lines, o, p.add)
	if err == nil {
		err = p.end()
	}
	switch {
	case p.failed != nil:
		return p.failed
	case err != nil:
		return p.emit.bad(p.file.path, memory.Public(err).Message)
	case report.Skipped > 0:
		lines := "lines"
		if report.Skipped == 1 {
			lines = "line"
		}
		return p.emit.bad(p.file.path, fmt.Sprintf("%d %s cannot be read", report.Skipped, lines))
	}
	return nil
}

// pieces collects the turns of a conversation and emits them in pieces.
type pieces struct {
	program string
	file    transcript
	emit    Emit
	failed  error // error of emit

	talk  Talk
	done  []memory.Action // actions not emitted yet; may belong to a later piece
	dir   string
	bytes int
}

// errStopped ends the reading after emit has failed.
var errStopped = errors.New("stopped")

func (p *pieces) add(t transcripts.Turn) error {
	if t.Session == "" {
		t.Session = strings.TrimSuffix(filepath.Base(p.file.path), filepath.Ext(p.file.path))
	}
	full := len(p.talk.Turns) >= maxPieceTurns || p.bytes >= maxPieceBytes || len(p.talk.Turns) >= pieceTurns && t.Role == memory.RoleUser
	if full || t.Session != p.talk.Session || t.Dir != p.dir {
		if err := p.end(); err != nil {
			return err
		}
	}
	p.talk.Session, p.dir = t.Session, t.Dir
	p.talk.Turns = append(p.talk.Turns, t.Turn)
	p.bytes += len(t.Content)
	return nil
}

// end emits the turns collected so far, with their session's actions.
func (p *pieces) end() error {
	if len(p.talk.Turns) == 0 {
		return nil
	}
	talk := p.talk
	talk.Learn = true
	p.done = slices.DeleteFunc(p.done, func(a memory.Action) bool {
		if a.Session == talk.Session {
			talk.Actions = append(talk.Actions, a)
		}
		return a.Session == talk.Session
	})
	p.talk.Turns, p.bytes = nil, 0
	p.failed = p.emit(Item{
		Key: Key(p.program, talk.Session+"/"+talk.Turns[0].ExternalID), Dir: p.dir, At: p.file.written, Talk: &talk,
		Origin: map[string]any{"session": talk.Session},
	})
	if p.failed != nil {
		return errStopped
	}
	return nil
}
