// Package transfer exports banks and imports files of several formats. Its own formats are JSONL,
// one record or message a line. They are streamed in constant memory, with two exceptions. An
// export holds all to-dos, events and actions of the bank. The import of a bundle holds a set of
// ids: some 30 bytes for each turn of the bank and each archived or externally named record of the
// bundle.
//
// # Formats
//
// Turns are messages of conversations:
//
//	{"id"?, "session", "speaker", "role"?, "ts"?, "text"}
//
// Facts are single memories. "text" may be used instead of "content":
//
//	{"id"?, "content", "category"?, "kind"?, "ts"?, "importance"?, "tags"?, "speaker"?, "session"?, "source"?}
//
// A bundle is what [Export] writes: a header, all records, turns, to-dos, calendar events and
// actions of a bank with all their fields, and a footer with their numbers, by which a truncated
// file is noticed. Unknown fields are ignored.
//
// [ExportNotes] and [ImportNotes] transfer the same as a bundle, but for actions, in a folder of
// Markdown notes. Package notes reads and writes their form.
package transfer
