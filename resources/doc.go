// Package resources shows a bank under addresses, as pages of Markdown that a
// host can put before a person or a model without calling a tool:
//
//	memory://session-start     what a new session should know, within a token budget
//	memory://soul              the soul entries
//	memory://salient           the memories that stand out
//	memory://stats             what the bank holds
//	memory://record/ID         a record with its history
//	memory://diary/DATE        the entry of a day
//	memory://session/ID        a conversation
//	memory://workspace/PATH    a file of the agent's workspace
//
// The instructions of the server carry the page of a session's start in short
// (briefing.go).
//
// An address only ever leads into the bank of the agent that asks. What is not
// in it, whoever else may have it, is not found.
//
// Everything here is memory text, which somebody wrote who may not be trusted.
// Pages say so on top, and put it where it cannot pass for the page's own
// words: one line behind a dash, or in a quotation. Files are shown as they
// are. Looking reinforces nothing.
package resources
