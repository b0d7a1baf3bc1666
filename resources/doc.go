// Package resources makes the pages and prompts that a host can read beside calling tools.
//
// [Service] makes the pages. They are Markdown under addresses that a host can show to a person or
// give to a model:
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
// The page of a session's start is chosen from some 200 records (choose.go). What kind of sentence
// a record is, as package worth reads it, counts more than the importance it was saved with,
// because that is mostly the default. Being pinned, marked as important or recalled counts too.
// What a newer record puts out of date is left out (outdated.go). In small banks plain facts fill
// the page, but small talk has a line only where there is nothing else. The instructions of the
// server have a short form of it (briefing.go). That is chosen from fewer records and without
// package slots, which would delay the start by some milliseconds.
//
// [Pages] lists resources, templates and prompts, finds out whose bank is meant, and answers
// requests. A prompt is a message that a person has their host send: an instruction for the model
// with the memories it needs.
//
// An address only ever leads into the bank of the agent that asks. What is in another bank is not
// found.
//
// All content is memory text, whose author may not be trusted. Each page says so at its top, but
// for the statistics and for workspace files, which are shown as they are. Memory text cannot be
// mistaken for the page's own words, as it is in a list item or in a quotation. Reading a page does
// not count as a recall.
package resources
