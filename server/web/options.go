package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"net/http"
	"time"

	"mcp-memory/server"
)

// Options are what serving over HTTP is made of. Access and Agent are needed.
type Options struct {
	Access  Access
	Agent   string   // of requests that need no token
	Issuers []string // URLs of who else issues tokens, for clients to find
	SSE     bool     // offer the transport of 2024-11-05 too

	// MemoryTool answers a call of the memory tool of model APIs, which is posted as JSON. The
	// request is the id that the log has. nil offers none.
	MemoryTool func(ctx context.Context, request string, call []byte) (answer []byte)

	// Page is the page for people, which checks everything of its visits itself; it is served at
	// PagePath and below. nil is none.
	Page     http.Handler
	PagePath string

	Hosts   []string // names by which the server may be asked beside those of the loopback
	Origins []string // of web pages that may ask, beside those from the loopback: https://host:port

	TLS   *tls.Config // nil is none
	Ready func(ctx context.Context) (also string,
		err error) // whether calls can be served, and what not all of them can be; nil is always
	Metrics func(ctx context.Context) ([]server.Gauge, error) // beside those of calls; nil is none

	Rate  float64 // requests a second and identity; 0 is no limit
	Burst int     // requests at once; 0 is one second's

	Requests  int // of one identity that are served at once; 0 is [DefaultRequests]
	Streams   int // of one identity that are open; 0 is [DefaultStreams]
	BodyBytes int // of one identity's requests that are under way; 0 is [DefaultBodyBytes], and at least one message fits

	Connections  int              // open at once, of all listeners; 0 is [DefaultConnections]
	Sessions     int              // of all identities; 0 is [DefaultSessions]
	SessionsEach int              // of one identity; 0 is [DefaultSessionsEach]
	SessionIdle  time.Duration    // after which a session ends; 0 is [DefaultSessionIdle]
	Timeout      time.Duration    // to send a request, or to take a part of an answer; 0 is [DefaultTimeout]
	Heartbeat    time.Duration    // between pings on streams; 0 is [DefaultHeartbeat]
	Recheck      time.Duration    // between looks whether the tokens of streams are still valid; 0 is [DefaultRecheck]
	Clock        func() time.Time // nil is the system's

	header time.Duration // to send what comes before the body; 0 is headerTimeout
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

// fill puts in the defaults.
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
