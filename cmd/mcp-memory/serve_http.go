package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/access"
	"mcp-memory/access/oidc"
	"mcp-memory/memory"
	"mcp-memory/server"
	"mcp-memory/server/stdio"
	"mcp-memory/server/web"
)

// entrances are where a server can be reached. The zero value is stdin and stdout.
type entrances struct {
	http, unix string
	cert, key  string
	sse, stdio bool
	open       bool // beyond this machine for everybody
}

func (d *entrances) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&d.http, "http", "", "serve HTTP at this address, such as 127.0.0.1:8765; with port 0 the address chosen is printed on stderr")
	f.StringVar(&d.unix, "unix", "", "serve HTTP on a Unix socket at this path")
	f.BoolVar(&d.sse, "sse", false, "offer the HTTP+SSE transport of 2024-11-05 too, at /sse and /message")
	f.BoolVar(&d.stdio, "stdio", false, "also serve stdin and stdout; the end of stdin ends both")
	f.StringVar(&d.cert, "tls-cert", "", "serve HTTPS with the certificate in this PEM file")
	f.StringVar(&d.key, "tls-key", "", "private key of the certificate")
	f.BoolVar(&d.open, "insecure-no-auth", false, "without any token, let everybody who reaches the address read and change this memory")
}

func (d *entrances) overHTTP() bool { return d.http != "" || d.unix != "" }

// check reports flags that do not go together.
func (d *entrances) check() error {
	switch {
	case (d.cert == "") != (d.key == ""):
		return usageError{errors.New("--tls-cert and --tls-key need each other")}
	case !d.overHTTP() && (d.sse || d.cert != "" || d.open):
		return usageError{errors.New("--sse, --tls-cert and --insecure-no-auth need --http ADDRESS or --unix PATH")}
	}
	return nil
}

// run serves at all entrances until one of them is closed or ctx is done.
func (p *Program) run(ctx context.Context, a *app, s *server.Server, d entrances) error {
	if !d.overHTTP() {
		return stdio.Serve(ctx, s, p.Stdin, p.Stdout)
	}
	http, listeners, err := p.web(ctx, a, s, d)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var work sync.WaitGroup
	var errs [2]error
	work.Go(func() { defer stop(); errs[0] = http.Serve(ctx, listeners...) })
	if d.stdio {
		work.Go(func() { defer stop(); errs[1] = stdio.Serve(ctx, s, p.Stdin, p.Stdout) })
	}
	work.Wait()
	return errors.Join(errs[:]...)
}

// web opens the listeners and makes what serves them.
func (p *Program) web(ctx context.Context, a *app, s *server.Server, d entrances) (*web.Server, []net.Listener, error) {
	options, err := p.webOptions(a, d)
	if err != nil {
		return nil, nil, err
	}
	listeners, err := d.listen()
	if err == nil {
		err = p.checkReach(ctx, a, d, listeners)
	}
	if err != nil {
		for _, l := range listeners {
			l.Close()
		}
		return nil, nil, err
	}
	for _, l := range listeners {
		fmt.Fprintln(p.Stderr, "mcp-memory: serving MCP at "+d.url(l))
	}
	return web.New(s, options), listeners, nil
}

func (d *entrances) url(l net.Listener) string {
	switch {
	case l.Addr().Network() == "unix":
		return "unix:" + l.Addr().String() + " (/mcp)"
	case d.cert != "":
		return "https://" + l.Addr().String() + "/mcp"
	}
	return "http://" + l.Addr().String() + "/mcp"
}

func (d *entrances) listen() (listeners []net.Listener, err error) {
	if d.http != "" {
		l, err := net.Listen("tcp", d.http)
		if err != nil {
			return nil, cannotListen("--http", d.http, err)
		}
		listeners = append(listeners, l)
	}
	if d.unix != "" {
		l, err := listenUnix(d.unix)
		if err != nil {
			return listeners, cannotListen("--unix", d.unix, err)
		}
		listeners = append(listeners, l)
	}
	return listeners, nil
}

func cannotListen(flag, where string, err error) error {
	return memory.Errorf(memory.CodeUnavailable, "%s %s: %v", flag, where, err).WithHint("choose an address that is free")
}

// listenUnix takes the place of a socket that a dead server has left.
func listenUnix(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
		if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
			conn.Close()
			return nil, errors.New("another server is there")
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// checkReach refuses to open a memory to a network by mistake.
func (p *Program) checkReach(ctx context.Context, a *app, d entrances, listeners []net.Listener) error {
	required, err := a.access.Required(ctx)
	if err != nil {
		return err
	}
	for _, l := range listeners {
		if web.Loopback(l.Addr()) {
			continue
		}
		if !required && !d.open {
			return memory.Errorf(memory.CodeForbidden, "at %s everybody who reaches this machine could read and change the memory", l.Addr()).
				WithHint("make a token with `mcp-memory token create`, listen at 127.0.0.1, or say --insecure-no-auth")
		}
		if d.cert == "" {
			p.log.Warn("tokens and memories travel unencrypted unless a proxy in front ends TLS; see --tls-cert", "address", l.Addr().String())
		}
	}
	return nil
}

func (p *Program) webOptions(a *app, d entrances) (web.Options, error) {
	o := web.Options{
		Access: a.access, Agent: a.scope.Agent, SSE: d.sse,
		Hosts: p.settings.list("http.hosts"), Origins: p.settings.list("http.origins"), Issuers: p.settings.list("auth.issuer"),
		Ready: func(ctx context.Context) error { _, err := a.access.Required(ctx); return err },
	}
	var err error
	if o.Rate, err = strconv.ParseFloat(p.settings.get("http.rate"), 64); err != nil || o.Rate < 0 {
		return o, p.settings.wrong("http.rate", "requests a second, or 0 for no limit")
	}
	if d.cert != "" {
		certificate, err := tls.LoadX509KeyPair(d.cert, d.key)
		if err != nil {
			return o, memory.Errorf(memory.CodeInvalidArgument, "the TLS certificate cannot be used: %v", err).WithHint("--tls-cert and --tls-key are PEM files")
		}
		o.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	}
	measured := &measurement{app: a, clock: p.Clock}
	o.Metrics = measured.gauges
	return o, nil
}

// list reads a setting with commas.
func (s settings) list(key string) []string {
	return strings.FieldsFunc(s.get(key), func(r rune) bool { return r == ',' || r == ' ' })
}

// verifier knows the tokens of another issuer, nil if none is set.
func (p *Program) verifier() (access.Verifier, error) {
	s := p.settings
	if s.get("auth.issuer") == "" {
		return nil, nil
	}
	return oidc.New(oidc.Options{
		Issuer: s.get("auth.issuer"), Audience: s.get("auth.audience"), Claim: s.get("auth.claim"), Clock: p.Clock,
	})
}

// measureEvery is how old the counts in the metrics may be: counting costs more
// than a call.
const measureEvery = 15 * time.Second

// measurement counts what all banks together hold.
type measurement struct {
	app   *app
	clock memory.Clock

	mu   sync.Mutex
	at   time.Time
	last []server.Gauge
}

func (m *measurement) gauges(ctx context.Context) ([]server.Gauge, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	if m.clock().Sub(m.at) >= measureEvery {
		var counted []server.Gauge
		if counted, err = m.count(ctx); err == nil {
			m.last, m.at = counted, m.clock()
		}
	}
	busy := server.Gauge{Name: "mcp_memory_database_write_seconds_total", Value: m.app.guard.Busy().Seconds()}
	return append([]server.Gauge{busy}, m.last...), err
}

func (m *measurement) count(ctx context.Context) ([]server.Gauge, error) {
	agents, err := m.app.store.Agents(ctx)
	if err != nil {
		return nil, err
	}
	var sum memory.Stats
	for _, agent := range agents {
		one, err := m.app.store.Stats(ctx, agent)
		if err != nil {
			return nil, err
		}
		sum.Records += one.Records
		sum.Turns += one.Turns
		sum.Vectors += one.Vectors
		sum.VectorsQueued += one.VectorsQueued
		sum.VectorsFailed += one.VectorsFailed
		sum.DatabaseBytes = one.DatabaseBytes
	}
	return []server.Gauge{
		{Name: "mcp_memory_records", Value: float64(sum.Records)},
		{Name: "mcp_memory_turns", Value: float64(sum.Turns)},
		{Name: "mcp_memory_vectors", Value: float64(sum.Vectors)},
		{Name: "mcp_memory_vectors_queued", Value: float64(sum.VectorsQueued)},
		{Name: "mcp_memory_vectors_failed", Value: float64(sum.VectorsFailed)},
		{Name: "mcp_memory_database_bytes", Value: float64(sum.DatabaseBytes)},
	}, nil
}

// wantsTracing reports whether the standard environment variables name where
// spans are sent.
func (p *Program) wantsTracing() bool {
	return p.Env("OTEL_SDK_DISABLED") != "true" && (p.Env("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || p.Env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != "")
}
