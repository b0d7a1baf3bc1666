package foreign

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/transfer/notes"
)

// markdown and obsidian are folders of notes. An import without --from reads them too, into the
// same memories.
func markdown() Source {
	return Source{Name: "markdown", Wants: "folder", About: "a folder of Markdown notes, one memory for each section", Read: readNotes}
}

func obsidian() Source {
	return Source{
		Name: "obsidian", Wants: "folder", About: "an Obsidian vault; hidden folders, templates and drawings are passed over",
		Knows: func(s Sample) bool { return s.Folder && len(existing(path.Join(s.Path, ".obsidian"))) > 0 },
		Read:  readNotes,
	}
}

// PlainNote is a note that this program did not write, with what holds for each of its sections.
type PlainNote struct {
	Fields   PlainFields
	At       jsonl.Moment
	Tags     []string
	Sections []notes.Section
	above    int // number of lines above the body
}

// PlainFields is what is read of a note's front matter.
type PlainFields struct {
	Tags       json.RawMessage `json:"tags"` // a list, or words separated by commas or blanks
	Project    string          `json:"project"`
	Category   string          `json:"category"`
	OccurredAt json.RawMessage `json:"occurred_at"`
	Date       json.RawMessage `json:"date"`
	Created    json.RawMessage `json:"created"`
	Drawing    json.RawMessage `json:"excalidraw-plugin"`
}

// ReadPlainNote reads a note. It returns nil for templates and drawings. Errors are those of the
// front matter.
func ReadPlainNote(file string, n notes.Note) (*PlainNote, error) {
	p := &PlainNote{}
	for folder := range strings.SplitSeq(strings.ToLower(path.Dir(file)), "/") {
		if folder == "templates" {
			return nil, nil
		}
	}
	if len(n.Fields) > 0 && string(n.Fields) != "{}" {
		if err := jsonl.Decode(n.Fields, &p.Fields); err != nil {
			return nil, err
		}
	}
	if p.Fields.Drawing != nil {
		return nil, nil
	}
	quoted, err := json.Marshal(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	if err != nil {
		return nil, err
	}
	for _, text := range []json.RawMessage{p.Fields.OccurredAt, p.Fields.Date, quoted, p.Fields.Created} {
		if len(text) > 0 && p.At.IsZero() {
			_ = p.At.UnmarshalJSON(text) // ignore what is no time
		}
	}
	if n.Front != "" {
		p.above = strings.Count(n.Front, "\n") + 2
	}
	p.Tags, p.Sections = PlainTags(p.Fields.Tags), notes.Sections(notes.Title(file), n.Body)
	return p, nil
}

// Line returns the line of the file at which a section begins.
func (p *PlainNote) Line(s notes.Section) int { return p.above + s.Line }

// PlainTags reads a JSON list of tags, or a string of words separated by commas or blanks. "#"
// around tags is removed.
func PlainTags(raw json.RawMessage) []string {
	var list []any
	var one string
	if json.Unmarshal(raw, &one) == nil {
		for _, word := range strings.FieldsFunc(one, func(r rune) bool { return r == ',' || r == ' ' }) {
			list = append(list, word)
		}
	} else if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var tags []string
	for _, item := range list {
		if s, ok := item.(string); ok && strings.Trim(s, "# ") != "" {
			tags = append(tags, strings.Trim(s, "# "))
		}
	}
	return tags
}

// NoteKey returns the key of a section of a note.
func NoteKey(file, key string) string {
	id := "note/" + file + strings.TrimSuffix(key, "#")
	if len(id) > memory.MaxNameBytes {
		id = "note/" + digest(id)
	}
	return id
}

func readNotes(ctx context.Context, in Input, emit Emit) error {
	return eachNote(ctx, in.Path, emit, func(file notes.File, n notes.Note) error {
		if n.Type != "" {
			return emit(Item{Key: NoteKey(file.Name, ""), Skip: "notes that this program has exported (import the folder without --from)"})
		}
		p, err := ReadPlainNote(file.Name, n)
		if err != nil {
			return emit.bad(file.Name, err.Error())
		}
		if p == nil {
			return nil
		}
		for _, s := range p.Sections {
			item := Item{
				Key: NoteKey(file.Name, s.Key), Project: p.Fields.Project,
				Content: s.Text, Category: p.Fields.Category, Tags: tagList(p.Tags...), At: p.At.Time,
				Origin: map[string]any{"note": file.Name},
			}
			if s.Key == "" {
				item.Key = hashKey("note", file.Name, s.Text)
			}
			if err := emit(item); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachNote calls fn for each note below a folder. Symbolic links and notes that cannot be parsed
// are emitted as Bad. A file that cannot be opened or read ends it with an error.
func eachNote(ctx context.Context, dir string, emit Emit, fn func(notes.File, notes.Note) error) (err error) {
	folder, err := notes.OpenFolder(dir)
	if err != nil {
		return cannotRead(dir, err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	files, err := folder.Files(".md")
	if err != nil {
		return cannotRead(dir, err)
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.Link {
			if err := emit.bad(f.Name, "it is a symbolic link, which is not followed"); err != nil {
				return err
			}
			continue
		}
		content, err := folder.Read(f.Name)
		if err != nil {
			return cannotRead(path.Join(dir, f.Name), err)
		}
		n, err := notes.Parse(content)
		if err != nil {
			err = emit.bad(f.Name, err.Error())
		} else {
			err = fn(f, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
