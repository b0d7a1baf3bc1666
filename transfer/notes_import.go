package transfer

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/transfer/notes"
)

// ImportNotes imports a folder of Markdown notes: what [ExportNotes] wrote, with the edits of a
// person, and any other notes.
//
//   - What the bank does not have, by id, is imported as it was exported.
//   - A note with another text than its record becomes a new record that supersedes
//     the newest version. Changes of tags, category, importance, pinned and
//     valid_until are taken over.
//   - A note of this program's form without an id is a new record. Any other note
//     gives a record for the text below each heading, or for each item of a list
//     that is alone there; see [notes.Sections]. Their external ids are made of
//     file name and headings, so that a changed section supersedes what it was.
//
// All notes are read and checked before anything is written. A second import changes nothing, and
// completes one that was interrupted while it wrote. Report.UndoID undoes what a person changed or
// added. Progress gets bytes, and 0 for lines. Errors are those of [Import], with file and line.
func ImportNotes(ctx context.Context, deps Deps, dir string, o Options) (report Report, err error) {
	report.Format = Markdown
	if err := cmp.Or(memory.CheckAgent(o.Scope.Agent), o.Scope.CheckWritable()); err != nil {
		return report, err
	}
	if o.Own, err = isOwn(ctx, deps.Store, o); err != nil {
		return report, err
	}
	folder, err := notes.OpenFolder(dir)
	if err != nil {
		return report, memory.Errorf(memory.CodeUnavailable, "cannot open %s: it is no folder that can be read", dir).
			WithHint("check the path, and that you may read there").WithCause(err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	r := newNoteReader(deps, o, folder)
	err = r.run(ctx)
	return r.report, err
}

func newNoteReader(deps Deps, o Options, folder *notes.Folder) *noteReader {
	return &noteReader{
		deps: deps, o: o, folder: folder, report: Report{Format: Markdown}, whole: deps.Service.NewImport(o.Scope.Agent),
		check: newBundleLoader(deps, Options{Scope: o.Scope, Revive: o.Revive, Own: true}),
		ids:   map[string]string{}, drafts: map[noteHome]*noteBatches{},
		exported: map[string]bool{}, spoiled: map[string]bool{},
	}
}

func (r *noteReader) run(ctx context.Context) (err error) {
	if err = r.readAll(ctx); err == nil {
		err = r.store(ctx)
	}
	r.report.Read = r.report.Created + r.report.Updated + r.report.Revived + r.report.Forgotten + r.report.Duplicates + r.report.Skipped
	r.report.UndoID = r.whole.UndoID()
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = errCancelled(err)
	}
	return err
}

// noteReader is the state of one import.
type noteReader struct {
	deps   Deps
	o      Options
	folder *notes.Folder
	report Report
	whole  *remember.Import

	// Only for a watched folder: all its notes, which of them have changed, and the memories made
	// from plain notes by id.
	watch  *NoteWatch
	listed map[string]notes.File
	news   map[string]bool
	found  map[string]plainNote
	check  *bundleLoader // only checks lines, stores nothing

	ids      map[string]string // files by type and id, such as "record 0198…"
	exported map[string]bool   // files of notes with an id
	spoiled  map[string]bool   // files with errors
	records  []noteLine
	plans    []noteLine // to-dos and events
	aliases  []bundledAlias
	sessions []string // files of conversations
	changes  []fieldChange
	drafts   map[noteHome]*noteBatches

	total, done int64 // bytes
}

// noteLine is a note as a line of a bundle. Lines of records are sorted by at and id.
type noteLine struct {
	file   string
	id, at string // id and created_at of a record; of a to-do or event, id is the type
	text   []byte
	edited bool
	record memory.Record
	front  notes.Note // only its front matter
}

func (r *noteReader) readAll(ctx context.Context) error {
	files, err := r.folder.Files(".md", ".jsonl")
	if err != nil {
		return memory.Errorf(memory.CodeUnavailable, "the folder cannot be read").WithCause(err)
	}
	if r.watch != nil {
		files = r.watch.news(r, files)
	}
	for _, f := range files {
		r.total += f.Size
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.readFile(f); err != nil {
			return err
		}
		if r.done += f.Size; r.o.Progress != nil {
			r.o.Progress(0, r.done/2) // storing is the other half
		}
	}
	slices.SortFunc(r.records, func(a, b noteLine) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	return r.readEdits(ctx)
}

// bad reports an error in a file. It returns the error of the import, or nil with SkipBad.
func (r *noteReader) bad(file string, line int, err error) error {
	reason := err.Error()
	var known *memory.Error
	if errors.As(err, &known) {
		reason = known.Message
	}
	if len(r.report.Bad) < reportedBadLines {
		r.report.Bad = append(r.report.Bad, BadLine{file, line, reason})
	}
	if r.o.SkipBad {
		r.spoiled[file] = true
		r.report.Skipped++
		return nil
	}
	return memory.Errorf(memory.CodeInvalidArgument, "%s: %s", place(file, line), reason).
		WithHint("nothing was imported; mend the file and import the folder again, or skip broken ones")
}

func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

func (r *noteReader) readFile(f notes.File) error {
	switch {
	case f.Link:
		return r.bad(f.Name, 0, errors.New("it is a symbolic link, which is not followed"))
	case path.Ext(f.Name) == ".jsonl":
		return r.readSession(f.Name)
	case f.Size > notes.MaxBytes:
		return r.bad(f.Name, 0, fmt.Errorf("the note is %d bytes long, at most %d are read", f.Size, notes.MaxBytes))
	}
	content, err := r.folder.Read(f.Name)
	switch {
	case err != nil && r.o.SkipBad:
		return r.bad(f.Name, 0, errors.New("it cannot be read"))
	case err != nil:
		return memory.Errorf(memory.CodeUnavailable, "cannot read %s", f.Name).WithCause(err)
	}
	n, err := notes.Parse(content)
	var wrong *notes.Problem
	if errors.As(err, &wrong) {
		return r.bad(f.Name, wrong.Line, wrong)
	}
	switch n.Type {
	case noteReadme:
		return nil
	case "":
		return r.readPlain(f.Name, n)
	case noteRecord, noteTodo, noteEvent:
		return r.readOurs(f.Name, n)
	}
	return r.bad(f.Name, n.LineOf("mcp_memory"), fmt.Errorf("mcp_memory %q is not one of record, todo and event", n.Type))
}

// noteHead are the fields of front matter that are read besides the line of a bundle.
type noteHead struct {
	ID          jsonl.Name `json:"id"`
	CreatedAt   string     `json:"created_at"`
	ExternalIDs []string   `json:"other_external_ids"`
}

func (r *noteReader) readOurs(file string, n notes.Note) error {
	var head noteHead
	if err := jsonl.Decode(n.Fields, &head); err != nil {
		return r.badField(file, n, err)
	}
	if head.ID == "" && n.Type == noteRecord {
		return r.readNew(file, n)
	}
	text, err := lineOfNote(n)
	if err != nil {
		return r.badField(file, n, err)
	}
	r.check.items = nil
	if err := r.check.addLine(text); err != nil {
		return r.badField(file, n, err)
	}
	id := n.Type + " " + string(head.ID)
	if other, ok := r.ids[id]; ok {
		return r.bad(file, n.LineOf("id"), fmt.Errorf("%s has the id %s too", other, head.ID))
	}
	r.ids[id], r.exported[file] = file, true
	line := noteLine{file: file, text: text, edited: n.Edited, front: notes.Note{Front: n.Front}}
	item := r.check.items[0]
	if n.Type != noteRecord {
		line.id = n.Type
		r.plans = append(r.plans, line)
		return nil
	}
	line.record, line.id = *item.record, item.record.ID
	line.at = line.record.CreatedAt.UTC().Format("2006-01-02T15:04:05.000000000")
	r.records = append(r.records, line)
	for _, external := range head.ExternalIDs {
		if err := memory.CheckLine("other_external_ids", external, memory.MaxNameBytes); err != nil {
			return r.badField(file, n, err)
		}
		r.aliases = append(r.aliases, bundledAlias{typeAlias, external, line.id})
	}
	return nil
}

// badField is bad for an error that may begin with the name of a field, whose line it finds.
func (r *noteReader) badField(file string, n notes.Note, err error) error {
	text := err.Error()
	var known *memory.Error
	if errors.As(err, &known) {
		text = known.Message
	}
	field, _, _ := strings.Cut(text, " ")
	field, _, _ = strings.Cut(field, ".")
	return r.bad(file, n.LineOf(strings.Trim(field, `"`)), err)
}

// readSession checks the lines of a conversation's file. A file without the header is ignored.
func (r *noteReader) readSession(file string) error {
	ours, err := r.eachTurn(file, func([]byte) error { return nil }, func(line int, err error) error { return r.bad(file, line, err) })
	if ours {
		r.sessions = append(r.sessions, file)
	}
	return err
}

// eachTurn calls fn for the valid lines after the header of a conversation's file, and bad for the
// others. ours is false for a file without the header.
func (r *noteReader) eachTurn(file string, fn func([]byte) error, bad func(line int, err error) error) (ours bool, err error) {
	in, err := r.folder.Open(file)
	if err != nil {
		return false, memory.Errorf(memory.CodeUnavailable, "cannot read %s", file).WithCause(err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	lines, err := jsonl.NewReader(bufio.NewReader(in))
	if err != nil {
		return false, err
	}
	var h sessionHeader
	if first, err := lines.Next(); err != nil || jsonl.Decode(first, &h) != nil || h.Type != typeSession {
		return false, nil
	}
	for {
		text, err := lines.Next()
		if err == io.EOF {
			return true, nil
		}
		if err == nil {
			r.check.items = nil
			err = r.check.addTurn(text)
		} else if err != jsonl.ErrLongLine && err != jsonl.ErrEncoding {
			return true, err
		}
		if err != nil {
			err = bad(lines.Number(), err)
		} else {
			err = fn(text)
		}
		if err != nil {
			return true, err
		}
	}
}
