package transfer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer/foreign"
)

// errBehind says that a job was not taken because an earlier one failed.
var errBehind = errors.New("an earlier piece was not kept")

// talks stores pieces of conversations in a goroutine of its own: one group is read and searched
// for facts while the one before it is written.
type talks struct {
	session session         // session of the last piece
	met     map[string]bool // sessions seen so far; some of their turns may not be stored yet
	group   *talkGroup      // the group being collected; nil if it is empty

	jobs    chan func() error
	running sync.WaitGroup // waits for the goroutine
	waiting sync.WaitGroup // waits for all jobs

	mu      sync.Mutex
	failed  error
	settled []func() // counting that is due, of jobs that are done
}

// session is what the bank has of a conversation, or will have once pending jobs are done.
type session struct {
	name  string
	turns int // number of turns, including pending ones
	known map[string]bool
}

// talkGroup are pieces of one project that are stored together, because each transaction has the
// cost of updating word counts and syncing the file.
type talkGroup struct {
	project string
	batch   *remember.Batch
	found   []finding // the memories of batch, in its order
	turns   []memory.Turn
	bytes   int
	there   int // turns of the pieces that the bank has already
	actions []memory.Action
}

// A group is stored once it has that many turns or bytes, or [memory.MaxBatch] memories.
const (
	groupTurns = 1000
	groupBytes = 4 << 20
)

func (g *talkGroup) full() bool {
	return len(g.turns) >= groupTurns || g.bytes >= groupBytes || g.batch.Len() >= memory.MaxBatch
}

// add runs a job in the goroutine, after the jobs before it. After a job has failed it returns
// errBehind.
func (t *talks) add(job func() error) error {
	if t.jobs == nil {
		t.jobs = make(chan func() error, 1)
		t.running.Go(func() {
			for job := range t.jobs {
				if t.error() == nil {
					if err := job(); err != nil {
						t.mu.Lock()
						t.failed = err
						t.mu.Unlock()
					}
				}
				t.waiting.Done()
			}
		})
	}
	if t.error() != nil {
		return errBehind
	}
	t.waiting.Add(1)
	t.jobs <- job
	return nil
}

func (t *talks) error() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// idle waits until all jobs are done, and returns the error of the first that failed.
func (t *talks) idle() error {
	t.waiting.Wait()
	return t.error()
}

// end is idle, and ends the goroutine.
func (t *talks) end() error {
	if t.jobs != nil {
		close(t.jobs)
		t.running.Wait()
	}
	return t.error()
}

// count has fn called by the reading goroutine, see settle. Reports are only changed there.
func (t *talks) count(fn func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settled = append(t.settled, fn)
}

// settle runs the counting of jobs that are done.
func (r *foreignRun) settle() {
	r.talks.mu.Lock()
	done := r.talks.settled
	r.talks.settled = nil
	r.talks.mu.Unlock()
	for _, count := range done {
		count()
	}
}

// converse adds a piece of a conversation, and the facts found in it, to the current group.
// Memories are stored before turns: if the process ends in between, the next import takes the turns
// for new, and recognises the memories.
func (r *foreignRun) converse(ctx context.Context, name string, item foreign.Item) error {
	r.settle()
	p := r.project(name)
	turns := r.checked(p, name, item)
	turns, gone, err := r.erased.left(ctx, turns)
	if err != nil {
		return err
	}
	p.Forgotten += gone
	r.report.add(Report{Forgotten: gone})
	actions, err := r.erased.done(ctx, item.Talk.Session, item.Talk.Actions)
	if err != nil {
		return err
	}
	fresh, err := r.unknown(ctx, item.Talk.Session, turns)
	if err != nil {
		return err
	}
	if r.o.Progress != nil {
		defer r.o.Progress(r.report.Items)
	}
	there := len(turns) - len(fresh)
	if len(fresh) == 0 {
		r.countTurns(p, 0, there)
		return r.acted(ctx, name, actions)
	}
	facts, others, err := r.learned(ctx, name, item, turns, fresh)
	if err != nil {
		return err
	}
	if r.o.DryRun {
		return r.foreseeTalk(ctx, p, facts, others, len(fresh), there)
	}
	if g := r.talks.group; g != nil && g.project != name {
		if err := r.keepGroup(ctx); err != nil {
			return err
		}
	}
	if r.talks.group == nil {
		r.talks.group = &talkGroup{project: name, batch: r.deps.Service.NewBatch(r.scope(name))}
	}
	g := r.talks.group
	g.found = append(g.found, r.fill(g.batch, facts, others)...)
	g.turns, g.there = append(g.turns, fresh...), g.there+there
	g.actions = append(g.actions, actions...)
	for _, t := range fresh {
		g.bytes += len(t.Content)
	}
	if !g.full() {
		return nil
	}
	return r.keepGroup(ctx)
}

// keepGroup hands the current group over for storing, if there is one.
func (r *foreignRun) keepGroup(ctx context.Context) error {
	g := r.talks.group
	if g == nil {
		return nil
	}
	r.talks.group = nil
	p := r.project(g.project)
	vectors := embedLocal(ctx, r.deps, turnTexts(g.turns))
	g.batch.Embed(ctx)
	return r.talks.add(func() error {
		results, err := r.keep(ctx, g.batch, func(i int, _ error) { g.found = slices.Delete(g.found, i, i+1) })
		if err != nil {
			return err
		}
		stored, err := r.storeTurns(ctx, g.project, g.turns, vectors)
		if err != nil {
			return err
		}
		if err := r.acted(ctx, g.project, g.actions); err != nil {
			return err
		}
		r.durable(r.undo.UndoID(), len(r.talks.jobs) > 0)
		r.talks.count(func() {
			r.countLearned(p, results, g.found)
			r.countTurns(p, stored, g.there+len(g.turns)-stored)
		})
		return nil
	})
}

// acted stores the actions of conversations of a project.
func (r *foreignRun) acted(ctx context.Context, project string, actions []memory.Action) error {
	if r.deps.Acted == nil || r.o.DryRun {
		return nil
	}
	_, err := r.deps.Acted(ctx, r.scope(project), actions)
	return err
}

// checked returns the turns of an item as they are to be stored. Turns that are not valid are
// refused.
func (r *foreignRun) checked(p *ForeignProject, project string, item foreign.Item) []memory.Turn {
	now := r.deps.Clock.Now()
	turns := make([]memory.Turn, 0, len(item.Talk.Turns))
	for _, t := range item.Talk.Turns {
		t.Agent, t.Project, t.Session, t.CreatedAt = r.o.Scope.Agent, project, item.Talk.Session, now
		if t.SaidAt.IsZero() {
			t.SaidAt = item.At
		}
		if t.SaidAt.IsZero() {
			t.SaidAt = now
		}
		if t.Details == nil {
			t.Details = &memory.TurnDetails{}
		}
		t.ID = memory.NamedID(t.SaidAt, t.Session, t.ExternalID)
		if t = t.Tidied(); t.Speaker == "" {
			t.Speaker = string(t.Role)
		}
		if err := t.Validate(); err != nil {
			r.refuse(p, cmp.Or(t.ExternalID, item.Key), reasonOf(err))
			continue
		}
		turns = append(turns, t)
	}
	return turns
}

// unknown returns the turns that the session does not have and that are not pending, with their
// indexes.
func (r *foreignRun) unknown(ctx context.Context, name string, turns []memory.Turn) (fresh []memory.Turn, err error) {
	s := &r.talks.session
	if s.name != name || s.known == nil {
		if r.talks.met[name] {
			if err := cmp.Or(r.keepGroup(ctx), r.talks.idle()); err != nil {
				return nil, err
			}
		}
		if r.talks.met == nil {
			r.talks.met = map[string]bool{}
		}
		r.talks.met[name] = true
		*s = session{name: name, known: map[string]bool{}}
		stored, err := r.deps.Store.Turns(ctx, r.o.Scope.Agent, name, 0, 0)
		if err != nil {
			return nil, err
		}
		for _, t := range stored {
			s.known[t.ExternalID] = true
			s.turns = max(s.turns, t.Index+1)
		}
	}
	for _, t := range turns {
		if s.known[t.ExternalID] {
			continue
		}
		s.known[t.ExternalID] = true
		t.Index = s.turns
		s.turns++
		fresh = append(fresh, t)
	}
	return fresh, nil
}

// learned extracts memories from the new turns of a piece.
func (r *foreignRun) learned(ctx context.Context, project string, item foreign.Item, turns, fresh []memory.Turn) (facts,
	others []remember.SaveRequest, err error) {
	if r.o.Learner == nil || !item.Talk.Learn {
		return nil, nil, nil
	}
	r.o.Learner.Classify(turns) // fresh shares the details
	return r.o.Learner.Learn(ctx, r.scope(project), item.Talk.Session, fresh)
}

// finding is a memory extracted from a piece.
type finding struct {
	content string
	fact    bool // a fact; else a learning or an episode
}

// fill adds the extracted memories to a batch and returns those that it accepts.
func (r *foreignRun) fill(batch *remember.Batch, facts, others []remember.SaveRequest) (found []finding) {
	for i, request := range slices.Concat(facts, others) {
		request.Revive = r.o.Revive
		if batch.Add(request) == nil {
			found = append(found, finding{request.Content, i < len(facts)})
		}
	}
	return found
}

// countLearned counts extracted memories. Only facts are quoted as examples.
func (r *foreignRun) countLearned(p *ForeignProject, results []remember.SaveResult, found []finding) {
	done := savedFacts(results)
	r.report.add(done)
	for i, result := range results {
		quoted := p.Examples
		p.count(result.Action, foreign.Item{Content: found[i].content})
		if !found[i].fact {
			p.Examples = quoted
		}
	}
}

// foreseeTalk counts what storing a piece would do.
func (r *foreignRun) foreseeTalk(ctx context.Context, p *ForeignProject, facts, others []remember.SaveRequest, fresh, there int) error {
	batch := r.deps.Service.NewBatch(r.scope(p.Project))
	found := r.fill(batch, facts, others)
	results, err := batch.Foresee(ctx)
	if err != nil {
		return err
	}
	for i := range results {
		said := hash(p.Project, memory.SameContent(found[i].content))
		if results[i].Action == remember.Created && r.seen[said] {
			results[i].Action = remember.Duplicate
		}
		r.seen[said] = true
	}
	r.countLearned(p, results, found)
	r.countTurns(p, fresh, there)
	return nil
}
