// Package stdio serves a [mcp-memory/server.Server] over stdin and stdout: one
// message a line, one client a process. It also has the other end, [Child], for
// programs that start a server of their own.
//
// The transport is our own, because the library's does not keep what a memory
// needs of it:
//
//   - Requests of a connection are handled one after the other, in the order in
//     which they arrived. A save that is followed by a recall in the pipe is
//     seen by it, and writes never change places. (The library's transport has
//     five workers, and one worker would still let other requests overtake.)
//   - What was read completely is executed to its end and answered before the
//     server returns at the end of input, also a last line without a newline.
//     (The library cancels calls in flight and drops that line, see
//     https://github.com/mark3labs/mcp-go/pull/977.)
//   - A line is limited, and what is not protocol gets an answer and does not
//     end the connection: a byte order mark, blank lines, half a message, text
//     that is not UTF-8, a batch. (The library reads lines of any length.)
//   - A notification that a call sends goes out before the call's answer. (The
//     library writes the two from different goroutines.)
//   - Everything that belongs to a connection is in the connection. (The
//     library's stdio session is one global variable.)
//
// Only cancellations, pings and answers to our own requests overtake, since
// they are about calls that are waiting, and subscriptions/listen runs
// concurrently, since it lasts as long as its client wants it to.
//
// A line goes through lines.go (bytes), package jsonrpc (message), calls.go (the
// queue), the library, and output.go (the only writer); session.go is what the
// library sees of the client.
package stdio
