package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/review"
	transport "mcp-memory/server/web"
	"mcp-memory/upkeep"
	"mcp-memory/web"
)

// pageCommand serves the web page for people on this machine.
func (p *Program) pageCommand() *cobra.Command {
	var address string
	var noOpen bool
	cmd := &cobra.Command{
		Use: "web", Short: "Open a page in the browser to look at the memory, search it, correct it and undo",
		Long: "Serves a page for people on this machine only, prints a link to it that works once and opens it in the browser.\n" +
			"It ends with Ctrl-C. For a team, `mcp-memory serve --http ADDRESS --web` has the same page behind tokens.",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.servePage(cmd.Context(), address, noOpen) },
	}
	cmd.Flags().StringVar(&address, "addr", "127.0.0.1:0", "where to serve it: an address of this machine for itself")
	cmd.Flags().BoolVar(&noOpen, "no-open", false, "only print the link")
	return cmd
}

// servePage serves the page to whoever has the link, until ctx is done.
func (p *Program) servePage(ctx context.Context, address string, noOpen bool) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return cannotListen("--addr", address, err)
	}
	defer listener.Close()
	if host, ok := listener.Addr().(*net.TCPAddr); !ok || !host.IP.IsLoopback() {
		return usageError{errors.New("--addr has to be an address of this machine for itself, such as 127.0.0.1:8766; `serve --http ADDRESS --web` is for others")}
	}
	p.serving = true
	a, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	a.background(p.log, a.mirrorFiles)
	site, err := p.newSite(a, web.Options{Machine: pageMachine{p, a}})
	if err != nil {
		return err
	}
	link := "http://" + listener.Addr().String() + site.Link()
	fmt.Fprintln(p.Stdout, link)
	fmt.Fprintln(p.Stderr, "mcp-memory: the link works once, within ten minutes; Ctrl-C ends the page")
	if !noOpen {
		openBrowser(link)
	}
	mux := http.NewServeMux()
	mux.Handle(web.Root+"/", site)
	mux.Handle(web.Root, site)
	mux.Handle("/{$}", http.RedirectHandler(web.Root+"/", http.StatusSeeOther))
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
	ended := context.AfterFunc(ctx, func() {
		site.Close()
		ctx, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	})
	defer ended()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// addPage makes a server also serve the page, until ctx is done.
func (p *Program) addPage(ctx context.Context, a *app, o *transport.Options) error {
	site, err := p.newSite(a, web.Options{Access: a.access, SignIn: a.signIn, Audit: a.guard})
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, site.Close)
	o.Page, o.PagePath = site, web.Root
	return nil
}

// newSite makes the page. o has the access by tokens, if there is any.
func (p *Program) newSite(a *app, o web.Options) (*web.Site, error) {
	pages, err := p.pages(a)
	if err != nil {
		return nil, err
	}
	idle, err := p.settings.duration("web.idle")
	if err != nil {
		return nil, err
	}
	o.Scope, o.Agent, o.Idle, o.Clock, o.Log, o.Hosts = a.scopeOf, a.scope.Agent, idle, p.Clock, p.log, p.settings.list("http.hosts")
	o.Memories, o.Recall, o.Start, o.Told, o.Changes = a.remember, a.recall, pages.Service, a.told, a.changes
	o.Review = review.New(review.Options{Store: a.store, Clock: p.Clock, Log: p.log})
	window, err := p.windowSettings()
	if err != nil {
		return nil, err
	}
	o.Counter, o.Files, o.Cognition, o.Conversations, o.Limits = a.store, a.workspace, a.cognition, a.store, window.Thresholds
	o.Planning, o.Links, o.Work = a.planning, a.link, a.actions
	o.Banks = upkeep.NewOverview(a.raw, version(), p.Clock(), pageMachine{p, a}.Backups)
	return web.New(o), nil
}

// openBrowser opens a link in the browser. It reports no failure, because the link is also printed.
func openBrowser(link string) {
	name, arguments := "xdg-open", []string{link}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, arguments = "rundll32", []string{"url.dll,FileProtocolHandler", link}
	}
	cmd := exec.Command(name, arguments...)
	if cmd.Start() == nil {
		go cmd.Wait()
	}
}
