// Package remember is how a bank changes: saving, correcting, forgetting and
// taking back. Every door (tools, command line, import) goes through it.
//
// The same rules hold for every write. It is checked whole before anything is
// written; it goes in one transaction with its text index and, where the
// embedder is local, its vector; it is acknowledged after commit. A write with
// an idempotency key that was seen before returns the first answer. What the
// database has is then mirrored to the day's log; a log that cannot be written
// is reported in the answer, never as a failure of the save.
//
// A fact that fills the slot of a known one ("I live in Oslo", "I moved to
// Bergen"; see package slots) takes its place without being told, where that is
// certain: both are short and plain, of one project, and the older one says
// nothing else and is not pinned. Which was first is told by the times that they
// are of, so the order of an import does not matter; what begins later ends the
// older one then. Where it is only likely both stay, and the answer names the
// other. What a save decided on its own is undone by [Service.Forget] under the
// id of the record that was saved: then both hold, and nothing is lost.
package remember
