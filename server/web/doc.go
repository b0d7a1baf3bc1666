// Package web serves a [mcp-memory/server.Server] over HTTP: Streamable HTTP in
// both eras of the protocol, and on demand the HTTP+SSE of 2024-11-05.
//
// The library's transports do the protocol, behind a gate of our own that every
// request passes in this order: Host and Origin, path and method, token, rate,
// size and form of the message, session. What the gate lets through carries an
// [access.Identity] in its context. Sessions are kept here and belong to the
// identity that made them; the library would take any that looks like one. What
// is kept is bounded: connections, sessions, messages for lost streams, limits by
// identity. A client has a time for each part of a request and of an answer, so
// that a slow one costs a connection and not for long.
package web
