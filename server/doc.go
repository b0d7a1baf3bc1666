// Package server speaks MCP: it puts a fleet of tools behind the transports.
//
// Protocol messages are handled by the MCP library, in both eras: the
// handshake of 2024-11-05 to 2025-11-25 (initialize) and the stateless form of
// 2026-07-28 (server/discover). The transport over stdin and stdout is our own,
// because the library's does not keep what a memory needs of it:
//
//   - Requests of a connection are handled one after the other, in the order in
//     which they arrived. A save that is followed by a recall in the pipe is
//     seen by it, and writes never change places. (The library's transport has
//     five workers, and one worker would still let other requests overtake.)
//   - What was read completely is executed to its end and answered before the
//     server returns at the end of input, also a last line without a newline.
//     (The library cancels calls in flight and drops that line.)
//   - A line is limited, and what is not protocol gets an answer and does not
//     end the connection: a byte order mark, blank lines, half a message, text
//     that is not UTF-8, a batch.
//   - A notification that a call sends goes out before the call's answer.
//   - Everything that belongs to a connection is in the connection. (The
//     library's stdio session is one global variable.)
//
// Only cancellations, pings and answers to our own requests overtake, since
// they are about calls that are waiting, and subscriptions/listen runs beside
// the rest, since it lasts as long as its client wants it to.
//
// Over HTTP the library's transports do the protocol, behind a gate of our own
// that every request passes in this order: Host and Origin, path and method,
// token, rate, size and form of the message, session. What the gate lets through
// carries an [access.Identity] in its context, from which everything further in
// takes whose memory it is about. Sessions are kept here and belong to the
// identity that made them; the library would take any that looks like one. What
// the gate keeps is bounded: connections, sessions, messages for lost streams,
// limits by identity. A client has a time for each part of a request and of an
// answer, so that a slow one costs a connection and not for long.
package server
