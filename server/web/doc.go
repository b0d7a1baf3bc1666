// Package web serves a [mcp-memory/server.Server] over HTTP: Streamable HTTP in both eras of the
// protocol, and optionally the HTTP+SSE transport of 2024-11-05.
//
// Start with routes.go, which shows what is served where. A request passes these middlewares, in
// this order:
//
//	logAndRecover   exchange.go    request id, deadlines, a line in the log; recovers panics
//	checkOrigin     origin.go      Host and Origin, against web pages that abuse a reader
//	allow           routes.go      the method; preflights of browsers
//	whileOpen       routes.go      refuses new requests after the shutdown has begun
//	authenticate    auth.go        the token, and the identity that it gives
//	limitRate       ratelimit.go   requests per second of the identity
//	limitUse        shares.go      requests, streams and bytes in use by the identity
//	limitBody       body.go        size and type of the message
//	ofOneBank       routes.go      refuses operators, except for metrics
//
// Then come the handlers: mcp.go, sse.go, memorytool.go and probes.go. They leave the protocol to
// the library's transports. Sessions are kept here (sessions.go) and belong to the identity that
// made them.
//
// Everything that a client can increase is limited: connections (connlimiter.go), sessions,
// messages kept for lost streams (events.go), requests and rates of an identity. There is a timeout
// for each part of a request and of an answer, so that a slow client holds one connection, and not
// for long.
package web
