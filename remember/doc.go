// Package remember is how a bank changes: saving, correcting, forgetting and
// taking back. Every door (tools, command line, import) goes through it.
//
// The same rules hold for every write. It is checked whole before anything is
// written; it goes in one transaction with its text index and, where the
// embedder is local, its vector; it is acknowledged after commit. A write with
// an idempotency key that was seen before returns the first answer. What the
// database has is then mirrored to the day's log; a log that cannot be written
// is reported in the answer, never as a failure of the save.
package remember
