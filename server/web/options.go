package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"net/http"
	"time"

	"mcp-memory/server"
)

// Options configure a [Server]. Access and Agent are required.
type Options struct {
	Access  Access
	Agent   string   // of requests that need no token
	Issuers []string // URLs of other issuers of tokens, which clients are told
	SSE     bool     // also offer the HTTP+SSE transport of 2024-11-05

	// MemoryTool answers a call of the memory tool that model APIs define, posted as JSON. request
	// is the request's id in the log. Nil offers no memory tool.
	MemoryTool func(ctx context.Context, request string, call []byte) (answer []byte)

	// Page serves the web page for people, at PagePath and below, and does all checks of its
	// requests itself. Nil serves none.
	Page     http.Handler
	PagePath string

	Hosts   []string // host names by which the server may be addressed, besides those of the loopback
	Origins []string // origins of web pages that may use the server, besides loopback ones: https://host:port

	TLS   *tls.Config // nil serves without TLS
	Ready func(ctx context.Context) (also string,
		err error) // err says why no calls can be served, also what works only in part; nil is always ready
	Metrics func(ctx context.Context) ([]server.Gauge, error) // besides those of calls; nil is none

	Rate  float64 // per second and identity; 0 is no limit
	Burst int     // requests at once; 0 is as many as in one second

	Requests  int // of one identity in progress; 0 is [DefaultRequests]
	Streams   int // of one identity that are open; 0 is [DefaultStreams]
	BodyBytes int // of bodies of one identity in memory; 0 is [DefaultBodyBytes]; at least one message fits

	Connections  int              // open at once, of all listeners; 0 is [DefaultConnections]
	Sessions     int              // of all identities; 0 is [DefaultSessions]
	SessionsEach int              // of one identity; 0 is [DefaultSessionsEach]
	SessionIdle  time.Duration    // without use after which a session ends; 0 is [DefaultSessionIdle]
	Timeout      time.Duration    // to send a request, or to accept a part of an answer; 0 is [DefaultTimeout]
	Heartbeat    time.Duration    // between pings on streams; 0 is [DefaultHeartbeat]
	Recheck      time.Duration    // between checks whether the tokens of streams are still valid; 0 is [DefaultRecheck]
	Clock        func() time.Time // nil is the system's

	header time.Duration // to send the headers of a request; 0 is headerTimeout
}

// Defaults of [Options].
const (
	DefaultRequests     = 128
	DefaultStreams      = 64
	DefaultBodyBytes    = 16 << 20
	DefaultConnections  = 1024
	DefaultSessions     = 4096
	DefaultSessionsEach = 256
	DefaultSessionIdle  = time.Hour
	DefaultTimeout      = 30 * time.Second
	DefaultHeartbeat    = 30 * time.Second
	DefaultRecheck      = 500 * time.Millisecond
)

// fill sets the defaults.
func (o *Options) fill() {
	or := func(n *int, fallback int) { *n = cmp.Or(max(*n, 0), fallback) }
	or(&o.Burst, max(1, int(o.Rate)))
	or(&o.Requests, DefaultRequests)
	or(&o.Streams, DefaultStreams)
	or(&o.BodyBytes, DefaultBodyBytes)
	or(&o.Connections, DefaultConnections)
	or(&o.Sessions, DefaultSessions)
	or(&o.SessionsEach, DefaultSessionsEach)
	orTime := func(d *time.Duration, fallback time.Duration) { *d = cmp.Or(max(*d, 0), fallback) }
	orTime(&o.SessionIdle, DefaultSessionIdle)
	orTime(&o.Timeout, DefaultTimeout)
	orTime(&o.Heartbeat, DefaultHeartbeat)
	orTime(&o.Recheck, DefaultRecheck)
	orTime(&o.header, headerTimeout)
	if o.Clock == nil {
		o.Clock = time.Now
	}
}
