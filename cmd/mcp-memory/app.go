package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"mcp-memory/access"
	"mcp-memory/actions"
	"mcp-memory/changes"
	"mcp-memory/cognition"
	"mcp-memory/consolidate"
	"mcp-memory/contextwindow"
	"mcp-memory/db"
	"mcp-memory/embed"
	"mcp-memory/embed/model2vec"
	"mcp-memory/link"
	"mcp-memory/llm"
	"mcp-memory/memory"
	"mcp-memory/mirror"
	"mcp-memory/planning"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/resources"
	"mcp-memory/salience"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
	"mcp-memory/text/tokens"
	"mcp-memory/told"
	"mcp-memory/tools"
	"mcp-memory/upkeep"
	"mcp-memory/workspace"
)

// app is the whole program over a data directory, for the banks of all agents. scope is the scope
// of the process's own agent.
type app struct {
	store    memory.Store
	guard    *access.Guard // the same store, as a Guard
	access   *access.Service
	signIn   access.SignIn // nil if no issuer lets people sign in
	embedder memory.Embedder
	worker   *embed.Worker
	encoding *encoding // nil if only the table of words is used
	accesses *remember.Reinforcement
	told     *told.Service
	actions  *actions.Service
	ids      *memory.IDs
	ordered  sync.Map // agents whose log was checked by inOrder
	clock    memory.Clock
	// unknownProject tells a person that no project has this name. Nil tells nobody.
	unknownProject func(name string)

	salience salience.Parameters
	scope    memory.Scope
	remember *remember.Service
	recall   *recall.Service
	planning *planning.Service
	window   *contextwindow.Service

	cognition   *cognition.Service
	raw         memory.Store      // the store without guard and mirror
	readOnly    bool              // the database cannot be written
	mirror      *mirror.Service   // keeps the files that people edit and the bank alike
	gathered    *mirror.Gathering // the mirror's writes held back during an import; else nil
	workspace   func(agent string) workspace.Dir
	consolidate *consolidate.Service
	changes     *changes.Service
	link        *link.Service
	host        *llm.Host // nil if the model of the host is not used
	builtin     memory.Summarizer
	auditKeep   time.Duration // how long the audit log is kept; 0 is forever
	toldKeep    time.Duration // how long what agents were told is kept; 0 keeps nothing
	actionsKeep int64         // bytes for each project

	process self
	dir     *upkeep.Dir // the data directory, in use until closeStore

	temporary string // a data directory that is removed at the end, "" for none
	stop      context.CancelFunc
	done      sync.WaitGroup
}

// open puts the program together over the data directory, which it creates if needed. The caller
// closes the app.
func (p *Program) open(ctx context.Context) (*app, error) {
	return p.openOver(ctx, makeDataDir)
}

// openExisting is open for commands that need existing data, to read or to change it. If there is
// none it fails, and creates no database file.
func (p *Program) openExisting(ctx context.Context) (*app, error) {
	a, err := p.openOver(ctx, func(dir string) error {
		if p.onServer() {
			return makeDataDir(dir)
		}
		if err := upkeep.CheckThere(dir); err != nil {
			return err
		}
		return makeDataDir(dir) // reports why this path cannot be a data directory
	})
	if err == nil && !p.serving && !p.calling {
		a.unknownProject = func(name string) {
			a.unknownProject = nil // say it only once
			fmt.Fprintf(p.Stderr, "mcp-memory: no project is called %s; `mcp-memory project list` shows those that there are\n",
				visible(name))
		}
	}
	return a, err
}

// opener is open or openExisting.
type opener func(context.Context) (*app, error)

// openOver is open with a function that finds or creates the data directory.
func (p *Program) openOver(ctx context.Context, found func(dir string) error) (*app, error) {
	a, err := p.configured()
	if err != nil {
		return nil, err
	}
	verifier, signIn, err := p.issuer()
	if err != nil {
		return nil, err
	}
	if err := found(p.settings.get("data_dir")); err != nil {
		return nil, err
	}
	dir := p.settings.get("data_dir") // which found may have changed
	if a.dir, err = p.enter(ctx, dir); err != nil {
		return nil, err
	}
	if err := p.openStore(ctx, a); err != nil {
		return nil, errors.Join(err, a.dir.Leave())
	}
	a.access, a.signIn = access.New(a.raw, verifier, p.Clock, a.ids), signIn
	a.access.KeepNote(tokenNote(dir))
	if err := p.connect(a); err != nil {
		return nil, errors.Join(err, a.closeStore())
	}
	if !p.serving && !p.calling && !a.readOnly {
		a.finishErasures(ctx, p.log)
	}
	if !a.readOnly && !p.calling { // a hook runs beside a server that still uses the old project name
		a.follow(ctx, p.place, p.log)
	}
	return a, nil
}

// configured returns an app with only what the settings determine.
func (p *Program) configured() (*app, error) {
	scope, err := p.ownScope()
	if err != nil {
		return nil, err
	}
	if err := p.setZone(); err != nil {
		return nil, err
	}
	a := &app{ids: memory.NewIDs(p.Clock), clock: p.Clock, scope: scope}
	a.scope.Session = a.ids.New() // accesses of one process count as one session
	if a.embedder, err = p.newEmbedder(); err != nil {
		return nil, err
	}
	if a.salience, err = p.salienceParameters(); err != nil {
		return nil, err
	}
	if a.auditKeep, err = p.settings.durationOrNone("audit.keep"); err != nil {
		return nil, err
	}
	if a.toldKeep, err = p.settings.durationOrNone("told.keep"); err != nil {
		return nil, err
	}
	megabytes, err := p.settings.count("actions.keep")
	a.actionsKeep = int64(megabytes) << 20
	return a, err
}

// openStore opens the database with the workspaces. It puts the mirror of the files and the guard
// before it, through which every call goes. On an error it closes the database again.
func (p *Program) openStore(ctx context.Context, a *app) error {
	citus, err := p.settings.oneOf("database.citus", "auto", "on", "off")
	if err != nil {
		return err
	}
	store, err := db.Open(ctx, p.database(),
		db.Options{Embedder: a.embedder.Fingerprint(), Clock: p.Clock, Bulk: p.loading, Log: p.log, Citus: citus})
	if err != nil {
		return err
	}
	if r, ok := store.(interface{ ReadOnly() bool }); ok && r.ReadOnly() {
		a.readOnly = true
		p.log.Warn("the database can only be read: nothing is saved, and recalls are not counted", "data_dir", p.settings.get("data_dir"))
	}
	if shared, ok := store.(memory.Clocked); ok {
		p.ahead = shared.Offset
	}
	if a.workspace, err = p.workspaces(store); err != nil {
		return errors.Join(err, store.Close())
	}
	watched := mirror.Watch(store, func(ctx context.Context, agent string, changes mirror.Changes) {
		if a.gathered != nil {
			a.gathered.Changed(ctx, agent, changes)
		} else {
			a.mirror.Changed(ctx, agent, changes)
		}
		a.encoding.changed()
		if paced, ok := a.embedder.(*embed.Paced); ok {
			paced.Called()
		}
	})
	a.raw, a.guard = store, access.NewGuard(watched, p.Clock)
	a.store = a.guard
	a.inOrder(ctx, a.scope.Agent)
	return nil
}

// tools returns the tools that a selection names (see [tools.Select]). Those of an app that is not
// connected can be listed but not called.
func (a *app) tools(selection string) (tools.Fleet, error) { return a.fleet(selection, a.services()) }

// toolsOfCommands returns tools whose texts suggest commands instead of tool calls.
func (a *app) toolsOfCommands(selection string) (tools.Fleet, error) {
	services := a.services()
	services.ForCommands = true
	return a.fleet(selection, services)
}

func (a *app) services() tools.Services {
	return tools.Services{
		Remember: a.remember, Recall: a.recall, Consolidate: a.consolidate, Link: a.link, Window: a.window,
		Cognition: a.cognition, Planning: a.planning, Actions: a.actions, Told: a.told.Answer, Unheard: a.mirror.Waiting,
	}
}

func (a *app) fleet(selection string, services tools.Services) (tools.Fleet, error) {
	chosen, err := tools.Select(services.Tools(), selection)
	if err != nil {
		return tools.Fleet{}, err
	}
	fleet, err := tools.NewFleet(a.scopeOf, chosen...)
	return fleet.Saying(func() time.Time { return a.clock().In(a.clock.Zone()) }), err
}

// connect makes the use cases.
func (p *Program) connect(a *app) error {
	categories, err := p.settings.categories()
	if err != nil {
		return err
	}
	classifier := taxonomy.New(categories, semantics.Builtin)
	a.encoding = p.newEncoding(a.raw, a.readOnly)
	a.worker = embed.NewWorker(a.store, a.embedder, p.Clock, p.log)
	a.accesses = remember.NewReinforcement(a.store, p.Clock, p.log)
	a.told = told.New(told.Options{Store: a.store, Clock: p.Clock, IDs: a.ids, Log: p.log, Keep: a.toldKeep})
	supersede, err := p.supersede()
	if err != nil {
		return err
	}
	scoping, err := p.settings.oneOf("scope", string(remember.ScopeAuto), string(remember.ScopeProject), string(remember.ScopeGlobal))
	if err != nil {
		return err
	}
	keep := remember.Options{
		Store: a.store, Embedder: a.embedder, Categories: classifier, Clock: p.Clock, IDs: a.ids,
		DayLog: func(agent string) remember.DayLog { return a.workspace(agent) },
		Queued: a.worker.Wake, Log: p.log, Supersede: supersede, Scoping: remember.Scoping(scoping),
	}
	plans := planning.Options{Store: a.store, Clock: p.Clock, IDs: a.ids, Home: func(scope memory.Scope, text string) string {
		project, _ := keep.Scoping.Home(scope, text)
		return project
	}}
	a.planning = planning.New(plans)
	plans.Store = a.raw
	a.remember = remember.New(keep)
	keep.Store = a.raw
	a.mirror = mirror.New(mirror.Options{
		Store: a.raw, Remember: remember.New(keep), Clock: p.Clock, Log: p.log, Categories: categories,
		Planning: planning.New(plans),
		Files:    func(agent string) mirror.Files { return a.workspace(agent) },
	})
	if p.loading {
		a.gathered = a.mirror.Gather()
	}
	files, err := p.newLibraries(a)
	if err != nil {
		return err
	}
	a.recall = recall.New(recall.Options{
		Store: a.store, Table: semantics.Builtin, Embedder: a.embedder, Categories: classifier, Salience: a.salience,
		Tokens: p.counter(), Clock: p.Clock, Log: p.log, Recalled: a.accesses.Note,
		Files: files, Once: !p.serving, Encoder: a.encoding.forRecall(),
	})
	a.cognition = cognition.New(cognition.Options{
		Store: a.store, Remember: a.remember, Recall: a.recall, Clock: p.Clock, Log: p.log,
	})
	a.actions = p.newActions(a)
	answer, err := p.settings.duration("link.window")
	if err != nil {
		return err
	}
	a.link = link.New(link.Options{
		Store: a.store, Clock: p.Clock, IDs: a.ids, Window: answer, Queued: a.worker.Wake, Log: p.log, Met: a.cognition.MetByLink,
	})
	summarizers, err := p.newSummarizers(a)
	if err != nil {
		return err
	}
	process := newSelf()
	a.process = process
	a.consolidate = consolidate.New(consolidate.Options{
		Store: a.store, Embedder: a.embedder, Summarizers: summarizers,
		Counter: tokens.NewCounter(""), Table: semantics.Builtin, Clock: p.Clock,
		IDs: a.ids, Queued: a.worker.Wake, Log: p.log, Home: p.settings.get("self_care.home"), Holder: process.name(), Gone: process.gone,
	})
	a.changes = changes.New(a.remember, a.consolidate, p.settings.get("self_care.home"))
	return p.connectWindow(a, summarizers, process)
}

// connectWindow makes the use case of context windows, which needs the others.
func (p *Program) connectWindow(a *app, summarizers []memory.Summarizer, process self) error {
	chosen, err := p.windowSettings()
	if err != nil {
		return err
	}
	rules, err := p.windowRules()
	if err != nil {
		return err
	}
	a.window = contextwindow.New(contextwindow.Options{
		Store: a.store, Embedder: a.embedder, Remember: a.remember, Recall: contextwindow.Recalls(a.recall), Todos: a.planning,
		Summarizers: summarizers, Files: func(agent string) contextwindow.Files {
			return a.mirror.Conversation(a.workspace(agent), agent)
		},
		Counter: func(model string) memory.TokenCounter { return tokens.NewCounter(model) },
		Rules:   rules, Clock: p.Clock, IDs: a.ids, Queued: a.worker.Wake, Met: a.cognition.Met, Log: p.log, Settings: chosen,
		Holder: process.name(), Gone: process.gone,
	})
	return nil
}

// counter returns a token counter. A hook has no time to load a vocabulary, so it estimates, rather
// too many than too few.
func (p *Program) counter() memory.TokenCounter {
	if p.calling {
		return estimate{}
	}
	return tokens.NewCounter("")
}

type estimate struct{}

// Count implements [memory.TokenCounter].
func (estimate) Count(text string) int {
	others := len(text) - utf8.RuneCountInString(text) // letters of several bytes take more tokens
	return tokens.Estimate(text) + others/2
}

// background starts the background work of a server: missing vectors, reinforcement, compactions
// that another process left unfinished, and the functions in more. close ends it.
func (a *app) background(log *slog.Logger, more ...func(context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	a.stop = stop
	a.done.Go(func() { a.accesses.Run(ctx) })
	a.done.Go(func() { a.told.Run(ctx) })
	a.done.Go(func() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(startTime):
		}
		a.done.Go(func() {
			keepOpen(ctx, a.raw, a.embedder.Fingerprint(), log, func(ctx context.Context, _ memory.VectorSet) { a.worker.Run(ctx) })
		})
		a.done.Go(func() { a.encoding.run(ctx, a.raw, a.clock, log) })
		a.done.Go(func() { a.pruneAudits(ctx, log) })
		a.done.Go(func() { a.store.Tend(ctx) })
		for _, work := range more {
			a.done.Go(func() { work(ctx) })
		}
		switch a.embedder.(type) {
		case *model2vec.Model, *embed.Paced:
			a.done.Go(func() { a.embedder.EmbedQuery(ctx, "") }) // loads the model before a call needs it
		}
		a.done.Go(func() {
			if err := a.remember.ResumeErasures(ctx); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "resume erasures", "error", err)
			}
			if a.readOnly {
				return
			}
			if err := a.remember.ReadTimes(ctx); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "read the times of memories", "error", err)
			}
		})
		if _, err := a.window.Resume(ctx, ""); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "resume compactions", "error", err)
		}
	})
}

// finishErasures continues the erasures that a killed process left, before a command reads
// anything. It takes at most a second, and a server does the rest.
func (a *app) finishErasures(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := a.remember.ResumeErasures(ctx); err != nil && ctx.Err() == nil {
		log.WarnContext(ctx, "resume erasures", "error", err)
	}
}

// mirrorFiles keeps the files and banks of all agents alike until ctx is done.
func (a *app) mirrorFiles(ctx context.Context) {
	if a.readOnly {
		return
	}
	agents, err := a.raw.Agents(ctx)
	if err != nil { // calls keep their own agent's files alike as well
		agents = []string{a.scope.Agent}
	}
	a.mirror.Run(ctx, agents)
}

// watchIdle saves the facts of conversations that have been idle for a while.
func (a *app) watchIdle(ctx context.Context) {
	if !a.readOnly {
		a.window.WatchIdle(ctx)
	}
}

// startTime is how long a server waits after its start with background work, because the host waits
// for the first answer.
const startTime = 100 * time.Millisecond

// grace is how long work that waits for a model may take when the program ends.
const grace = 2 * time.Second

// close finishes the work in progress and closes the database.
func (a *app) close() error {
	// Work for which a model is too slow is left to the next process.
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := a.window.Close(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(err, a.closeStore())
	}
	if a.stop != nil {
		a.stop()
		a.done.Wait()
	} else {
		// Reinforcement is not worth waiting for a long write of another process.
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		a.accesses.Flush(ctx)
		a.told.Flush(ctx)
		a.encoding.finish()
	}
	return a.closeStore()
}

// closeStore writes what an import has held back, closes the database and gives the data directory
// free.
func (a *app) closeStore() error {
	if a.gathered != nil {
		a.gathered.Flush(context.Background())
	}
	return errors.Join(a.store.Close(), a.dir.Leave(), os.RemoveAll(a.temporary))
}

// pages makes the resources and prompts.
func (p *Program) pages(a *app) (resources.Pages, error) {
	budget, err := p.startBudget()
	return resources.Pages{Recall: a.recall, Scope: a.scopeOf, Service: resources.New(resources.Options{
		Store: a.store, Links: a.link, Salience: a.salience, Tokens: tokens.NewCounter(""), Clock: p.Clock,
		Files:  func(agent string) resources.Files { return a.workspace(agent) },
		Budget: budget, Conversations: a.window, Work: a.actions, Told: a.told.Page,
	})}, err
}
