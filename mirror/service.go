package mirror

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/remember"
	"mcp-memory/text/secrets"
	"mcp-memory/text/slots"
	"mcp-memory/text/worth"
	"mcp-memory/workspace"
)

// Files is the workspace of an agent; see [workspace.Dir], which is one.
type Files interface {
	// Path is the directory, "" if there is none to watch.
	Path() string
	// Exists reports whether there are any.
	Exists(ctx context.Context) bool
	// Touched returns those of some files that may have changed since this process saw to them.
	Touched(ctx context.Context, names ...string) []string
	// Calm waits a moment if somebody seems to be in the middle of writing a file.
	Calm(ctx context.Context, name string)
	// Lefts returns how each file was left by the last pass over it, of whichever process, by
	// name.
	Lefts(ctx context.Context) map[string]workspace.Left
	// LastLefts is Lefts as this process read it last, which may be out of date.
	LastLefts(ctx context.Context) map[string]workspace.Left
	// Read returns a file.
	Read(ctx context.Context, name string) (string, error)
	// Standing tells what stands in a file, and changes nothing.
	Standing(ctx context.Context, name string) (workspace.Standing, error)
	// Conflicts names the files that keep what could not be merged.
	Conflicts(ctx context.Context) ([]string, error)
	// Ensure makes the files that are missing.
	Ensure(ctx context.Context) error
	// Reconcile makes a file say what decide wants, which is told what a person changed.
	Reconcile(ctx context.Context, name string, now time.Time, decide func(workspace.Edits) (workspace.Settlement, error)) error
}

// Store is what this package reads of a database; it writes through packages remember
// and planning.
type Store interface {
	memory.Reader
	memory.Catalog
	memory.Mirror
	// Documents is that of [memory.Searcher].
	Documents(ctx context.Context, corpus memory.Corpus, f memory.Filter, seqs []int64) ([]memory.Document, error)
}

// Options are what a [Service] is made of. All fields are needed.
type Options struct {
	Store      Store
	Remember   *remember.Service // over a store without [Watch]: what it writes here is not to be written to the files again
	Planning   *planning.Service // over the same
	Clock      memory.Clock
	Files      func(agent string) Files
	Log        *slog.Logger
	Categories []memory.Category // those whose names headings may have
}

// Service keeps banks and files together. Safe for concurrent use.
type Service struct {
	store    Store
	remember *remember.Service
	planning *planning.Service
	clock    memory.Clock
	files    func(agent string) Files
	log      *slog.Logger

	categories []memory.Category
	ensured    sync.Map // agents whose files were made, or were there
	watcher    atomic.Pointer[fsnotify.Watcher]
	followed   sync.Map    // agents by the paths that are watched
	failing    sync.Map    // files that could not be kept, by agent and name
	more       chan string // agents of whose files a pass has heard a part only
	waiting    sync.Map    // by agent and name of a file: how many of its lines are not heard yet, if any
}

// New returns a service over a store.
func New(o Options) *Service {
	return &Service{store: o.Store, remember: o.Remember, planning: o.Planning, clock: o.Clock, files: o.Files, log: o.Log,
		categories: o.Categories, more: make(chan string, 64)}
}

// Durable is the importance from which a memory is in MEMORY.md whatever it says.
const Durable = 0.7

// durable reports whether a record belongs into MEMORY.md: a fact worth keeping in mind that is
// no secret, was not copied by a link and was not rejected.
func durable(r memory.Record) bool {
	if r.Kind != memory.KindFact || r.Category == memory.CategorySecret || r.Source == memory.SourceLink || r.Rejected() {
		return false
	}
	return lasting(r) && !secrets.Is(r)
}

// lasting reports whether a fact is worth keeping in mind: it is marked, or by its words it is a
// decision, or says who the user is or how they like things.
func lasting(r memory.Record) bool {
	if marked(r) {
		return true
	}
	switch worth.Of(r.Content, time.Time{}).Sort {
	case worth.Decision:
		return true
	case worth.Identity, worth.Preference:
		return !ofOthers(r.Content)
	case worth.Tentative, worth.Trivia, worth.Event:
		return false
	}
	return (r.Category == "identity" || r.Category == "preference") && ofUser(r.Content)
}

// marked reports whether a fact is worth keeping in mind by its fields, whatever its text says:
// pinned, important, or put by somebody into a category of such facts. An update can change
// these.
func marked(r memory.Record) bool {
	return r.Pinned || r.Importance >= Durable ||
		!r.CategoryGuessed && slices.Contains([]string{"identity", "preference", "decision"}, r.Category)
}

// ofUser reports whether a text says, with certainty, how something is with the user.
func ofUser(content string) bool {
	return slices.ContainsFunc(slots.Read(content, slots.Options{}), func(s slots.Statement) bool {
		return s.Subject == slots.User && !s.Hedged && !s.Past
	})
}

// ofOthers reports whether all that a sentence says is about somebody or something
// else. "Prefers short answers" is about the user: who else would be meant.
func ofOthers(content string) bool {
	said := slots.Read(content, slots.Options{})
	return len(said) > 0 && !slices.ContainsFunc(said, func(s slots.Statement) bool {
		return s.Subject == "" || s.Subject == slots.User
	})
}

// Refresh hears what a person changed in the files of an agent since they were last
// looked at. Of files that nobody touched it takes some microseconds. Of many lines that are
// new it hears the first; see [Service.Waiting]. A file that cannot be read or written is
// logged, and is the person's until it can.
func (s *Service) Refresh(ctx context.Context, agent string) {
	s.follow(agent)
	files := s.files(agent)
	if files.Path() != "" && !files.Exists(ctx) { // or the agent is no more
		return
	}
	touched := files.Touched(ctx, workspace.Mirrored()...)
	for _, f := range forms {
		if slices.Contains(touched, f.name) {
			files.Calm(ctx, f.name)
			s.noteFailure(ctx, agent, f.name, s.pass(ctx, agent, files, f, Changes{}))
		}
	}
}

// RefreshAll calls [Service.Refresh] until it has heard all lines, however many, or gets no
// further.
func (s *Service) RefreshAll(ctx context.Context, agent string) {
	s.Refresh(ctx, agent)
	for left := s.Waiting(agent); left > 0 && ctx.Err() == nil; {
		s.Refresh(ctx, agent)
		before := left
		if left = s.Waiting(agent); left >= before { // no progress
			return
		}
	}
}

// Waiting is how many lines that a person wrote into the files of an agent are not heard yet.
func (s *Service) Waiting(agent string) (lines int) {
	for _, f := range forms {
		if n, ok := s.waiting.Load(agent + "/" + f.name); ok {
			lines += n.(int)
		}
	}
	return lines
}

// wait notes how many lines of a file are not heard yet.
func (s *Service) wait(agent, name string, lines int) {
	if lines == 0 {
		s.waiting.Delete(agent + "/" + name)
		return
	}
	s.waiting.Store(agent+"/"+name, lines)
	select {
	case s.more <- agent:
	default: // many others do: the next call hears it
	}
}

// Changed brings the files up to date after a transaction: those that have to have a changed
// record or to-do, and those that have a line of one.
func (s *Service) Changed(ctx context.Context, agent string, changes Changes) {
	files := s.files(agent)
	if _, before := s.ensured.LoadOrStore(agent, true); !before {
		s.noteFailure(ctx, agent, "", files.Ensure(ctx))
	}
	ids := slices.Clone(changes.Todos)
	for _, r := range changes.Records {
		ids = append(ids, r.ID)
	}
	look := files.Lefts
	if changes.onlyMade() {
		look = files.LastLefts
	}
	lefts := look(ctx)
	for _, f := range forms {
		put := f.of(changes)
		if len(put.Records)+len(put.Todos) > 0 || overlap(lefts[f.name].IDs, ids) {
			s.noteFailure(ctx, agent, f.name, s.pass(ctx, agent, files, f, put))
		}
	}
}

// of returns those of the changes that a file has to have: live records that belong into it and,
// for MEMORY.md, to-dos.
func (f form) of(changes Changes) (put Changes) {
	for _, r := range changes.Records {
		if r.Live() && f.belongs(r) {
			put.Records = append(put.Records, r)
		}
	}
	if f.name == workspace.MemoryFile {
		put.Todos = changes.Todos
	}
	return put
}

// overlap reports whether one of some ids is among others, which are sorted.
func overlap(sorted, ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		_, found := slices.BinarySearch(sorted, id)
		return found
	})
}

// Conversation returns the workspace of an agent for a conversation, whose facts are
// written to MEMORY.md by way of the service.
func (s *Service) Conversation(dir workspace.Dir, agent string) Conversation {
	return Conversation{dir, s, agent}
}

// Conversation is a workspace as a conversation writes to it.
type Conversation struct {
	workspace.Dir
	service *Service
	agent   string
}

// MergeMemory is [Service.Put].
func (c Conversation) MergeMemory(ctx context.Context, records []memory.Record) error {
	return c.service.Put(ctx, c.agent, records)
}

// Put writes records to MEMORY.md whatever they are. Errors are those of
// [workspace.Dir.Reconcile].
func (s *Service) Put(ctx context.Context, agent string, records []memory.Record) error {
	return s.pass(ctx, agent, s.files(agent), forms[0], Changes{Records: records})
}

// Settle decides about lines that are held because they vanished from a file together with most
// others. If accept is set, their memories are archived, under one undo for each file, and their
// to-dos completed; else the lines are written again. It returns how many lines that were, and
// the ids of the undos.
func (s *Service) Settle(ctx context.Context, agent string, accept bool) (lines int, undos []string, err error) {
	files := s.files(agent)
	lefts := files.Lefts(ctx)
	for _, f := range forms {
		if len(lefts[f.name].IDs) == 0 {
			continue
		}
		n, undo, err := s.settle(ctx, agent, files, f, accept)
		if lines += n; undo != "" {
			undos = append(undos, undo)
		}
		if err != nil {
			return lines, undos, err
		}
	}
	return lines, undos, nil
}

func (s *Service) settle(ctx context.Context, agent string, files Files, f form, accept bool) (lines int, undo string, err error) {
	err = files.Reconcile(ctx, f.name, s.clock(), func(e workspace.Edits) (workspace.Settlement, error) {
		held := e.Held
		lines, e.Held, e.Lost = len(held), nil, nil
		if accept {
			e.Gone = append(e.Gone, held...)
		}
		var back Changes
		if !accept {
			back.Todos = held
			var err error
			if back.Records, err = s.store.Records(ctx, agent, held); err != nil {
				return workspace.Settlement{}, err
			}
		}
		settled, err := s.decide(ctx, agent, files, f, e, back)
		settled.Release, settled.Again = true, false
		if undo = settled.Undo; lines == 0 {
			undo = ""
		}
		return settled, err
	})
	return lines, undo, err
}

// noteFailure logs that a file cannot be kept, once until it can again; err is nil when it can.
func (s *Service) noteFailure(ctx context.Context, agent, name string, err error) {
	if errors.Is(err, context.Canceled) || err != nil && errors.Is(ctx.Err(), context.Canceled) { // a driver may say it in its own words
		return
	}
	file := agent + "/" + name
	if err == nil {
		s.failing.Delete(file)
	} else if _, before := s.failing.Swap(file, true); !before { // once, and not with every call
		s.log.WarnContext(ctx, "keep the files and the bank together", "agent", agent, "file", name, "error", err)
	}
}

// pass makes a file and the bank say the same, with put in the file.
func (s *Service) pass(ctx context.Context, agent string, files Files, f form, put Changes) error {
	return s.passTo(ctx, agent, files, f, put, func(*settlement) {})
}

type settlement = workspace.Settlement

// passTo is pass that calls say with the settlement, to add how the file is left.
func (s *Service) passTo(ctx context.Context, agent string, files Files, f form, put Changes, say func(*settlement)) error {
	if f.name == workspace.MemoryFile {
		put.Records = workspace.Foremost(put.Records)
	}
	return files.Reconcile(ctx, f.name, s.clock(), func(e workspace.Edits) (workspace.Settlement, error) {
		settled, err := s.decide(ctx, agent, files, f, e, put)
		s.wait(agent, f.name, len(settled.Later))
		say(&settled)
		return settled, err
	})
}
