// Package server speaks MCP: it puts a fleet of tools, pages and prompts behind
// whatever transport carries the messages.
//
//	server           what is the same over every transport (this package)
//	server/stdio     our own transport over stdin and stdout
//	server/web       Streamable HTTP and the older HTTP+SSE
//	server/jsonrpc   reads messages, for both
//
// A program makes a [Server] of its [Options] and hands it to transports, to
// several at once if it likes:
//
//	s := server.New(server.Options{Name: "mcp-memory", Version: "1", Fleet: fleet, Pages: pages})
//	err := stdio.Serve(ctx, s, os.Stdin, os.Stdout)
//	err = web.New(s, web.Options{Access: tokens, Agent: "default"}).Serve(ctx, listener)
//
// The protocol itself is the MCP library's work (github.com/mark3labs/mcp-go), in
// both eras: the handshake of 2024-11-05 to 2025-11-25 (initialize) and the
// stateless form of 2026-07-28 (server/discover). Here is what the product adds:
//
//	instructions.go    the text that a host shows its model at the handshake
//	middleware.go      around every tool call: what an identity may, audit, metrics
//	apps.go            the page that hosts show in a conversation, for what tools found
//	resources.go       pages about a bank; prompts.go and completion.go likewise
//	subscriptions.go   notifications when a page changes, whoever changed it
//	sampling.go        asking the model of the host at stdin; elicitation.go its user
//	metrics.go         counts and durations of calls
//
// Over HTTP a request carries an [mcp-memory/access.Identity] in its context, from
// which everything further in takes whose memory it is about. Over stdin and
// stdout there is none: the agent is the program's setting.
//
// Where the library does something else than is needed, the code beside the
// workaround says what: search for "the library". It names the library's issue
// where there is one.
package server
