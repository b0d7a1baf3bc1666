package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"time"

	"mcp-memory/server"
)

// Options are what serving over HTTP is made of. Access and Agent are needed.
type Options struct {
	Access  Access
	Agent   string   // of requests that need no token
	Issuers []string // URLs of who else issues tokens, for clients to find
	SSE     bool     // offer the transport of 2024-11-05 too

	Hosts   []string // names by which the server may be asked beside those of the loopback
	Origins []string // of web pages that may ask, beside those from the loopback: https://host:port

	TLS     *tls.Config                                       // nil is none
	Ready   func(ctx context.Context) error                   // whether calls can be served; nil is always
	Metrics func(ctx context.Context) ([]server.Gauge, error) // beside those of calls; nil is none

	Rate  float64 // requests a second and identity; 0 is no limit
	Burst int     // requests at once; 0 is one second's

	Connections  int              // open at once, of all listeners; 0 is [DefaultConnections]
	Sessions     int              // of all identities; 0 is [DefaultSessions]
	SessionsEach int              // of one identity; 0 is [DefaultSessionsEach]
	SessionIdle  time.Duration    // after which a session ends; 0 is [DefaultSessionIdle]
	Timeout      time.Duration    // to send a request, or to take a part of an answer; 0 is [DefaultTimeout]
	Heartbeat    time.Duration    // between pings on streams; 0 is [DefaultHeartbeat]
	Clock        func() time.Time // nil is the system's

	header time.Duration // to send what comes before the body; 0 is headerTimeout
}

// Defaults of [Options].
const (
	DefaultConnections  = 1024
	DefaultSessions     = 4096
	DefaultSessionsEach = 256
	DefaultSessionIdle  = time.Hour
	DefaultTimeout      = 30 * time.Second
	DefaultHeartbeat    = 30 * time.Second
)

// fill puts in the defaults.
func (o *Options) fill() {
	or := func(n *int, fallback int) { *n = cmp.Or(max(*n, 0), fallback) }
	or(&o.Burst, max(1, int(o.Rate)))
	or(&o.Connections, DefaultConnections)
	or(&o.Sessions, DefaultSessions)
	or(&o.SessionsEach, DefaultSessionsEach)
	orTime := func(d *time.Duration, fallback time.Duration) { *d = cmp.Or(max(*d, 0), fallback) }
	orTime(&o.SessionIdle, DefaultSessionIdle)
	orTime(&o.Timeout, DefaultTimeout)
	orTime(&o.Heartbeat, DefaultHeartbeat)
	orTime(&o.header, headerTimeout)
	if o.Clock == nil {
		o.Clock = time.Now
	}
}
