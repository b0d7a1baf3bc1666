package transfer

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/secrets"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/transfer/notes"
)

// NoteDid is what happened in a watched folder.
type NoteDid string

// What happens to notes, and to memories because of them.
const (
	NoteNew     NoteDid = "new"       // a note became a memory
	NoteChanged NoteDid = "changed"   // an edit of a note was taken over
	NoteGone    NoteDid = "set aside" // a memory was archived, because its note, or the text in it, is gone
	NoteBoth    NoteDid = "both"      // an edit was taken over; what the bank had changed too is history
	NoteWritten NoteDid = "written"   // a note was written for a change in the bank
	NoteRemoved NoteDid = "removed"   // a note was removed, because its memory does not hold any more
	NoteLeft    NoteDid = "left"      // a note was left alone; Reason says why
)

// NoteEvent is one change of a watched folder or, because of it, of the bank.
type NoteEvent struct {
	What   NoteDid `json:"what"`
	File   string  `json:"file"`             // path in the folder
	ID     string  `json:"id,omitempty"`     // of the memory; for NoteBoth, of the bank's version
	Reason string  `json:"reason,omitempty"` // only for NoteLeft
	UndoID string  `json:"undo_id,omitempty"`
}

// maxGone is how many memories are archived at most if their notes vanish at once.
const maxGone = 20

// NoteWatch keeps a folder of notes and a bank in sync. The folder has the memories that are
// neither superseded nor archived, without secrets. Plain notes that people wrote stay as they are,
// and the memories made from them get no second note. It is not safe for concurrent use.
type NoteWatch struct {
	deps  Deps
	scope memory.Scope
	dir   string
	force bool

	started      bool
	before, last map[string]notes.File // files at the last look, and at the last pass
	changes      memory.Changes
	places       map[string]string    // file of a record's note, by id
	older        map[string]string    // id of the record that it supersedes, by id
	shown        map[string]bool      // records that have notes of this program
	plain        map[string]plainNote // plain notes by the id of the record made from them
	mine         map[string]bool      // records that edits of notes have made
	said         map[string]bool      // reasons of NoteLeft that were reported already
}

type plainNote struct{ file, text string }

// NewNoteWatch returns the watch of a folder. If the scope has a project, only its memories are in
// it, else all of the agent's. With force the folder may have other Markdown files, which become
// memories.
func NewNoteWatch(deps Deps, scope memory.Scope, dir string, force bool) *NoteWatch {
	return &NoteWatch{
		deps: deps, scope: scope, dir: dir, force: force, places: map[string]string{}, older: map[string]string{},
		shown: map[string]bool{}, plain: map[string]plainNote{}, mine: map[string]bool{}, said: map[string]bool{},
	}
}

// Look syncs the folder and the bank if either has changed since the last pass. It waits until the
// folder is the same in two successive calls, so that no half-written file is read. It is to be
// called a few times a second. Events are returned beside an error too. Errors:
// [memory.CodeConflict] for a folder with other content, and if more than maxGone notes, or all of
// several, are gone at once, in which case nothing is archived; [memory.CodeNotFound] if the folder
// is gone; [memory.CodeUnavailable] if it cannot be read or written; and those of the store.
func (v *NoteWatch) Look(ctx context.Context) ([]NoteEvent, error) {
	folder, err := notes.OpenFolder(v.dir)
	if err != nil {
		return nil, memory.Errorf(memory.CodeNotFound, "cannot open %s", v.dir).
			WithHint("check that the folder is there, and that you may read it").WithCause(err)
	}
	defer folder.Close()
	files, err := folder.Files(".md")
	if err != nil {
		return nil, memory.Errorf(memory.CodeUnavailable, "the folder cannot be read").WithCause(err)
	}
	changes, err := v.deps.Store.Changes(ctx, v.scope.Agent)
	if err != nil {
		return nil, err
	}
	now := byName(files)
	settled := maps.Equal(now, v.before)
	v.before = now
	if v.started && (!settled || maps.Equal(now, v.last) && changes == v.changes) {
		return nil, nil
	}
	return v.pass(ctx, folder)
}

func byName(files []notes.File) map[string]notes.File {
	all := make(map[string]notes.File, len(files))
	for _, f := range files {
		all[f.Name] = f
	}
	return all
}

// pass takes over what is new in the folder, and then writes what is new in the bank.
func (v *NoteWatch) pass(ctx context.Context, folder *notes.Folder) (events []NoteEvent, err error) {
	var report Report
	w := newNoteWriter(v.deps, v.scope.Agent, folder, &report)
	w.watch, w.force = v, v.force
	if !v.started {
		if err := w.begin(v.dir); err != nil {
			return nil, err
		}
	}
	w.force = false
	o := Options{Scope: v.scope, SkipBad: true}
	if o.Own, err = isOwn(ctx, v.deps.Store, o); err != nil {
		return nil, err
	}
	r := newNoteReader(v.deps, o, folder)
	r.watch, r.found = v, map[string]plainNote{}
	err = r.run(ctx)
	for _, e := range r.report.events {
		if e.What != NoteNew || r.found[e.ID].file != "" { // others came as they were exported, and cannot be undone
			e.UndoID = r.report.UndoID
		}
		events = append(events, e)
	}
	if err != nil {
		return events, err
	}
	for _, bad := range r.report.Bad {
		events = append(events, NoteEvent{What: NoteLeft, File: place(bad.File, bad.Line), Reason: bad.Reason})
	}
	gone, err := v.setAside(ctx, r)
	if events = append(events, gone...); err != nil {
		return events, err
	}
	changes, err := v.deps.Store.Changes(ctx, v.scope.Agent)
	if err != nil {
		return events, err
	}
	err = w.do(ctx, w.readIndex, w.putReadme, w.putRecords, w.removeGone)
	for _, e := range report.events {
		if !r.news[e.File] || !v.started { // otherwise the edit was reported, and this write only updates the note's id
			events = append(events, e)
		}
	}
	for _, why := range append(report.Kept, report.Damaged...) {
		file, _, _ := strings.Cut(why, ".md ")
		again := v.said[why] || r.spoiled[file+".md"]
		if v.said[why] = true; !again {
			events = append(events, NoteEvent{What: NoteLeft, Reason: why})
		}
	}
	if err == nil {
		v.started, v.last, v.changes = true, r.listed, changes
	}
	return events, err
}

// news records the files of the folder, and returns the notes that have changed since the last
// pass.
func (v *NoteWatch) news(r *noteReader, files []notes.File) (news []notes.File) {
	r.listed, r.news = map[string]notes.File{}, map[string]bool{}
	for _, f := range files {
		if path.Ext(f.Name) == ".jsonl" {
			continue
		}
		r.listed[f.Name] = f
		if v.last[f.Name] != f {
			r.news[f.Name] = true
			news = append(news, f)
		}
	}
	for id := range v.shown {
		if file := v.places[id]; r.listed[file].Name != "" && !r.news[file] {
			r.ids[noteRecord+" "+id] = file // so that a copied file is recognised as a copy
		}
	}
	return news
}

// saved records what became of a memory that was drafted from a note.
func (r *noteReader) saved(b *noteBatches, i int, one remember.SaveResult) {
	v, file := r.watch, b.files[i]
	if v == nil || one.ID == "" {
		return
	}
	switch one.Action {
	case remember.Created, remember.Revived:
		r.came(file, one.ID, NoteNew)
	case remember.Superseded:
		r.came(file, one.ID, NoteChanged)
	}
	if r.exported[file] {
		v.places[one.ID] = file
		return
	}
	r.found[one.ID] = plainNote{file, b.texts[i]}
}

func (r *noteReader) came(file, id string, what NoteDid) {
	if r.watch != nil {
		r.watch.mine[id] = true
		r.report.events = append(r.report.events, NoteEvent{What: what, File: file, ID: id})
	}
}

// clash reports that the bank has changed a memory whose note a person has edited. id is the bank's
// newest version. A version that came from an edit of the folder is no clash.
func (r *noteReader) clash(file, id string) {
	if r.watch != nil && !r.watch.mine[id] {
		r.report.events = append(r.report.events, NoteEvent{What: NoteBoth, File: file, ID: id})
	}
}

// setAside archives the memories whose notes are gone, and those that plain notes do not contain
// any more.
func (v *NoteWatch) setAside(ctx context.Context, r *noteReader) (events []NoteEvent, err error) {
	for key, file := range r.ids {
		if id, ok := strings.CutPrefix(key, noteRecord+" "); ok {
			v.places[id] = file
		}
	}
	gone := map[string]string{} // file by id
	for id := range v.shown {
		if file := v.places[id]; r.listed[file].Name == "" && r.found[id].file == "" {
			gone[id] = file
		}
	}
	all := len(v.shown) + len(v.plain)
	for id, p := range v.plain {
		_, noted := r.ids[noteRecord+" "+id]
		there := r.listed[p.file].Name != "" && (!r.news[p.file] || r.spoiled[p.file])
		if r.found[id].file == "" && !noted && !there {
			gone[id] = p.file
		}
	}
	records, err := v.deps.Store.Records(ctx, v.scope.Agent, slices.Sorted(maps.Keys(gone)))
	if err != nil {
		return nil, err
	}
	records = slices.DeleteFunc(records, func(one memory.Record) bool { return !one.Live() })
	if n := len(records); n > maxGone || n > 1 && n == all {
		return nil, memory.Errorf(memory.CodeConflict, "the notes of %d of %d memories are gone from %s at once: none was forgotten", n,
			all, v.dir).
			WithHint("put them back; or watch again, which writes them anew. `mcp-memory forget` forgets")
	}
	maps.Copy(v.plain, r.found)
	for id := range gone {
		delete(v.plain, id)
	}
	if len(records) == 0 {
		return nil, nil
	}
	var ids []string
	for _, one := range records {
		ids = append(ids, one.ID)
		events = append(events, NoteEvent{What: NoteGone, File: gone[one.ID], ID: one.ID})
	}
	done, err := v.deps.Service.TakeOut(ctx, v.scope, ids, "its note was deleted")
	if err != nil {
		return nil, err
	}
	for i := range events {
		events[i].UndoID = done.UndoID
	}
	return events, nil
}

// shows reports whether a record is to have a note of this program in the folder.
func (v *NoteWatch) shows(r memory.Record) bool {
	if r.Supersedes != "" {
		v.older[r.ID] = r.Supersedes
	}
	if !r.Live() || v.scope.Project != "" && r.Project != v.scope.Project || r.Category == memory.CategorySecret || secrets.In(r) != "" {
		return false
	}
	p, own := v.plain[r.ID]
	return !own || memory.SameContent(p.text) != memory.SameContent(r.Content)
}

// settle decides the files of all notes. A note stays in the file where it was found, even as the
// note of an earlier version.
func (v *NoteWatch) settle(x *noteIndex) {
	clear(v.shown)
	ids := slices.Sorted(maps.Keys(x.names))
	taken := map[string]bool{}
	for _, id := range ids {
		v.shown[id] = true
		taken[v.places[id]] = true
	}
	for _, id := range ids {
		at := v.places[id]
		for older, n := v.older[id], 0; at == "" && older != "" && n < maxVersions; older, n = v.older[older], n+1 {
			if !taken[v.places[older]] {
				at = v.places[older]
			}
		}
		if at = cmp.Or(at, x.file(id)); taken[at] && v.places[id] != at {
			at = path.Join(x.kinds[id], x.names[id]+"-"+notes.LongID(id)+".md")
		}
		taken[at], v.places[id] = true, at
		x.kinds[id], x.names[id] = path.Dir(at), strings.TrimSuffix(path.Base(at), path.Ext(at))
	}
}

// removes reports whether an unedited note may be removed: its record is to have no note any more,
// and it is not a copy of one.
func (v *NoteWatch) removes(x *noteIndex, file string, content []byte) bool {
	n, err := notes.Parse(content)
	var head noteHead
	if err != nil || n.Type != noteRecord || jsonl.Decode(n.Fields, &head) != nil {
		return false
	}
	id := string(head.ID)
	return x.names[id] == "" && cmp.Or(v.places[id], file) == file
}
