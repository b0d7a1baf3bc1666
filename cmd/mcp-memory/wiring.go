package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"mcp-memory/db"
	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/salience"
	"mcp-memory/semantics"
	"mcp-memory/taxonomy"
	"mcp-memory/tokens"
	"mcp-memory/tools"
	"mcp-memory/workspace"
)

// databaseName is the file in the data directory.
const databaseName = "memory.db"

// bank is the whole program put together for one agent.
type bank struct {
	store    memory.Store
	embedder memory.Embedder
	worker   *embed.Worker
	accesses *remember.Reinforcement
	ids      *memory.IDs
	salience salience.Parameters
	scope    memory.Scope
	remember *remember.Service
	recall   *recall.Service
	fleet    tools.Fleet // every tool; --tools selects from it

	stop context.CancelFunc
	done sync.WaitGroup
}

// open puts the program together over the data directory, which it makes. The
// caller closes the bank.
func (p *Program) open(ctx context.Context) (*bank, error) {
	scope, err := p.ownScope()
	if err != nil {
		return nil, err
	}
	dir := p.settings.get("data_dir")
	if err := makeDataDir(dir); err != nil {
		return nil, err
	}
	b := &bank{ids: memory.NewIDs(p.Clock), scope: scope}
	if b.embedder, err = p.newEmbedder(); err != nil {
		return nil, err
	}
	if b.salience, err = p.salienceParameters(); err != nil {
		return nil, err
	}
	b.scope.Session = b.ids.New() // accesses of one process count as one session
	b.store, err = db.Open(ctx, filepath.Join(dir, databaseName), db.Options{Embedder: b.embedder.Fingerprint(), Clock: p.Clock})
	if err != nil {
		return nil, err
	}
	b.worker = embed.NewWorker(b.store, b.embedder, p.Clock, p.log)
	b.accesses = remember.NewReinforcement(b.store, p.Clock, p.log)
	p.connect(b, dir)
	b.fleet, err = tools.NewFleet(tools.Bank{Remember: b.remember, Recall: b.recall, Scope: b.scopeOf}.Memory()...)
	if err != nil {
		b.store.Close()
	}
	return b, err
}

// connect makes the use cases.
func (p *Program) connect(b *bank, dir string) {
	classifier := taxonomy.New(memory.DefaultCategories(), semantics.Builtin)
	b.remember = remember.New(remember.Options{
		Store: b.store, Embedder: b.embedder, Categories: classifier, Clock: p.Clock, IDs: b.ids,
		DayLog: func(agent string) remember.DayLog { return workspace.Open(dir, agent) },
		Queued: b.worker.Wake, Log: p.log,
	})
	b.recall = recall.New(recall.Options{
		Store: b.store, Table: semantics.Builtin, Embedder: b.embedder, Categories: classifier, Salience: b.salience,
		Tokens: tokens.NewCounter(""), Clock: p.Clock, Log: p.log, Recalled: b.accesses.Note,
		Once: !p.serving,
	})
}

// background starts what a server does beside answering: missing vectors and
// counted recalls. close ends it.
func (b *bank) background() {
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	b.done.Go(func() { b.worker.Run(ctx) })
	b.done.Go(func() { b.accesses.Run(ctx) })
}

// close finishes what is under way and closes the database.
func (b *bank) close() error {
	if b.stop != nil {
		b.stop()
		b.done.Wait()
	} else {
		// Salience is not worth waiting for another process's long write.
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		b.accesses.Flush(ctx)
	}
	return b.store.Close()
}

// ownScope is whose memory this process is about.
func (p *Program) ownScope() (memory.Scope, error) {
	scope := memory.Scope{Agent: p.settings.get("agent"), Project: p.settings.get("project")}
	if err := remember.CheckAgent(scope.Agent); err != nil {
		return scope, err
	}
	if p.settings.origins["project"] != "default" {
		return scope, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return scope, nil // deleted meanwhile: no project
	}
	scope.Project, err = findProject(dir, homeDir(p.Env))
	return scope, err
}

// scopeOf resolves the project argument of a call.
func (b *bank) scopeOf(_ context.Context, project *string) (memory.Scope, error) {
	scope := b.scope
	if project != nil {
		scope.Project = *project
	}
	return scope, memory.CheckText("project", scope.Project, memory.MaxNameBytes)
}

func (p *Program) newEmbedder() (memory.Embedder, error) {
	s := p.settings
	if s.get("embed.url") == "" {
		return embed.NewBuiltin(), nil
	}
	o := embed.OpenAIOptions{
		BaseURL: s.get("embed.url"), APIKey: s.get("embed.key"), Model: s.get("embed.model"),
		QueryPrefix: s.get("embed.query_prefix"), DocumentPrefix: s.get("embed.document_prefix"),
	}
	var errs [4]error
	if s.get("embed.dimensions") != "" { // else the embedder says that they are missing
		o.Dimensions, errs[0] = s.int("embed.dimensions")
	}
	o.RequestDimensions, errs[1] = s.bool("embed.request_dimensions")
	o.Truncate, errs[2] = s.bool("embed.truncate")
	o.Timeout, errs[3] = s.duration("embed.timeout")
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return embed.NewOpenAI(o)
}

func (p *Program) salienceParameters() (salience.Parameters, error) {
	parameters := salience.Default()
	half, err := p.settings.duration("salience.half_life")
	parameters.HalfLife = half
	return parameters, err
}

// makeDataDir makes the data directory, readable by its owner only.
func makeDataDir(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	var path *fs.PathError
	if errors.As(err, &path) {
		return memory.Errorf(memory.CodeUnavailable, "the data directory %s cannot be made: %v", dir, path.Err).
			WithHint("choose another with --data-dir or MCP_MEMORY_DATA_DIR")
	}
	return err
}
