package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/access"
	"mcp-memory/llm"
	"mcp-memory/memory"
	"mcp-memory/server"
	"mcp-memory/server/stdio"
)

func (p *Program) serveCommand() *cobra.Command {
	var f listenFlags
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve MCP over stdin and stdout (what a host starts), or over HTTP",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if isTerminal(p.Stdin) && !f.overHTTP() {
				explain(p.Stderr)
			}
			return p.serve(cmd.Context(), f)
		},
	}
	f.flags(cmd)
	return cmd
}

// serveOrExplain is the bare program: a host that starts it gets the server, a
// person who types its name is told what it is.
func (p *Program) serveOrExplain(cmd *cobra.Command, _ []string) error {
	if isTerminal(p.Stdin) && isTerminal(p.Stdout) {
		explain(p.Stderr)
		return nil
	}
	return p.serve(cmd.Context(), listenFlags{})
}

func explain(w io.Writer) {
	fmt.Fprint(w, `mcp-memory is a memory for AI agents: an MCP server that hosts such as Claude
Desktop, Claude Code, VS Code, Cursor or Codex start by themselves. It speaks
JSON on stdin and stdout, so there is nothing to type here.

To connect it, put this into your host's MCP configuration:

  {"mcpServers": {"memory": {"command": "mcp-memory"}}}

See it work:    mcp-memory demo
Use it by hand: mcp-memory save "My cat's name is Whiskerino"
                mcp-memory recall "What is my cat called?"
All commands:   mcp-memory --help
`)
}

func (p *Program) serve(ctx context.Context, f listenFlags) error {
	if p.answering() {
		return memory.Errorf(memory.CodeUnavailable, "this host answers a memory, and gets none itself").WithHint("%s is set", llm.Guard)
	}
	p.serving, p.forHost = true, true
	a, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	if p.astray != nil {
		fmt.Fprintln(p.Stderr, visible("mcp-memory: this server has no project: "+message(p.astray)))
	}
	fleet, err := a.tools(p.settings.get("tools"))
	if err != nil {
		return err
	}
	pages, err := p.pages(a)
	if err != nil {
		return err
	}
	daily, err := p.dailyBackups(a)
	if err != nil {
		return err
	}
	a.background(p.log, append(daily, a.mirrorFiles)...)
	trace, untrace, err := p.tracing(ctx)
	if err != nil {
		return err
	}
	if untrace != nil {
		defer func() {
			ctx, cancel := context.WithTimeout(context.Background(), grace)
			defer cancel()
			if err := untrace(ctx); err != nil {
				p.log.Warn("send the last spans", "error", err)
			}
		}()
	}
	shared, poll := p.sharing(a)
	s := server.New(server.Options{
		Shared: shared, Poll: poll,
		Name: "mcp-memory", Title: "Memory", Version: version(), Fleet: fleet, Pages: pages, Log: p.log,
		Trace: trace, Audit: a.guard,
		Instructions: func(ctx context.Context) string {
			note := ""
			if _, known := access.From(ctx); p.astray != nil && !known {
				note = noProject
			}
			text, err := pages.Instructions(ctx, server.MaxInstructions-len(note))
			if err != nil {
				p.log.WarnContext(ctx, "make the instructions", "error", err)
			}
			return note + text
		},
	})
	if a.host != nil {
		a.host.Connect(s)
	}
	defer p.keepHeapSmall()()
	ctx, stop := context.WithCancel(ctx)
	var consulting sync.WaitGroup
	if !f.overHTTP() || f.stdio {
		consulting.Go(func() { a.link.Consult(ctx, a.scope.Agent, hostUser{s}) })
	}
	defer consulting.Wait()
	defer stop()
	return p.run(ctx, a, s, f)
}

// keepHeapSmall has little garbage lie about once the server has started: much
// of its memory is indexes that stay, and with Go's default garbage of the same
// size would lie beside them. Until then next to nothing is collected, because a start
// makes little garbage and a host waits for it. GOGC overrides both. The
// function that it returns is to be called at the end.
func (p *Program) keepHeapSmall() (stop func()) {
	if p.Env("GOGC") != "" {
		return func() {}
	}
	timer := time.AfterFunc(startTime, func() {
		debug.SetGCPercent(30)
		debug.FreeOSMemory()
	})
	return func() { timer.Stop() }
}

// run serves wherever the flags say until one of them is closed or ctx is done.
func (p *Program) run(ctx context.Context, a *app, s *server.Server, f listenFlags) error {
	if !f.overHTTP() {
		return stdio.Serve(ctx, s, p.Stdin, p.Stdout)
	}
	http, listeners, err := p.web(ctx, a, s, f)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var work sync.WaitGroup
	var errs [2]error
	work.Go(func() { defer stop(); errs[0] = http.Serve(ctx, listeners...) })
	if f.stdio {
		work.Go(func() { defer stop(); errs[1] = stdio.Serve(ctx, s, p.Stdin, p.Stdout) })
	}
	work.Wait()
	return errors.Join(errs[:]...)
}
