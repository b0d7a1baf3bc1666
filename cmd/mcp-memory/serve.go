package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/access"
	"mcp-memory/hosts"
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
				with, without := hosts.Connected(p.machine())
				fmt.Fprintln(p.Stderr,
					whatItIs+"\n\n"+connectedText(with, without)+"\nIt waits for JSON on stdin now; Ctrl-C ends it. For people:\n\n"+goOn)
			}
			return p.serve(cmd.Context(), f)
		},
	}
	f.flags(cmd)
	return cmd
}

// serveOrExplain runs the program without a command. For a host it is the server. A person at a
// terminal gets an explanation.
func (p *Program) serveOrExplain(cmd *cobra.Command, _ []string) error {
	if isTerminal(p.Stdin) && isTerminal(p.Stdout) {
		return p.welcome(cmd)
	}
	return p.serve(cmd.Context(), listenFlags{})
}

// welcome explains to a person what the program is, which hosts are connected and how to go on. If
// no host is connected, it offers to connect those that were found.
func (p *Program) welcome(cmd *cobra.Command) error {
	with, without := hosts.Connected(p.machine())
	fmt.Fprintln(p.Stdout, whatItIs+"\n\n"+connectedText(with, without)+"\n\n"+goOn)
	if len(without) == 0 || len(with) > 0 {
		return nil
	}
	if err := p.agreed(cmd.Context(), "\nConnect "+namesOf(without)+" now? It asks for each."); errors.Is(err, errLeft) {
		fmt.Fprintln(p.Stdout, "Later, then: mcp-memory install")
		return nil
	} else if err != nil {
		return err
	}
	f := installFlags{Options: hosts.Options{Scope: hosts.ScopeUser}, scope: string(hosts.ScopeUser)}
	p.installedCommand(&f)
	return p.offerHosts(cmd, &f)
}

// whatItIs explains the program to a person who starts it by hand.
const whatItIs = `mcp-memory is a memory for AI agents: what an agent saves today it finds again days
and restarts later. Hosts such as Claude Code or Codex start it by themselves.`

// goOn suggests the next commands.
const goOn = `  mcp-memory install    connect hosts, or see which are
  mcp-memory demo       watch a memory survive the death of its server
  mcp-memory web        look at the memory in the browser; --help lists all commands`

func connectedText(with, without []*hosts.Host) string {
	text := "No host is connected yet."
	if len(with) > 0 {
		text = "Connected: " + namesOf(with) + "."
	}
	if len(without) > 0 {
		text += " Found and not connected: " + namesOf(without) + "."
	} else if len(with) == 0 {
		text += " None of those it knows was found here: mcp-memory install --help names them."
	}
	return text
}

func namesOf(list []*hosts.Host) string {
	names := make([]string, len(list))
	for i, h := range list {
		names[i] = h.Name
	}
	return strings.Join(names, ", ")
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
	pages.Reports = fleet.Has("context_append")
	daily, err := p.dailyBackups(a)
	if err != nil {
		return err
	}
	a.background(p.log, append(daily, a.mirrorFiles, a.watchIdle)...)
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

// keepHeapSmall limits garbage once a server has started. Much of its memory is indexes that stay,
// and with Go's default there would be garbage of the same size. Until then hardly anything is
// collected, because a start makes little garbage and a host waits for it. The environment variable
// GOGC overrides both. stop has to be called at the end.
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

// run serves on all transports that the flags name, until one of them ends or ctx is done.
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
