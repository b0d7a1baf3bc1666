package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/transfer/notes"
)

// fieldChange is an edit of the front matter of a record's note.
type fieldChange struct {
	file   string
	update remember.UpdateRequest
}

// readEdits compares the notes of records with the bank. What a person changed in the note of a
// record that the bank has is collected. Such a record is removed from r.records, which are stored
// as they are, unless it is archived in the bank. Notes that nobody edited stay in r.records.
func (r *noteReader) readEdits(ctx context.Context) error {
	var kept []noteLine
	for part := range slices.Chunk(r.records, memory.MaxBatch) {
		ids := make([]string, len(part))
		for i, line := range part {
			ids[i] = line.id
		}
		found, err := r.deps.Store.Records(ctx, r.o.Scope.Agent, ids)
		if err != nil {
			return err
		}
		there := make(map[string]memory.Record, len(found))
		for _, known := range found {
			there[known.ID] = known
		}
		for _, line := range part {
			known, ok := there[line.id]
			gone := ok && !known.ArchivedAt.IsZero()
			if !ok {
				r.came(line.file, line.id, NoteNew)
			}
			if !ok || !line.edited || gone {
				kept = append(kept, line)
			}
			if !ok || !line.edited || gone && !r.o.Revive {
				continue
			}
			counted := r.report.Duplicates
			known.ArchivedAt = time.Time{} // storing the bundle revives it first
			if err := r.readEdit(ctx, line, known); err != nil {
				return err
			}
			if gone {
				r.report.Duplicates = counted
			}
		}
	}
	r.records = kept
	return nil
}

// readEdit collects the edit of one note whose record the bank has. A new text becomes a request
// that supersedes the newest version of the record.
func (r *noteReader) readEdit(ctx context.Context, line noteLine, known memory.Record) error {
	content := strings.TrimSpace(line.record.Content)
	said := func(k memory.Record) bool { return memory.SameContent(k.Content) == memory.SameContent(content) }
	same := said(known)
	newest := known
	for n := 0; newest.SupersededBy != "" && n < maxVersions; n++ {
		next, err := r.deps.Store.Records(ctx, r.o.Scope.Agent, []string{newest.SupersededBy})
		if err != nil {
			return err
		}
		if len(next) == 0 {
			break // erased, or of another bank
		}
		newest = next[0]
		same = same || said(newest)
	}
	if same {
		r.report.Duplicates++
		return r.changeFields(line, known, newest, said(newest))
	}
	switch {
	case !line.record.Live():
		return r.bad(line.file, line.front.LineOf("id"),
			errors.New("the note is history: write what holds now in the note of what superseded it"))
	case newest.SupersededBy != "":
		return r.bad(line.file, line.front.LineOf("id"), errors.New("what superseded the record is not in the bank"))
	case detailKinds[known.Kind] && known.Kind != memory.KindSummary:
		return r.bad(line.file, line.front.LineOf("kind"),
			errors.New("the text of a note of kind "+string(known.Kind)+" is made of its fields, and only its tool changes it"))
	}
	if newest.ID != known.ID {
		r.clash(line.file, newest.ID)
	}
	e := line.record
	request := remember.SaveRequest{
		Content: content, Kind: known.Kind, Importance: &e.Importance,
		Tags: e.Tags, Source: memory.SourceUser, ExternalID: newest.ExternalID,
		Metadata: e.Metadata, Provenance: e.Provenance, OccurredAt: e.OccurredAt, ValidUntil: e.ValidUntil, Pinned: e.Pinned,
		Supersedes: newest.ID, KindDetails: e.KindDetails, Quiet: true, Again: true, Revive: r.o.Revive,
	}
	if !e.CategoryGuessed || e.Category != known.Category {
		request.Category = e.Category
	}
	return r.draft(&known.Project, line.file, strings.Count(line.front.Front, "\n")+3, request)
}

// maxVersions bounds how many versions of a record are followed, in case the chain is a ring.
const maxVersions = 1000

// changeFields collects the differences between the front matter and the record that holds now.
// Nothing is taken from a note whose text is not that of this record (said is false). A category
// that was guessed for an earlier version is ignored, as nobody has chosen it.
func (r *noteReader) changeFields(line noteLine, known, holds memory.Record, said bool) error {
	e := line.record
	if !said || !holds.Live() {
		return nil
	}
	u := remember.UpdateRequest{ID: holds.ID}
	if e.Category != holds.Category && !(e.CategoryGuessed && e.Category == known.Category) {
		u.Category = &e.Category
	}
	if e.Importance != holds.Importance {
		u.Importance = &e.Importance
	}
	if !slices.Equal(e.Tags, holds.Tags) {
		u.Tags = &e.Tags
	}
	if e.Pinned != holds.Pinned {
		u.Pinned = &e.Pinned
	}
	if !e.ValidUntil.Equal(holds.ValidUntil) && holds.Kind != memory.KindSoul {
		u.ValidUntil = &e.ValidUntil
	}
	if u.Category != nil || u.Importance != nil || u.Tags != nil || u.Pinned != nil || u.ValidUntil != nil {
		r.report.Duplicates-- // it counts when it is stored
		r.changes = append(r.changes, fieldChange{line.file, u})
	}
	return nil
}

// noteHome is the project of memories from notes, and whether the note names it.
type noteHome struct {
	project string
	chosen  bool
}

// noteBatches are memories of one project that are to be saved like facts.
type noteBatches struct {
	list  []*remember.Batch
	files []string // file of each memory, in order
	texts []string
}

// draft checks a memory and adds it to the batches of its project. A nil project means that of the
// import.
func (r *noteReader) draft(project *string, file string, line int, request remember.SaveRequest) error {
	scope := r.o.Scope
	if project != nil {
		scope.Project, scope.Chosen = *project, true
	}
	home := noteHome{scope.Project, scope.Chosen}
	b := r.drafts[home]
	if b == nil {
		b = &noteBatches{}
		r.drafts[home] = b
	}
	if n := len(b.list); n == 0 || b.list[n-1].Len() == memory.MaxBatch {
		b.list = append(b.list, r.deps.Service.NewBatch(scope))
	}
	if err := b.list[len(b.list)-1].Add(request); err != nil {
		return r.bad(file, line, err)
	}
	b.files, b.texts = append(b.files, file), append(b.texts, request.Content)
	return nil
}

// imported reports whether a person's edit of a record's note is in the bank already: a version of
// the record has the same text and fields, and the front matter has only keys that an export
// writes.
func (w *noteWriter) imported(ctx context.Context, n notes.Note, r memory.Record) bool {
	var fields map[string]json.RawMessage
	var line recordLine
	text, err := lineOfNote(n)
	if err != nil || jsonl.Decode(n.Fields, &fields) != nil || jsonl.Decode(text, &line) != nil {
		return false
	}
	for key := range fields {
		if !noteKeys[key] {
			return false
		}
	}
	guessed := line.CategoryGuessed && (w.watch != nil || line.Category == r.Category) // guessed for the version that was exported
	for range maxVersions {
		if memory.SameContent(line.Content) == memory.SameContent(r.Content) {
			return (guessed || line.Category == r.Category) && line.Importance == r.Importance && line.Pinned == r.Pinned &&
				slices.Equal(line.Tags, r.Tags) && line.ValidUntil.Equal(r.ValidUntil)
		}
		next, err := w.deps.Store.Records(ctx, w.agent, []string{r.SupersededBy})
		if err != nil || len(next) == 0 {
			return false
		}
		r = next[0]
	}
	return false
}

// noteKeys are the keys of front matter that an export writes for a record.
var noteKeys = keysOf(reflect.TypeFor[recordLine](), reflect.TypeFor[linkFields]())

func keysOf(types ...reflect.Type) map[string]bool {
	keys := map[string]bool{}
	for _, t := range types {
		for _, f := range reflect.VisibleFields(t) {
			if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" {
				keys[key] = true
			}
		}
	}
	return keys
}
