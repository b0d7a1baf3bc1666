// Package resources holds what a host asks for beside calling tools: pages and
// prompts about a bank.
//
// [Service] makes the pages, Markdown under addresses that a host can put
// before a person or a model:
//
//	memory://session-start     what a new session should know, within a token budget
//	memory://soul              the soul entries
//	memory://salient           the memories that stand out
//	memory://stats             what the bank holds
//	memory://record/ID         a record with its history
//	memory://diary/DATE        the entry of a day
//	memory://session/ID        a conversation
//	memory://blame/PATH        what is behind a file: sessions, decisions, corrections
//	memory://workspace/PATH    a file of the agent's workspace
//
// The page of a session's start is a choice out of some 200 records (choose.go).
// What a sentence is, as package worth reads it, counts more than the importance
// it was saved with, which is mostly the default; what is pinned, marked as
// important or recalled counts with it. What a newer record puts out of date is
// left out (outdated.go). Small banks are filled up with plain facts, small talk
// never has a line. The instructions of the server carry the same choice out of
// fewer records in short (briefing.go), by words alone: reading slots would cost
// the start some milliseconds.
//
// [Pages] lists them, their families and the prompts, finds out whose bank is
// meant and answers. A prompt is a message that a person has their host send:
// what to do, and the memories that it takes.
//
// An address only ever leads into the bank of the agent that asks. What is not
// in it, whoever else may have it, is not found.
//
// Everything here is memory text, which somebody wrote who may not be trusted.
// Pages say so on top, and put it where it cannot pass for the page's own
// words: one line behind a dash, or in a quotation. Files are shown as they
// are. Looking reinforces nothing.
package resources
