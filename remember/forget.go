package remember

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// ForgetRequest says what to forget: records by id, or those of the scope that
// contain every word of a query, or all that came by a link, or a whole
// project; or Undo, which takes an earlier forgetting back.
//
// A Project that points to "" is ignored beside ids, a link or a session, because callers fill in
// arguments that they do not mean. Beside a query it is the global memories; alone it is an
// error.
type ForgetRequest struct {
	IDs       []string
	Query     string
	Session   string  // of a conversation, to erase it; needs Permanent
	LinkID    string  // of a neural link, in every project unless one is given
	Project   *string // forget inside this project only; alone: all of it
	Reason    string
	Permanent bool // erase for good, with the earlier versions of what is named
	Confirm   bool // needed for Permanent, and for a whole project of many records
	DryRun    bool // only say what would be forgotten
	Undo      string
}

// ForgetResult says what was forgotten, or brought back by Undo.
type ForgetResult struct {
	Forgotten int
	IDs       []string
	Missing   []string // ids that are not there
	UndoID    string   // for Undo; empty after Permanent and DryRun
	// TakenBack is how many memories an undo has archived that the save, import or other change
	// that it undoes had created or brought back; IDs are those that hold again.
	TakenBack int
	// Messages is how many messages of a conversation were erased, and Drawn are
	// the ids of memories that were made of it and stay.
	Messages int
	Drawn    []string
	// Later are live records that superseded one of those that were forgotten, directly or by
	// others in between. They were not named, and still hold.
	Later []Later
	// Pending says that copies of what Permanent has erased may still be in the
	// database's files: that takes longer, or something else keeps them busy. They are
	// scrubbed in the background, at the latest when the last process that uses them ends.
	Pending bool
	Revived []string // ids of records that are live again: only what was forgotten had superseded them on its own
	Earlier []string // ids of the versions that the forgotten records had corrected; they stay superseded
}

// Forget archives records, or erases them: then their text is in no file of the
// data directory any more, unless a conversation, another record or a person has
// it too. Errors: [memory.CodeInvalidArgument]
// if nothing is named, or Permanent is not confirmed, or a whole project of more
// than 20 records neither confirmed nor shown by a DryRun of the same session a
// few minutes ago; [memory.CodeNotFound] if
// none of the ids is there, or no such link; [memory.CodeForbidden] for the id of a soul entry,
// which a query or project passes over; [memory.CodeConflict] for a second Undo.
func (s *Service) Forget(ctx context.Context, scope memory.Scope, f ForgetRequest) (ForgetResult, error) {
	if f.Project != nil && *f.Project == "" && (len(f.IDs) > 0 || f.LinkID != "" || f.Session != "") {
		f.Project = nil
	}
	if err := f.check(); err != nil {
		return ForgetResult{}, err
	}
	if f.Undo != "" {
		return s.undo(ctx, scope, f.Undo)
	}
	if f.Session != "" {
		return s.forgetSession(ctx, scope, f)
	}
	if f.Project != nil {
		project, err := s.meant(ctx, scope, *f.Project)
		if err != nil {
			return ForgetResult{}, err
		}
		f.Project, scope.Project = &project, project
	}
	ids := distinct(f.IDs)
	var err error
	switch {
	case f.LinkID != "":
		ids, err = s.linked(ctx, scope.Agent, f)
	case len(ids) == 0:
		ids, err = s.match(ctx, scope, f)
	}
	if err != nil {
		return ForgetResult{}, err
	}
	if f.Permanent && !f.DryRun {
		return s.forgetForGood(ctx, scope, f, ids)
	}
	var result ForgetResult
	err = s.store.Write(ctx, scope.Agent, func(tx memory.Tx) (err error) {
		result, err = s.forgetIn(tx, scope, f, ids, false)
		return err
	})
	if err == nil && f.DryRun && f.wholesale() {
		s.previews.note(selection(scope, result.IDs), s.clock())
	}
	return result, err
}

// forgetForGood erases the records with these ids for good, as far as the request covers them.
func (s *Service) forgetForGood(ctx context.Context, scope memory.Scope, f ForgetRequest, ids []string) (ForgetResult, error) {
	result, err := s.choose(ctx, scope, f, ids)
	if err != nil || result.Forgotten == 0 {
		return result, err
	}
	if err := s.erase(ctx, scope.Agent, result.IDs, &result); err != nil {
		return ForgetResult{}, err
	}
	result.Pending = !s.scrubbed(context.WithoutCancel(ctx))
	return result, nil
}

// TakeOut archives records that a person took out of a file by hand, soul entries too.
// Errors are those of [Service.Forget].
func (s *Service) TakeOut(ctx context.Context, scope memory.Scope, ids []string, reason string) (result ForgetResult, err error) {
	err = s.store.Write(ctx, scope.Agent, func(tx memory.Tx) (err error) {
		result, err = s.forgetIn(tx, scope, ForgetRequest{IDs: ids, Reason: reason}, ids, true)
		return err
	})
	return result, err
}

// scrubPatience is how long an erasure waits until the database's files are scrubbed of what was
// erased; scrubbing goes on in the background.
const scrubPatience = time.Second

// scrubbed scrubs the database's files, and reports whether that was done within scrubPatience.
func (s *Service) scrubbed(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, scrubPatience)
	defer cancel()
	err := s.store.Scrub(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "scrub the database", "error", err)
	}
	return err == nil
}

func (f ForgetRequest) check() error {
	named := 0
	for _, given := range []bool{len(f.IDs) > 0, f.Query != "", f.LinkID != "", f.Session != "", f.Undo != ""} {
		if given {
			named++
		}
	}
	switch {
	case named == 0 && f.Project == nil:
		return memory.Errorf(memory.CodeInvalidArgument, "nothing to forget is named").WithAdvice(memory.Advice{
			Tool:    "give ids, query, link_id, session, project or undo",
			Command: "give IDs, or --query, --session, --project, --link-id or --undo"})
	case f.wholesale() && strings.TrimSpace(*f.Project) == "":
		return memory.Errorf(memory.CodeInvalidArgument, "project is empty, which names nothing").
			WithHint("name the project; global memories are forgotten by ids or query")
	case named > 1:
		return memory.Errorf(memory.CodeInvalidArgument, "ids, query, link_id, session and undo exclude each other").
			WithHint("give one of them")
	case len(f.IDs) > memory.MaxIDs:
		return memory.Errorf(memory.CodeInvalidArgument, "ids has %d entries", len(f.IDs)).WithHint("at most %d", memory.MaxIDs)
	case f.Undo != "" && (f.DryRun || f.Permanent):
		return memory.Errorf(memory.CodeInvalidArgument, "undo goes with neither dry_run nor permanent").WithHint("leave them out")
	case f.Session != "" && !f.Permanent && !f.DryRun:
		return memory.Errorf(memory.CodeInvalidArgument, "a conversation can only be erased for good").
			WithHint("set permanent and confirm to true; its memories are forgotten by themselves")
	case f.Permanent && !f.Confirm && !f.DryRun:
		return memory.Errorf(memory.CodeInvalidArgument, "permanent erases for good and needs confirm").
			WithHint("set confirm to true, or leave permanent out")
	case f.wholesale() && strings.TrimSpace(*f.Project) == memory.AllProjects:
		return memory.Errorf(memory.CodeInvalidArgument, "project is %q, which names none", memory.AllProjects).
			WithHint("name one project; a whole bank goes with mcp-memory agent erase")
	}
	if err := memory.CheckText("reason", f.Reason, memory.MaxContentBytes); err != nil {
		return err
	}
	return memory.CheckText("query", f.Query, memory.MaxQueryBytes)
}

// pageOfLinked is how many records of a link are read at a time.
const pageOfLinked = 500

// linked returns the records that came by a link, also those that were
// corrected since; see forgetIn for what of them is forgotten.
func (s *Service) linked(ctx context.Context, agent string, f ForgetRequest) ([]string, error) {
	if _, err := s.store.LinkOf(ctx, agent, f.LinkID); err != nil {
		return nil, err
	}
	filter := memory.Filter{Agent: agent, Link: f.LinkID, IncludeSuperseded: true, IncludeArchived: f.Permanent}
	if f.Project != nil && *f.Project != memory.AllProjects {
		filter.Projects = []string{*f.Project}
	}
	seqs, err := s.store.Select(ctx, memory.Memories, filter)
	if err != nil {
		return nil, err
	}
	var ids []string
	for page := range slices.Chunk(seqs, pageOfLinked) {
		documents, err := s.store.Documents(ctx, memory.Memories, filter, page)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(documents, func(a, b memory.Document) int { return cmp.Compare(a.Seq, b.Seq) })
		for _, d := range documents {
			ids = append(ids, d.ID)
		}
	}
	return ids, nil
}

// containsAll reports whether a content has all wanted stems.
func containsAll(content string, wanted map[string]bool) bool {
	if len(wanted) == 0 {
		return true
	}
	left := len(wanted)
	for stem := range stemSet(content) {
		if wanted[stem] {
			left--
		}
	}
	return left == 0
}

// forgetIn archives the records with these ids or, in a dry run, only says what that would do.
// byHand lets it archive soul entries, as a person took them out of a file.
func (s *Service) forgetIn(tx memory.Tx, scope memory.Scope, f ForgetRequest, ids []string, byHand bool) (ForgetResult, error) {
	result := ForgetResult{IDs: []string{}}
	now := s.clock()
	records, err := s.chosen(tx, f, ids, byHand, map[string]bool{}, &result)
	if err != nil {
		return ForgetResult{}, err
	}
	for _, r := range records {
		result.IDs = append(result.IDs, r.ID)
	}
	again := revival{tx: tx, forgets: setOf(result.IDs), erases: f.Permanent, only: f.DryRun}
	if err := s.checkWholesale(f, scope, result.IDs, now); err != nil {
		return ForgetResult{}, err
	}
	if result.Later, err = later(tx, records, again.forgets, nil); err != nil {
		return ForgetResult{}, err
	}
	if err := again.revive(records); err != nil {
		return ForgetResult{}, err
	}
	result.Revived, result.Earlier = again.revived, again.replaced
	for _, r := range records {
		if f.DryRun {
			break
		}
		r.ArchivedAt, r.ArchiveWhy = now, f.Reason
		if err := tx.UpdateRecord(r); err != nil {
			return result, err
		}
	}
	if result, err = result.counted(f); err != nil || result.Forgotten == 0 || f.DryRun {
		return result, err
	}
	result.UndoID = s.ids.New()
	data, err := again.data()
	if err != nil {
		return ForgetResult{}, err
	}
	return result, tx.KeepUndo(memory.Undo{ID: result.UndoID, Action: actForget, Records: result.IDs, Data: data, At: now})
}

// counted returns the result with Forgotten set to the number of its ids; [memory.CodeNotFound]
// if ids were asked for and none was found.
func (r ForgetResult) counted(f ForgetRequest) (ForgetResult, error) {
	if r.Forgotten = len(r.IDs); r.Forgotten == 0 && len(f.IDs) > 0 {
		return ForgetResult{}, memory.Errorf(memory.CodeNotFound, "none of the ids is there").WithAdvice(memory.FindRecords)
	}
	return r, nil
}

// chosen returns the records that are to be forgotten. It notes ids that are not there in the
// result, and in seen all ids that it has looked at. With Permanent the earlier versions of a
// record go too, because no id would lead to them any more; but not a record that this one
// superseded on its own, which is a memory by itself.
func (s *Service) chosen(tx memory.Tx, f ForgetRequest, ids []string, byHand bool, seen map[string]bool,
	result *ForgetResult) ([]memory.Record, error) {
	var records []memory.Record
	for _, id := range ids {
		for earlier := false; id != "" && !seen[id]; earlier = true {
			seen[id] = true
			r, err := tx.Record(id)
			if err != nil && memory.CodeOf(err) != memory.CodeNotFound {
				return nil, err
			}
			if err != nil || !f.covers(r) || !f.Permanent && !r.ArchivedAt.IsZero() {
				if !earlier {
					result.Missing = append(result.Missing, id) // not there, elsewhere, or forgotten already
				}
				break
			}
			if r.Kind == memory.KindSoul && f.LinkID == "" && !byHand { // what came by a link is another's soul
				if len(f.IDs) > 0 && !earlier {
					return nil, errSoul(id)
				}
				break
			}
			records = append(records, r)
			if id = ""; f.Permanent && r.Supersedes != "" {
				own, err := onItsOwn(tx, r)
				if err != nil {
					return nil, err
				}
				if !own {
					id = r.Supersedes
				}
			}
		}
	}
	return records, nil
}

// errSoul refuses to set a soul entry aside in passing.
func errSoul(id string) error {
	return memory.Errorf(memory.CodeForbidden, "record %s is a soul entry", id).
		WithAdvice(memory.Advice{Tool: "soul_remove removes it, with a reason",
			Command: "`mcp-memory soul remove` removes it, with a reason"})
}

// covers reports whether the record lies where the request looks.
func (f ForgetRequest) covers(r memory.Record) bool {
	return f.Project == nil || *f.Project == memory.AllProjects || *f.Project == r.Project
}

// undo takes back what is kept under an id: it brings back what a forgetting archived or what a
// save superseded, except what was erased since, and it takes back a merge of projects or an
// [Import].
func (s *Service) undo(ctx context.Context, scope memory.Scope, id string) (ForgetResult, error) {
	var result ForgetResult
	imported := false
	err := s.store.Write(ctx, scope.Agent, func(tx memory.Tx) error {
		result = ForgetResult{IDs: []string{}}
		u, err := tx.Undo(id)
		if err != nil {
			return err
		}
		if imported = u.Action == actImport; imported {
			return nil // which goes in steps of its own
		}
		undo, ok := undos[part(u)]
		if !ok {
			return memory.Errorf(memory.CodeNotFound, "there is no forgetting to undo under %q", id).
				WithHint("what %s did is undone by %s", u.Action, u.Action)
		}
		u.UndoneAt = s.clock()
		take := func(tx memory.Tx) error {
			if err := tx.MarkUndone(id, u.UndoneAt); err != nil {
				return err
			}
			return undo(tx, u, &result)
		}
		if u.Action == actMerge || u.Action == actTogether { // which change more than records
			return take(tx)
		}
		return s.redoable(tx, id, take)
	})
	if err == nil && imported {
		return s.undoImport(ctx, scope.Agent, id)
	}
	return result, err
}

// undos are functions that take back, in one transaction, what an action did. The undo is marked
// as done before.
var undos = map[string]func(memory.Tx, memory.Undo, *ForgetResult) error{
	actForget: unforget, memory.ActionSupersede: unsupersede, actCorrect: unsupersede, actTogether: undoTogether, actMerge: unmerge,
}

// unforget brings back what was archived. Records that the forgetting made live again (see
// revival) are superseded by it once more.
func unforget(tx memory.Tx, u memory.Undo, result *ForgetResult) error {
	all, err := readMoved(u)
	if err != nil {
		return err
	}
	for _, id := range u.Records {
		r, err := tx.Record(id)
		if memory.CodeOf(err) == memory.CodeNotFound {
			result.Missing = append(result.Missing, id)
			continue
		}
		if err != nil {
			return err
		}
		r.ArchivedAt, r.ArchiveWhy = time.Time{}, ""
		if err := tx.UpdateRecord(r); err != nil {
			return err
		}
		result.IDs = append(result.IDs, id)
	}
	return restore(tx, u.ID, all, &ForgetResult{})
}

// unsupersede gives records that were superseded their places back.
func unsupersede(tx memory.Tx, u memory.Undo, result *ForgetResult) error {
	all, err := readMoved(u)
	if err != nil {
		return err
	}
	return restore(tx, u.ID, all, result)
}

func distinct(ids []string) []string {
	var list []string
	for _, id := range ids {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}
