package transfer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/transfer/notes"
)

// ExportNotes writes an agent's bank as a folder of Markdown notes. It contains what [Export]
// writes, but for actions: a note for each record, to-do and event, and a JSONL file for each
// conversation. Files that are up to date are not touched, so a repeated export changes only what
// has changed in the bank. Notes of this program whose record is gone are removed. Files that
// somebody edited since the export are left alone and named in the report, unless force is set.
// Other files are never touched. progress may be nil. It is called with the numbers of notes and
// bytes done.
//
// Errors: [memory.CodeConflict] for a folder that has other Markdown or JSONL files and no export,
// or the export of another agent; [memory.CodeUnavailable] if it cannot be written; and those of
// the store.
func ExportNotes(ctx context.Context, deps Deps, agent, dir string, force bool, progress func(notes, bytes int64)) (report Report,
	err error) {
	report.Format = Markdown
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return report, cannotWrite(dir, err)
	}
	folder, err := notes.OpenFolder(dir)
	if err != nil {
		return report, cannotWrite(dir, err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if progress == nil {
		progress = func(int64, int64) {}
	}
	w := newNoteWriter(deps, agent, folder, &report)
	w.force, w.progress = force, progress
	if err := w.begin(dir); err != nil {
		return report, err
	}
	if err := w.do(ctx, w.readIndex, w.putReadme, w.putRecords, w.putTurns, w.putTodos, w.putEvents, w.removeGone); err != nil {
		return report, err
	}
	report.Read = report.Records + report.Turns + report.Todos + report.Events
	w.progress(w.notes, w.bytes)
	return report, nil
}

func newNoteWriter(deps Deps, agent string, folder *notes.Folder, report *Report) *noteWriter {
	return &noteWriter{deps: deps, agent: agent, folder: folder, progress: func(int64, int64) {}, report: report, index: newNoteIndex(),
		written: map[string]bool{}}
}

func (w *noteWriter) do(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := cmp.Or(ctx.Err(), step(ctx)); err != nil {
			return err
		}
	}
	return nil
}

func cannotWrite(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return memory.Errorf(memory.CodeUnavailable, "cannot write %s: %v", name, err)
}

// noteWriter is the state of one export.
type noteWriter struct {
	deps     Deps
	agent    string
	folder   *notes.Folder
	force    bool
	progress func(notes, bytes int64)
	report   *Report
	index    *noteIndex
	written  map[string]bool // names of the files of this export
	watch    *NoteWatch      // nil for an export of everything
	notes    int64
	bytes    int64
}

// begin refuses a folder that is used for something else.
func (w *noteWriter) begin(dir string) error {
	files, err := w.folder.Files(".md", ".jsonl")
	if err != nil {
		return cannotWrite(dir, err)
	}
	if len(files) == 0 {
		return nil
	}
	var of struct {
		Agent   string
		Watched bool
	}
	if content, err := w.folder.Read(readmeFile); err == nil {
		if n, err := notes.Parse(content); err == nil && n.Type == noteReadme {
			_ = jsonl.Decode(n.Fields, &of)
		}
	}
	switch {
	case of.Agent == "" && !w.force:
		return memory.Errorf(memory.CodeConflict, "%s has Markdown files and is no export of a bank", dir).
			WithHint("choose an empty folder, or --force: files that are not of mcp-memory are left alone in any case")
	case of.Agent != "" && of.Agent != w.agent:
		return memory.Errorf(memory.CodeConflict, "%s is the export of agent %s", dir, of.Agent).
			WithHint("choose another folder for this agent")
	case of.Agent != "" && of.Watched != (w.watch != nil):
		return memory.Errorf(memory.CodeConflict, "%s is either watched or an export, and it is the other one", dir).
			WithHint("choose another folder: an export has all there is, a watched folder what holds now")
	}
	return nil
}

func (w *noteWriter) readIndex(ctx context.Context) error {
	err := w.deps.Store.EachRecord(ctx, w.agent, func(r memory.Record) error {
		if w.watch == nil || w.watch.shows(r) {
			w.index.add(r)
		}
		return nil
	})
	if err != nil && !errors.Is(err, memory.ErrDamaged) { // putRecords reads again and reports it
		return err
	}
	err = w.deps.Store.EachAlias(ctx, w.agent, func(externalID, id string) error {
		w.index.aliases[id] = append(w.index.aliases[id], externalID)
		return nil
	})
	w.index.connect()
	if w.watch != nil {
		w.watch.settle(w.index)
	}
	return w.report.forgive("names", err)
}

func (w *noteWriter) putRecords(ctx context.Context) error {
	err := w.deps.Store.EachRecord(ctx, w.agent, func(r memory.Record) error {
		if w.index.names[r.ID] == "" {
			return nil // saved after readIndex: the next export has it
		}
		runs, err := runsOf(ctx, w.deps.Store, r)
		if err := w.report.forgive("runs of "+r.ID, err); err != nil {
			return err
		}
		w.report.noteDamage("record", r.ID, r.Damaged)
		if r.Damaged && !utf8.ValidString(r.Content) {
			r.Content = strings.ToValidUTF8(r.Content, "\uFFFD")
		}
		w.report.Records++
		text, err := noteOf(noteRecord, lineOfRecord(r, runs), w.index.fields(r))
		if err != nil {
			return err
		}
		return w.putOver(w.index.file(r.ID), text, func(n notes.Note) bool { return w.imported(ctx, n, r) })
	})
	return w.report.forgive("records", err)
}

// putTurns writes a file for each conversation. All messages of the bank are in memory meanwhile.
func (w *noteWriter) putTurns(ctx context.Context) error {
	sessions := map[string]*bytes.Buffer{}
	count := map[string]int{}
	err := w.deps.Store.EachTurn(ctx, w.agent, func(t memory.Turn) error {
		w.report.noteDamage("turn", t.ID, t.Damaged)
		w.report.Turns++
		t.Index = count[t.Session] // the index that an import will give it
		count[t.Session]++
		line, err := lineJSON(lineOfTurn(t))
		if sessions[t.Session] == nil {
			sessions[t.Session] = &bytes.Buffer{}
		}
		sessions[t.Session].Write(append(line, '\n'))
		return err
	})
	if err := w.report.forgive("turns", err); err != nil {
		return err
	}
	names := make([]string, 0, len(sessions))
	for session := range sessions {
		names = append(names, session)
	}
	slices.Sort(names)
	for _, session := range names {
		text, err := sessionText(session, sessions[session].String())
		if err != nil {
			return err
		}
		if err := w.put(w.free(turnsFolder, session, session, ".jsonl"), text); err != nil {
			return err
		}
	}
	return nil
}

func (w *noteWriter) putTodos(ctx context.Context) error {
	todos, _, err := w.deps.Store.Todos(ctx, w.agent, memory.TodoFilter{Status: memory.TodoAll}, math.MaxInt)
	if err := w.report.forgive("plans", err); err != nil {
		return err
	}
	slices.SortFunc(todos, func(a, b memory.Todo) int { return cmp.Compare(a.ID, b.ID) })
	for _, t := range todos {
		text, err := noteOf(noteTodo, lineOfTodo(t), struct{}{})
		if err != nil {
			return err
		}
		if err := w.put(w.free(todoFolder, t.Title, t.ID, ".md"), text); err != nil {
			return err
		}
	}
	w.report.Todos = len(todos)
	return nil
}

func (w *noteWriter) putEvents(ctx context.Context) error {
	events, err := w.deps.Store.Calendar(ctx, w.agent, time.UnixMicro(math.MinInt64), time.UnixMicro(math.MaxInt64))
	if err := w.report.forgive("plans", err); err != nil {
		return err
	}
	slices.SortFunc(events, func(a, b memory.CalendarEvent) int { return cmp.Compare(a.ID, b.ID) })
	for _, e := range events {
		text, err := noteOf(noteEvent, lineOfEvent(e), struct{}{})
		if err != nil {
			return err
		}
		if err := w.put(w.free(eventFolder, e.Title, e.ID, ".md"), text); err != nil {
			return err
		}
	}
	w.report.Events = len(events)
	return nil
}

// free returns a file name that this export has not used yet.
func (w *noteWriter) free(folder, text, id, ending string) string {
	name := folder + "/" + noteName(text, id) + ending
	if w.written[name] {
		name = folder + "/" + noteName(text, id) + "-" + notes.LongID(id) + ending
	}
	return name
}

func (w *noteWriter) put(name, text string) error {
	return w.putOver(name, text, func(notes.Note) bool { return false })
}

// putOver writes a file, unless it is up to date, somebody has edited it, or it is not of this
// program. An edited file is overwritten if imported says that the edit is in the bank.
func (w *noteWriter) putOver(name, text string, imported func(notes.Note) bool) error {
	w.written[name] = true
	w.notes++
	w.bytes += int64(len(text))
	if w.notes%100 == 0 {
		w.progress(w.notes, w.bytes)
	}
	old, err := w.folder.Content(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil && w.watch != nil:
		w.report.Kept = append(w.report.Kept, name+" cannot be read")
		return nil
	case err != nil:
		return cannotWrite(name, err)
	case sameText(old, text):
		return nil
	case !w.force && ownership(name, old) == edited && !isImported(old, imported):
		w.report.Kept = append(w.report.Kept, name+" was edited since it was exported")
		return nil
	case ownership(name, old) == stranger:
		w.report.Kept = append(w.report.Kept, name+" is not of mcp-memory")
		return nil
	}
	if err := w.folder.Write(name, []byte(text)); err != nil {
		return cannotWrite(name, err)
	}
	w.report.Written++
	w.report.events = append(w.report.events, NoteEvent{What: NoteWritten, File: name})
	return nil
}

func isImported(content []byte, imported func(notes.Note) bool) bool {
	n, err := notes.Parse(content)
	return err == nil && n.Type == noteRecord && imported(n)
}

// sameText compares texts without carriage returns, which Git may have added.
func sameText(old []byte, text string) bool {
	return string(old) == text ||
		bytes.ContainsRune(old, '\r') && strings.ReplaceAll(string(old), "\r", "") == strings.ReplaceAll(text, "\r", "")
}

// mark is a text near the beginning of each file of this program, by extension.
var mark = map[string]string{".md": "mcp_memory:", ".jsonl": `"type":"` + typeSession + `"`}

// removeGone removes files of earlier exports that this one did not write. It does nothing if a
// part of the bank could not be read, as then it is not known what is gone.
func (w *noteWriter) removeGone(ctx context.Context) error {
	if len(w.report.Damaged) > 0 {
		return nil
	}
	files, err := w.folder.Files(".md", ".jsonl")
	if err != nil {
		return cannotWrite("the folder", err)
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.Link || w.written[notes.Canonical(f.Name)] {
			continue
		}
		if w.watch != nil && path.Ext(f.Name) != ".md" {
			continue
		}
		if near, err := w.folder.Begins(f.Name, mark[path.Ext(f.Name)]); err != nil && w.watch != nil {
			continue // reported when it is read
		} else if err != nil {
			return cannotWrite(f.Name, err)
		} else if !near {
			continue // of somebody else, and maybe huge
		}
		content, err := w.folder.Content(f.Name)
		if err != nil {
			return cannotWrite(f.Name, err)
		}
		switch ownership(f.Name, content) {
		case ours:
			if w.watch != nil && !w.watch.removes(w.index, f.Name, content) {
				continue
			}
			if err := w.folder.Remove(f.Name); err != nil {
				return cannotWrite(f.Name, err)
			}
			w.report.Removed++
			w.report.events = append(w.report.events, NoteEvent{What: NoteRemoved, File: f.Name})
		case edited:
			w.report.Kept = append(w.report.Kept, f.Name+" was edited, and what it was made of is gone from the bank")
		}
	}
	return nil
}

// owner says whose a file is.
type owner int

const (
	stranger owner = iota
	ours           // as this program wrote it
	edited         // written by this program and edited since
)

func ownership(name string, content []byte) owner {
	if path.Ext(name) == ".jsonl" {
		return sessionOwner(content)
	}
	n, err := notes.Parse(content)
	var wrong *notes.Problem
	switch {
	case errors.As(err, &wrong) && bytes.Contains(content[:min(len(content), 100)], []byte("mcp_memory:")):
		return edited
	case err != nil || n.Type == "" || n.Type != noteReadme && !hasID(n):
		return stranger
	case n.Edited:
		return edited
	}
	return ours
}

// hasID reports whether a note was exported. A note that a person added has no id.
func hasID(n notes.Note) bool {
	var head noteHead
	return jsonl.Decode(n.Fields, &head) != nil || head.ID != ""
}

func (w *noteWriter) putReadme(context.Context) error {
	about := readmeText
	if w.watch != nil {
		about = watchedText
	}
	text, err := noteOf(noteReadme, struct {
		Agent   string `json:"agent"`
		Version int    `json:"version"`
		Watched bool   `json:"watched,omitempty"`
		Text    string `json:"text"`
	}{w.agent, notesVersion, w.watch != nil, fmt.Sprintf(about, w.agent)}, struct{}{})
	if err != nil {
		return err
	}
	return w.put(readmeFile, text)
}

const watchedText = `# Memories of %s

Kept the same as the bank by ` + "`mcp-memory notes watch`" + `, as long as that runs.

- One note a memory that holds now, in folders by kind. The text below the front matter is the memory.
- Rewrite the text, or its tags, category, importance, pinned or valid_until: it is taken over at once.
- A note that you add becomes a memory and stays as you wrote it. One that you delete is forgotten.
- Each change that was taken over is named with an id: mcp-memory undo ID takes it back.`

const readmeText = `# Memories of %s

Written by ` + "`mcp-memory export --format markdown`" + `; ` + "`mcp-memory import --format markdown`" + ` reads it back.

- One note a memory, in folders by kind. The text below the front matter is the memory.
- To-dos are in todos, events in calendar, conversations in conversations, one JSONL file each.
- Rewrite the text of a note, or its tags, category, importance, pinned or valid_until, and import the folder:
  another text becomes a new memory that supersedes the old one, which stays as history.
- A note that you add becomes a new memory.
- A note that you delete is only a file less: say forget to the agent.
- Export again after an import. What you edited and did not import is left as it is.`
