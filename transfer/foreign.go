package transfer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer/foreign"
)

// ForeignOptions are the options of [ImportForeign].
type ForeignOptions struct {
	Scope memory.Scope // its project is used for items without one
	// Project returns the project of an item. Nil means the name that the item has.
	Project func(ctx context.Context, item foreign.Item) (string, error)
	Since   time.Time // leaves out items that are known to be older; zero takes all
	Revive  bool      // see [Options.Revive]
	DryRun  bool      // report what an import would do, and change nothing
	// Progress is called with the number of items that are done. It may be nil.
	Progress func(items int64)
	// Started is called once with the undo id, as soon as something was written and more will be.
	// It may be called by another goroutine. It may be nil.
	Started func(undoID string)
	// Learner extracts facts from conversations. If it is nil, conversations are only stored.
	Learner Learner
}

// Learner extracts what is worth remembering from the turns of a conversation.
// [mcp-memory/contextwindow.Service] implements it.
type Learner interface {
	// Classify sets the classes of turns, which Learn needs.
	Classify(turns []memory.Turn)
	// Learn returns what is worth saving of turns, in order: facts, and others, which are learnings
	// and episodes.
	Learn(ctx context.Context, scope memory.Scope, session string, turns []memory.Turn) (facts, others []remember.SaveRequest, err error)
}

// ForeignReport counts what an import of another program's data did, or would do.
type ForeignReport struct {
	Report
	Programs []string         `json:"programs"`
	DryRun   bool             `json:"dry_run,omitempty"`
	Items    int64            `json:"items"`    // items that were read
	LeftOut  int              `json:"left_out"` // left out by a filter or because of Since; Why has the reasons
	Refused  int              `json:"refused"`  // could not be read or stored; Bad has the first of them
	Why      map[string]int   `json:"why,omitempty"`
	Projects []ForeignProject `json:"projects"`
}

// ForeignProject counts the items of one project.
type ForeignProject struct {
	Project   string   `json:"project"` // "" for items of no project
	New       int      `json:"new"`
	Changed   int      `json:"changed"`   // new versions of what an earlier import brought
	There     int      `json:"there"`     // in the bank already
	Forgotten int      `json:"forgotten"` // forgotten since an earlier import; they stay so
	LeftOut   int      `json:"left_out"`
	Refused   int      `json:"refused"`
	Messages  int      `json:"messages"` // how many of New are messages; the others are memories
	Examples  []string `json:"examples"` // beginnings of the first new ones
}

// foreignExamples is how many new memories of a project a report quotes, and exampleRunes how many
// characters of each.
const (
	foreignExamples = 5
	exampleRunes    = 140
)

// Stream reads all items of a foreign program and passes them to emit.
type Stream func(ctx context.Context, emit foreign.Emit) error

// ImportForeign imports another program's data. It obeys the same rules as [Import]: what the bank
// has is left alone, and what was forgotten stays so unless Revive is set. A known key with another
// content is a new version. Items that cannot be stored are counted, and the import goes on.
// Report.UndoID undoes all of it, also what was written before an error. With DryRun nothing is
// changed.
//
// Errors: those of read, [memory.CodeInvalidArgument] for a bad scope, [memory.CodeUnavailable] if
// it was cancelled or the database failed.
func ImportForeign(ctx context.Context, deps Deps, read Stream, o ForeignOptions) (ForeignReport, error) {
	r := &foreignRun{deps: deps, o: o, pending: map[string]*foreignBatch{}, projects: map[string]*ForeignProject{},
		seen: map[[16]byte]bool{}, erased: newErasures(deps.Store, o.Scope.Agent, o.Revive)}
	r.report = ForeignReport{DryRun: o.DryRun, Report: Report{Format: Foreign}, Programs: []string{}, Why: map[string]int{},
		Projects: []ForeignProject{}}
	if err := cmp.Or(memory.CheckAgent(o.Scope.Agent), o.Scope.CheckWritable()); err != nil {
		return r.report, err
	}
	r.undo = deps.Service.NewImport(o.Scope.Agent)
	err := read(ctx, func(item foreign.Item) error { return r.take(ctx, item) })
	// Items that were read before an error are complete, and are stored.
	flushed, failed := r.flush(context.WithoutCancel(ctx), true), r.talks.end()
	r.settle()
	if errors.Is(err, errBehind) {
		err = nil // failed has the cause
	}
	err = cmp.Or(err, failed, flushed)
	r.report.UndoID = r.undo.UndoID()
	for _, name := range slices.Sorted(maps.Keys(r.projects)) {
		r.report.Projects = append(r.report.Projects, *r.projects[name])
	}
	r.report.Read = r.report.Created + r.report.Updated + r.report.Revived + r.report.Forgotten + r.report.Duplicates
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = errCancelled(err)
	}
	return r.report, err
}

// foreignRun is the state of one import.
type foreignRun struct {
	deps     Deps
	o        ForeignOptions
	undo     *remember.Import
	report   ForeignReport
	projects map[string]*ForeignProject
	pending  map[string]*foreignBatch // by project
	waiting  int                      // number of items in pending
	bytes    int
	started  atomic.Bool
	ending   atomic.Bool       // everything was read and handed over for storing
	seen     map[[16]byte]bool // only in a dry run: hashes of what an import would have stored so far
	talks    talks
	erased   *erasures
}

// foreignBatch are items of one project that are to be stored together.
type foreignBatch struct {
	memories *remember.Batch
	items    []foreign.Item // the items of memories, in the same order
	turns    []memory.Turn
}

func (r *foreignRun) take(ctx context.Context, item foreign.Item) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.report.Items++
	if item.Program != "" && !slices.Contains(r.report.Programs, item.Program) {
		r.report.Programs = append(r.report.Programs, item.Program)
	}
	if item.Bad != nil {
		r.refuse(r.project(r.o.Scope.Project), item.Bad.Place, item.Bad.Reason)
		return nil
	}
	name, err := r.nameOf(ctx, item)
	if err != nil {
		return err
	}
	p := r.project(name)
	if item.Skip == "" && !r.o.Since.IsZero() && !item.At.IsZero() && item.At.Before(r.o.Since) {
		item.Skip = "older than wanted"
	}
	if item.Skip != "" {
		r.report.LeftOut++
		r.report.Why[item.Skip]++
		p.LeftOut++
		return nil
	}
	if item.Talk != nil {
		return r.converse(ctx, name, item)
	}
	b := r.pending[name]
	if b == nil {
		b = &foreignBatch{memories: r.deps.Service.NewBatch(r.scope(name))}
		r.pending[name] = b
	}
	if err := r.put(b, name, item); err != nil {
		r.refuse(p, item.Key, reasonOf(err))
		return nil
	}
	r.waiting++
	r.bytes += len(item.Content)
	if r.waiting >= memory.MaxBatch || r.bytes >= maxBatchBytes {
		return r.flush(ctx, false)
	}
	return nil
}

func (r *foreignRun) scope(project string) memory.Scope {
	scope := r.o.Scope
	scope.Project = project
	return scope
}

func (r *foreignRun) nameOf(ctx context.Context, item foreign.Item) (string, error) {
	name := item.Project
	if r.o.Project != nil {
		var err error
		if name, err = r.o.Project(ctx, item); err != nil {
			return "", err
		}
	}
	return cmp.Or(name, r.o.Scope.Project), nil
}

func (r *foreignRun) project(name string) *ForeignProject {
	p := r.projects[name]
	if p == nil {
		p = &ForeignProject{Project: name, Examples: []string{}}
		r.projects[name] = p
	}
	return p
}

// refuse counts an item that cannot be read or stored.
func (r *foreignRun) refuse(p *ForeignProject, place, reason string) {
	r.report.Refused++
	p.Refused++
	if len(r.report.Bad) < reportedBadLines {
		r.report.Bad = append(r.report.Bad, BadLine{File: place, Reason: reason})
	}
}

func reasonOf(err error) string {
	var known *memory.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return err.Error()
}

// put checks an item and adds it to a batch.
func (r *foreignRun) put(b *foreignBatch, project string, item foreign.Item) error {
	if err := memory.CheckText("key", item.Key, memory.MaxNameBytes); err != nil {
		return err
	}
	if m := item.Turn; m != nil {
		now := r.deps.Clock.Now()
		t := memory.Turn{
			ID: r.deps.IDs.New(), Agent: r.o.Scope.Agent, Project: project,
			Session: m.Session, Role: m.Role, Speaker: cmp.Or(m.Speaker, string(m.Role)),
			Content: item.Content, ExternalID: item.Key, SaidAt: item.At, CreatedAt: now,
		}
		if t.SaidAt.IsZero() {
			t.SaidAt = now
		}
		t = t.Tidied()
		err := t.Validate()
		if err == nil {
			b.turns = append(b.turns, t)
		}
		return err
	}
	request, err := r.request(item)
	if err == nil {
		err = b.memories.Add(request)
	}
	if err == nil {
		b.items = append(b.items, item)
	}
	return err
}

// request returns the request that saves an item as a memory.
func (r *foreignRun) request(item foreign.Item) (remember.SaveRequest, error) {
	origin := map[string]any{"import": item.Program, "key": item.Key}
	if item.Project != "" {
		origin["project"] = item.Project
	}
	maps.Copy(origin, item.Origin)
	provenance, err := json.Marshal(origin)
	if err != nil {
		return remember.SaveRequest{}, err
	}
	s := remember.SaveRequest{
		Content: item.Content, Kind: item.Kind, Category: item.Category, Tags: item.Tags, Source: memory.SourceImport, ExternalID: item.Key,
		Provenance: provenance, OccurredAt: item.At, ValidFrom: item.ValidFrom, ValidUntil: item.ValidUntil, Pinned: item.Pinned,
		KindDetails: item.KindDetails, Follows: item.Follows, Quiet: true, Again: true, Revive: r.o.Revive,
	}
	if item.Importance > 0 {
		s.Importance = &item.Importance
	}
	if s.Episode == nil && (s.Kind == memory.KindLongTerm || s.Kind == memory.KindEpisode) {
		s.Episode = &memory.EpisodeDetails{}
	}
	if item.Review {
		s.Metadata = json.RawMessage(`{"review":"imported, and not looked at"}`)
	}
	return s, nil
}

// flush stores all pending items, project by project. last says that nothing follows.
func (r *foreignRun) flush(ctx context.Context, last bool) error {
	err := r.keepGroup(ctx)
	r.ending.Store(last)
	if err := cmp.Or(err, r.talks.idle()); err != nil {
		return err
	}
	r.settle()
	for _, name := range slices.Sorted(maps.Keys(r.pending)) {
		b := r.pending[name]
		delete(r.pending, name)
		save, say := r.saveMemories, r.saveTurns
		if r.o.DryRun {
			save, say = r.foreseeMemories, r.foreseeTurns
		}
		p := r.project(name)
		if len(b.items) > 0 {
			if err := save(ctx, p, b); err != nil {
				return err
			}
		}
		if len(b.turns) > 0 {
			if err := say(ctx, p, b.turns); err != nil {
				return err
			}
		}
		r.durable(r.undo.UndoID(), len(r.pending) > 0)
	}
	r.waiting, r.bytes = 0, 0
	if r.o.Progress != nil {
		r.o.Progress(r.report.Items)
	}
	return nil
}

// durable calls Started with the undo id, once, if there is something to undo and more will be
// stored.
func (r *foreignRun) durable(id string, more bool) {
	if id != "" && (more || !r.ending.Load()) && r.o.Started != nil && r.started.CompareAndSwap(false, true) {
		r.o.Started(id)
	}
}

// saveMemories stores the memories of a batch. Those that the bank refuses are counted and left
// out.
func (r *foreignRun) saveMemories(ctx context.Context, p *ForeignProject, b *foreignBatch) error {
	b.memories.Embed(ctx)
	results, err := r.keep(ctx, b.memories, func(i int, err error) {
		r.refuse(p, b.items[i].Key, reasonOf(err))
		b.items = slices.Delete(b.items, i, i+1)
	})
	if err != nil {
		return err
	}
	done := savedFacts(results)
	r.report.add(done)
	for i, result := range results {
		p.count(result.Action, b.items[i])
	}
	return nil
}

// keep saves a batch. It calls refused for each memory that the bank refuses, takes it out of the
// batch and tries again.
func (r *foreignRun) keep(ctx context.Context, batch *remember.Batch, refused func(index int, err error)) ([]remember.SaveResult, error) {
	for batch.Len() > 0 {
		results, err := r.undo.Save(ctx, batch)
		var of *remember.BatchError
		if errors.As(err, &of) && memory.CodeOf(of.Err) != memory.CodeUnavailable && memory.CodeOf(of.Err) != memory.CodeInternal {
			refused(of.Index, of.Err)
			batch.Remove(of.Index)
			continue
		}
		return results, err
	}
	return nil, nil
}

// count counts the result for an item.
func (p *ForeignProject) count(action remember.Action, item foreign.Item) {
	switch action {
	case remember.Created:
		p.New++
		if len(p.Examples) < foreignExamples {
			p.Examples = append(p.Examples, memory.OneLine(item.Content, exampleRunes))
		}
	case remember.Superseded:
		p.Changed++
	case remember.Revived:
		p.New++
	case remember.Forgotten:
		p.Forgotten++
	default:
		p.There++
	}
}

// foreseeMemories counts what saveMemories would do. In a dry run the bank does not get the items,
// so repetitions within the data are found by the hashes in seen.
func (r *foreignRun) foreseeMemories(ctx context.Context, p *ForeignProject, b *foreignBatch) error {
	results, err := b.memories.Foresee(ctx)
	if err != nil {
		return err
	}
	for i, result := range results {
		item := b.items[i]
		said := hash(p.Project, string(item.Kind), memory.SameContent(item.Content))
		named := hash("key", item.Key)
		if result.Action == remember.Created {
			switch {
			case r.seen[said]:
				result.Action = remember.Duplicate
			case r.seen[named]:
				result.Action = remember.Superseded
			}
		}
		r.seen[said], r.seen[named] = true, true
		p.count(result.Action, item)
		r.report.add(savedFacts([]remember.SaveResult{result}))
	}
	return nil
}

func hash(parts ...string) [16]byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return [16]byte(sum[:16])
}

// saveTurns stores messages with what is needed to undo that.
func (r *foreignRun) saveTurns(ctx context.Context, p *ForeignProject, turns []memory.Turn) error {
	turns, gone, err := r.erased.left(ctx, turns)
	if err != nil {
		return err
	}
	p.Forgotten += gone
	r.report.add(Report{Forgotten: gone})
	if len(turns) == 0 {
		return nil
	}
	count, err := r.storeTurns(ctx, p.Project, turns, embedLocal(ctx, r.deps, turnTexts(turns)))
	if err == nil {
		r.countTurns(p, count, len(turns))
	}
	return err
}

// storeTurns stores messages with their vectors and returns how many are new. With nil vectors they
// are queued for embedding.
func (r *foreignRun) storeTurns(ctx context.Context, project string, turns []memory.Turn, vectors [][]float32) (count int, err error) {
	var stored func()
	err = r.deps.Store.Write(ctx, r.o.Scope.Agent, func(tx memory.Tx) error {
		fresh, err := newTurns(tx, turns)
		if err != nil {
			return err
		}
		if stored, err = r.undo.Keep(tx, fresh); err != nil {
			return err
		}
		if count, err = tx.InsertTurns(turns, vectors); err != nil || r.deps.Met == nil {
			return err
		}
		people := slices.DeleteFunc(fresh, func(t memory.Turn) bool { return t.Person() == "" })
		if len(people) == 0 {
			return nil
		}
		return r.deps.Met(ctx, tx, r.scope(project), people)
	})
	if err != nil {
		return 0, err
	}
	stored()
	if vectors == nil && count > 0 {
		r.deps.Queued()
	}
	return count, nil
}

func (r *foreignRun) countTurns(p *ForeignProject, stored, all int) {
	r.report.add(Report{Created: stored, Turns: stored, Duplicates: all - stored})
	p.New += stored
	p.Messages += stored
	p.There += all - stored
}

// foreseeTurns counts what saveTurns would do.
func (r *foreignRun) foreseeTurns(ctx context.Context, p *ForeignProject, turns []memory.Turn) error {
	var fresh []memory.Turn
	err := r.deps.Store.Write(ctx, r.o.Scope.Agent, func(tx memory.Tx) (err error) {
		fresh, err = newTurns(tx, turns)
		return err
	})
	count := 0
	for _, t := range fresh {
		if key := hash("turn", t.Session, t.ExternalID); !r.seen[key] {
			r.seen[key] = true
			count++
			if len(p.Examples) < foreignExamples {
				p.Examples = append(p.Examples, memory.OneLine(t.Speaker+": "+t.Content, exampleRunes))
			}
		}
	}
	r.countTurns(p, count, len(turns))
	return err
}
