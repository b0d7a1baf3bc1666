// Package hooks answers the hooks of agent hosts: commands that a host runs when a
// session starts, a prompt is sent, an answer is done. It is a door: what a host
// says goes to the use cases, and what they answer goes back in the host's form.
//
//	hosts.go     the hosts as a table: names of events, how each is recognised
//	payload.go   what a host sends, decoded into a [Call]; nothing that it sends is an error
//	envelope.go  what is shown, in the form that the host reads
//	service.go   [Service]: events to work
//	start.go     the start page of the project
//	prompt.go    what is remembered about a prompt
//	tool.go      what was learned about a tool, and what went wrong with one
//	capture.go   what was said since the last time, reported to the context window
//	state.go     what a bank keeps of sessions between two hooks
//
// # What is shown
//
// Facts in one element, <mcp-memory-recall>, which is cut out again when the
// conversation is read (package injected). Of a prompt only what an answer is sure
// of, and never what the session has been shown already.
//
// # What is kept
//
// The transcript that the host writes is read on from a mark in the bank. Every
// turn has an external id there, so reading a part twice reports it once; the mark moves only
// after its turns are stored. A hook may be killed anywhere: the next one of the session reads on, and
// the next start of any session finishes what others left (see [Service.CatchUp]).
// Of hosts without a transcript prompts and answers are kept as they come.
//
// A hook must not break its host: callers print nothing on an error and exit with 0.
package hooks
