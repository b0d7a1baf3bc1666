// Package web serves a [mcp-memory/server.Server] over HTTP: Streamable HTTP in
// both eras of the protocol, and on demand the HTTP+SSE of 2024-11-05.
//
// Start with routes.go: what is served where, and the middlewares that a request
// passes, in this order:
//
//	logAndRecover   exchange.go    an id, a deadline, a line in the log; panics
//	checkOrigin     origin.go      Host and Origin: no web page asks for its reader
//	allow           routes.go      the method; preflights of browsers
//	whileOpen       routes.go      nothing new once the shutdown has begun
//	authenticate    auth.go        the token, and whose it is
//	limitRate       ratelimit.go   how often that identity asks
//	limitBody       body.go        the size and form of the message
//	ofOneBank       routes.go      no operators, but for metrics
//
// What is left is for the handlers: mcp.go, sse.go and probes.go. The library's
// transports do the protocol there. Sessions are kept here (sessions.go) and
// belong to the identity that made them.
//
// Nothing that a client can make more of is without a bound: connections
// (connlimiter.go), sessions, messages for lost streams (events.go), limits by
// identity. A client has a time for each part of a request and of an answer, so
// that a slow one costs a connection and not for long.
package web
