// Package stdio serves a [mcp-memory/server.Server] over stdin and stdout, with one message on each
// line and one client for each process. It also has the client side, [Child], for programs that
// start a server of their own.
//
// The library's transport is not used, because a memory needs more than it guarantees:
//
//   - The requests of a connection are handled one after the other, in the order of their arrival.
//     A recall behind a save in the pipe finds what was saved, and writes never change places. (The
//     library's transport has five workers for tool calls, and even with one worker requests that
//     are no tool calls would overtake.)
//   - Requests that were read completely before the end of input, also a last line without a
//     newline, are executed and answered before the server returns. (The library cancels calls in
//     flight and drops that line, see https://github.com/mark3labs/mcp-go/pull/977.)
//   - The length of a line is limited. Byte order marks and blank lines are skipped. Half a
//     message, text that is not UTF-8, or a batch gets an error as its answer. None of these ends
//     the connection. (The library reads lines of any length.)
//   - A notification that a call sends is written before the call's answer. (The library writes the
//     two from different goroutines.)
//   - All state of a connection is in the connection. (The library's stdio session is one global
//     variable.)
//
// Only cancellations, pings and answers to requests of the server overtake, because waiting calls
// depend on them. subscriptions/listen runs concurrently, because it lasts as long as its client
// wants.
//
// A line goes through lines.go (bytes), package jsonrpc (message), calls.go (the queue), the
// library, and output.go (the only writer). session.go is the client as the library sees it.
package stdio
