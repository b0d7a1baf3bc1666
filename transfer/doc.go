// Package transfer takes banks out of the program and foreign files into it:
// JSONL, one record or message a line, streamed in constant memory (a bundle
// takes some 30 bytes more for each record with an external id).
//
// # Formats
//
// Turns are messages of conversations:
//
//	{"id"?, "session", "speaker", "role"?, "ts"?, "text"}
//
// Facts are single memories; "text" serves for "content":
//
//	{"id"?, "content", "category"?, "kind"?, "ts"?, "importance"?, "tags"?, "speaker"?, "session"?, "source"?}
//
// A bundle is what [Export] writes: a header, every record, turn, to-do and
// calendar event of a bank with all that is known of them, and a footer that
// counts them, so that a file which was cut off is noticed. Unknown fields are
// ignored.
//
// [ExportNotes] and [ImportNotes] have the same as a bundle in a folder of
// Markdown notes; package notes knows their form.
//
// # Again
//
// Importing a file a second time changes nothing, also after the first import
// was killed, so trying again is always safe. An id becomes the external id
// by which a line is known again. A message without one gets an external id
// that is made of its session, its position there and what was said. A fact
// without one is known by its content alone: one that was corrected meanwhile
// comes back. One that was forgotten or erased after it was said does not, unless
// [Options.Revive] wants it; of what was erased a bank keeps a hash for that. What is in a bundle keeps its id, and what was
// done about it since its first import stays done. An id that no file or comment
// could hold ("../../x") is replaced by one made of it, wherever it stands, and
// goes to the provenance as "bundle_id".
//
// # Batches
//
// Up to [memory.MaxBatch] lines go in one transaction. While one batch is
// written the next one is read, checked and embedded. A broken line stops the
// import: its batch is not written, those before it are.
package transfer
