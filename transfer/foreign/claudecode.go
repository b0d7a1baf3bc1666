package foreign

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/transfer/notes"
)

const claudeCodeName = "claude-code"

// claudeCode is the auto memory of Claude Code: the notes of each project and of sub-agents.
func claudeCode() Source {
	return Source{
		Name: claudeCodeName, Wants: "folder",
		About: "Claude Code: its auto memory in ~/.claude or CLAUDE_CONFIG_DIR; --include-instructions for CLAUDE.md",
		Find: func(m Machine) []string {
			dir := m.dir("CLAUDE_CONFIG_DIR", ".claude")
			if dir == "" || len(existing(filepath.Join(dir, "projects"), filepath.Join(dir, "agent-memory"))) == 0 {
				return nil
			}
			return []string{dir}
		},
		Knows: func(s Sample) bool {
			return s.Folder && len(existing(filepath.Join(s.Path, "projects"))) > 0 && filepath.Base(s.Path) == ".claude"
		},
		Read: readClaudeCode,
	}
}

func readClaudeCode(ctx context.Context, in Input, emit Emit) error {
	projects, err := folders(filepath.Join(in.Path, "projects"))
	if err != nil {
		return err
	}
	for _, key := range projects {
		at := filepath.Join(in.Path, "projects", key)
		place := claudePlace(at)
		if place.dir == "" {
			place.project = strings.Trim(key, "-")
		}
		if err := readClaudeMemory(ctx, filepath.Join(at, "memory"), place, emit); err != nil {
			return err
		}
		if in.Instructions && place.dir != "" {
			if err := readInstructions(ctx, place.dir, place, emit); err != nil {
				return err
			}
		}
	}
	agents, err := folders(filepath.Join(in.Path, "agent-memory"))
	if err != nil {
		return err
	}
	for _, name := range agents {
		if err := readClaudeMemory(ctx, filepath.Join(in.Path, "agent-memory", name), claudeWhere{agent: name}, emit); err != nil {
			return err
		}
	}
	if in.Instructions {
		return readInstructions(ctx, in.Path, claudeWhere{}, emit)
	}
	return nil
}

// folders returns the names of the folders in dir, none if dir does not exist.
func folders(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cannotRead(dir, err)
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// claudeWhere is what notes are about: a folder, a project of which only the name is known, or a
// sub-agent.
type claudeWhere struct{ dir, project, agent string }

// claudePlace finds the folder that a project is about. It cannot be read from the name of the
// project's directory, where a hyphen stands for any special character. So it is read from one of
// the last five transcripts beside the notes, by name.
func claudePlace(project string) (w claudeWhere) {
	transcripts, _ := filepath.Glob(filepath.Join(project, "*.jsonl")) // the pattern is valid
	slices.Reverse(transcripts)
	for _, name := range transcripts[:min(len(transcripts), 5)] {
		if w.dir = cwdIn(name); w.dir != "" {
			break
		}
	}
	return w
}

// cwdIn returns the absolute working directory that one of the first 50 lines of a transcript
// names.
func cwdIn(name string) string {
	f, err := plainfile.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 0; n < 50 && lines.Scan(); n++ {
		var line struct{ Cwd string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && filepath.IsAbs(line.Cwd) {
			return line.Cwd
		}
	}
	return ""
}

// claudeIndex matches a line of MEMORY.md that only links to a note.
var claudeIndex = lazyregexp.New(`^\s*[-*]\s+\[[^\]]*\]\([^)]*\.md\)`)

// claudeKinds maps the types of notes to categories.
var claudeKinds = map[string]string{"user": "identity", "feedback": "preference", "project": "project", "reference": "technical"}

// readClaudeMemory reads the notes of a folder, each as one memory. MEMORY.md is split into
// sections, without the links to other notes.
func readClaudeMemory(ctx context.Context, dir string, where claudeWhere, emit Emit) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil // most projects have none
	}
	return eachNote(ctx, dir, emit, func(file notes.File, n notes.Note) error {
		base := Item{Program: claudeCodeName, Project: where.project, Dir: where.dir, Origin: map[string]any{"note": file.Name}}
		id := firstText(where.dir, where.project, "agent/"+where.agent) + "/" + file.Name
		if where.agent != "" {
			base.Tags, base.Origin["agent"] = tagList(where.agent), where.agent
		}
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file.Name))); err == nil {
			base.At = memory.StoredTime(info.ModTime())
		}
		if file.Name == "MEMORY.md" {
			return emitSections(base, id, notes.Title(file.Name), claudeText(n.Body), emit)
		}
		var front row
		var value any
		if len(n.Fields) > 0 && unmarshal(n.Fields, &value) == nil {
			front, _ = value.(map[string]any)
		}
		item := base
		name := firstText(front.text("name"), notes.Title(file.Name))
		item.Content = titled(name, paragraphs(front.text("description"), n.Body))
		item.Category, item.Key = claudeKinds[front.text("type")], Key(claudeCodeName, id)
		if kind := front.text("type"); kind != "" {
			item.Tags = tagList(append(item.Tags, kind)...)
		}
		if at := front.time("modified"); !at.IsZero() {
			item.At = at
		}
		return emit.items(item)
	})
}

// claudeText returns a text without the lines that only link to notes.
func claudeText(body string) string {
	lines := slices.DeleteFunc(strings.Split(body, "\n"), func(line string) bool { return claudeIndex().MatchString(line) })
	return strings.Join(lines, "\n")
}

// emitSections emits a memory for each section of a text.
func emitSections(base Item, id, title, text string, emit Emit) error {
	for _, s := range notes.Sections(title, text) {
		item := base
		item.Content, item.Key = s.Text, Key(base.Program, id+strings.TrimSuffix(s.Key, "#"))
		if s.Key == "" {
			item.Key = hashKey(base.Program, id, s.Text)
		}
		if err := emit(item); err != nil {
			return err
		}
	}
	return nil
}

// readInstructions reads the CLAUDE.md files of a folder, section by section. Their imports of
// other files are not followed.
func readInstructions(_ context.Context, dir string, where claudeWhere, emit Emit) error {
	for _, name := range []string{"CLAUDE.md", "CLAUDE.local.md", path.Join(".claude", "CLAUDE.md")} {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil || !info.Mode().IsRegular() || info.Size() > notes.MaxBytes {
			continue
		}
		text, err := plainfile.Read(filepath.Join(dir, name), notes.MaxBytes)
		if err != nil {
			return cannotRead(filepath.Join(dir, name), err)
		}
		n, err := notes.Parse(text)
		if err != nil {
			if err := emit.bad(filepath.Join(dir, name), err.Error()); err != nil {
				return err
			}
			continue
		}
		base := Item{Program: claudeCodeName, Dir: where.dir, Project: where.project, Tags: tagList("instruction"),
			At: memory.StoredTime(info.ModTime()), Origin: map[string]any{"note": name}}
		if err := emitSections(base, firstText(where.dir, "user")+"/"+name, "", n.Body, emit); err != nil {
			return err
		}
	}
	return nil
}
