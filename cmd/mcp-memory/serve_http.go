package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"mcp-memory/memory"
	"mcp-memory/server"
	"mcp-memory/server/web"
)

// web opens the listeners and makes the HTTP server.
func (p *Program) web(ctx context.Context, a *app, s *server.Server, f listenFlags) (*web.Server, []net.Listener, error) {
	if f.noAuth {
		a.access.KeepNote(nil) // ignore the note: only tokens in the database count
	}
	options, err := p.webOptions(a, f)
	if err != nil {
		return nil, nil, err
	}
	listeners, err := f.listen()
	if err == nil {
		err = p.checkReach(ctx, a, f, listeners)
	}
	if err != nil {
		for _, l := range listeners {
			l.Close()
		}
		return nil, nil, err
	}
	for _, l := range listeners {
		fmt.Fprintln(p.Stderr, "mcp-memory: serving MCP at "+f.url(l))
	}
	if f.page {
		if err := p.addPage(ctx, a, &options); err != nil {
			return nil, nil, err
		}
	}
	return web.New(s, options), listeners, nil
}

// pollServers is how often a server looks for changes by other servers, so that subscribers are
// notified within a second.
const pollServers = 500 * time.Millisecond

// sharing returns the state that this server shares with others on the same database, and how often
// it looks for changes. Without other servers it is nil and 0, the default.
func (p *Program) sharing(a *app) (memory.Shared, time.Duration) {
	shared, ok := a.raw.(memory.Shared)
	if !ok {
		return nil, 0
	}
	return shared, pollServers
}

// checkReach refuses to open a memory to a network without tokens, unless --insecure-no-auth is
// given.
func (p *Program) checkReach(ctx context.Context, a *app, f listenFlags, listeners []net.Listener) error {
	required, err := a.access.Required(ctx)
	if err != nil {
		return err
	}
	proxied := slices.ContainsFunc(p.settings.list("http.hosts"), func(host string) bool { return !web.LoopbackHost(host) })
	if proxied && !required && !f.noAuth {
		return memory.Errorf(memory.CodeForbidden,
			"http.hosts names this server for others, and everybody who reaches them could read and change the memory").
			WithHint("make a token with `mcp-memory token create`, leave http.hosts empty, or say --insecure-no-auth")
	}
	for _, l := range listeners {
		if web.Loopback(l.Addr()) {
			continue
		}
		if !required && !f.noAuth {
			return memory.Errorf(memory.CodeForbidden,
				"at %s everybody who reaches this machine could read and change the memory", l.Addr()).
				WithHint("make a token with `mcp-memory token create`, listen at 127.0.0.1, or say --insecure-no-auth")
		}
		if f.cert == "" {
			p.log.Warn("tokens and memories travel unencrypted unless a proxy in front ends TLS; see --tls-cert", "address",
				l.Addr().String())
		}
	}
	return nil
}

// ready returns why calls cannot be served, or nil. also names a node of a cluster that is
// unavailable, as the banks on the other nodes are still served.
func (a *app) ready(ctx context.Context) (also string, err error) {
	if _, err := a.access.Required(ctx); err != nil {
		return "", err
	}
	for _, f := range a.store.Health().Problems {
		switch {
		case f.Condition == memory.ConditionBroken:
			return "", memory.Errorf(memory.CodeUnavailable, "%s", f.Detail).WithHint("%s", f.Advice)
		case f.Check == memory.CheckNodes:
			also = f.Detail
		}
	}
	return also, nil
}

// gauges adds the health of the database files to other gauges.
func (a *app) gauges(others func(context.Context) ([]server.Gauge, error)) func(context.Context) ([]server.Gauge, error) {
	return func(ctx context.Context) ([]server.Gauge, error) {
		health := a.store.Health()
		all := []server.Gauge{{Name: "mcp_memory_database_problems", Value: float64(len(health.Problems))}}
		if !health.CheckedAt.IsZero() {
			all = append(all, server.Gauge{Name: "mcp_memory_database_checked_timestamp_seconds", Value: float64(health.CheckedAt.Unix())})
		}
		more, err := others(ctx)
		return append(all, more...), err
	}
}

// limits sets the limits for each token.
func (p *Program) limits(o *web.Options) (err error) {
	if o.Rate, err = strconv.ParseFloat(p.settings.get("http.rate"), 64); err != nil || o.Rate < 0 {
		return p.settings.wrong("http.rate", "requests a second, or 0 for no limit")
	}
	for key, to := range map[string]*int{"http.streams": &o.Streams, "http.requests": &o.Requests, "http.body_bytes": &o.BodyBytes} {
		if *to, err = p.settings.int(key); err != nil {
			return err
		}
	}
	return nil
}

func (p *Program) webOptions(a *app, f listenFlags) (web.Options, error) {
	o := web.Options{
		Access: a.access, Agent: a.scope.Agent, SSE: f.sse,
		Hosts: p.settings.list("http.hosts"), Origins: p.settings.list("http.origins"), Issuers: p.settings.list("auth.issuer"),
		Ready:      a.ready,
		MemoryTool: p.memoryTool(a).Call,
		Metrics:    a.gauges(server.BankGauges(a.guard, p.Clock)),
	}
	if err := p.limits(&o); err != nil {
		return o, err
	}
	if f.cert != "" {
		certificate, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return o, memory.Errorf(memory.CodeInvalidArgument, "the TLS certificate cannot be used: %v", err).
				WithHint("--tls-cert and --tls-key are PEM files")
		}
		o.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	}
	return o, nil
}
