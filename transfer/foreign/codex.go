package foreign

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/transfer/notes"
)

const codexName = "codex"

// codex is the memory that the Codex CLI writes by itself.
func codex() Source {
	return Source{
		Name: codexName, Wants: "folder", About: "Codex: its memories in ~/.codex or CODEX_HOME",
		Find: func(m Machine) []string {
			dir := m.dir("CODEX_HOME", ".codex")
			if dir == "" || len(existing(filepath.Join(dir, "memories"))) == 0 {
				return nil
			}
			return []string{dir}
		},
		Knows: func(s Sample) bool {
			return s.Folder && len(existing(filepath.Join(s.Path, "memories", "MEMORY.md"))) > 0
		},
		Read: readCodex,
	}
}

func readCodex(ctx context.Context, in Input, emit Emit) error {
	dir := filepath.Join(in.Path, "memories")
	if info, err := os.Lstat(filepath.Join(dir, "MEMORY.md")); err == nil && info.Mode().IsRegular() {
		text, err := plainfile.Read(filepath.Join(dir, "MEMORY.md"), notes.MaxBytes)
		if err != nil {
			return cannotRead(dir, err)
		}
		n, err := notes.Parse(text)
		if err != nil {
			return emit.bad("MEMORY.md", err.Error())
		}
		r := codexReader{emit: emit, base: Item{Program: codexName, At: memory.StoredTime(info.ModTime())}}
		if err := r.read(n.Body); err != nil {
			return err
		}
	}
	summaries := filepath.Join(dir, "rollout_summaries")
	if info, err := os.Stat(summaries); err != nil || !info.IsDir() {
		return nil
	}
	return eachNote(ctx, summaries, emit, func(file notes.File, n notes.Note) error {
		item := Item{
			Program: codexName, Key: Key(codexName, "rollout/"+file.Name),
			Kind: memory.KindEpisode, Content: titled(notes.Title(file.Name), n.Body),
			Origin: map[string]any{"note": file.Name}, Dir: codexDir(n.Body),
		}
		if info, err := os.Stat(filepath.Join(summaries, filepath.FromSlash(file.Name))); err == nil {
			item.At = memory.StoredTime(info.ModTime())
		}
		return emit.items(item)
	})
}

// codexCwd matches where a block or summary names its working directory.
var codexCwd = lazyregexp.New(`(?m)(?:\bcwd\s*[=:]\s*)([^;\s]+)`)

func codexDir(text string) string {
	if m := codexCwd().FindStringSubmatch(text); m != nil && filepath.IsAbs(m[1]) {
		return m[1]
	}
	return ""
}

// codexReader reads MEMORY.md. Each level-1 heading begins a group of tasks. The headings below it
// say what the lists under them are.
type codexReader struct {
	emit   Emit
	base   Item
	group  string
	dir    string
	part   string
	bullet []string
}

func (r *codexReader) read(text string) error {
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "#"):
			if err := r.finish(); err != nil {
				return err
			}
			level := len(trimmed) - len(strings.TrimLeft(trimmed, "#"))
			heading := strings.TrimSpace(trimmed[level:])
			if level == 1 {
				r.group, r.dir = strings.TrimSpace(strings.TrimPrefix(heading, "Task Group:")), ""
			}
			r.part = strings.ToLower(heading)
		case strings.HasPrefix(trimmed, "applies_to:") || strings.HasPrefix(trimmed, "scope:"):
			r.dir = firstText(codexDir(trimmed), r.dir)
		case strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* "):
			if err := r.finish(); err != nil {
				return err
			}
			r.bullet = []string{strings.TrimSpace(line[2:])}
		case trimmed == "":
			if err := r.finish(); err != nil {
				return err
			}
		case r.bullet != nil:
			r.bullet = append(r.bullet, trimmed)
		}
	}
	return r.finish()
}

// finish emits the list item read so far, if its heading is one that is imported.
func (r *codexReader) finish() error {
	text := strings.Join(r.bullet, "\n")
	if r.bullet = nil; text == "" {
		return nil
	}
	item := r.base
	switch {
	case strings.HasPrefix(r.part, "user preferences"):
		item.Category, item.Tags = "preference", tagList("preference")
	case strings.HasPrefix(r.part, "reusable knowledge"):
		item.Tags = tagList("knowledge")
	case strings.HasPrefix(r.part, "failures"):
		item.Kind, item.Tags = memory.KindLearning, tagList("failure")
		item.KindDetails = memory.KindDetails{Learning: &memory.LearningDetails{Type: memory.LearningError, Context: r.group}}
	default:
		return nil // keywords, and the files of tasks
	}
	item.Key, item.Content, item.Dir = hashKey(codexName, r.group, text), text, r.dir
	item.Origin = map[string]any{"task_group": r.group}
	return r.emit.items(item)
}
