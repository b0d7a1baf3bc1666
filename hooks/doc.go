// Package hooks answers the hooks of agent hosts: commands that a host runs
// when a session starts, a prompt is sent, or an answer is done. It translates:
// it passes what a host says to the services that do the work, and returns
// their answers in the host's format.
//
//	hosts.go     the hosts as a table: names of events, how each is recognised
//	payload.go   what a host sends, decoded into a [Call]; unknown payloads are no error
//	envelope.go  what is shown, in the form that the host reads
//	service.go   [Service]: what is done for each event
//	start.go     the start page of the project
//	prompt.go    what is recalled for a prompt
//	tool.go      what was learned about a tool, and what went wrong with one
//	capture.go   what was said since the last call, stored in the context window
//	state.go     the state of sessions that a bank keeps between two hooks
//
// # What is shown
//
// Facts are shown in one element, <mcp-memory-recall>, which is cut out again
// when the conversation is read (package injected). About a prompt only facts
// are shown that recall is sure of, and none that the session was shown before.
//
// # What is kept
//
// The transcript that the host writes is read from a mark on that is stored in
// the bank. Every turn has an external id there, so a part that is read twice
// is stored once; the mark moves only after its turns are stored. A hook may be
// killed at any point: the next one of the session reads on, and the next start
// of any session finishes what others left (see [Service.CatchUp]). For hosts
// without a transcript, prompts and answers are stored as they come.
//
// A hook must not break its host: callers print nothing on an error and exit with 0.
package hooks
