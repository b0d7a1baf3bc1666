// Package upkeep looks after the data directory as a whole: who may use it, what is missing from
// it, backups, and how one state of it is replaced by another.
//
// # Locks
//
// Every process that opens the database holds the directory's lock shared ([Enter]). A process that
// exchanges files in it (a restore, a repair) holds it exclusively. The operating system releases
// the lock of a process that dies.
//
// # Exchange
//
// Several files cannot be renamed in one step. So the new state is first completed in a directory
// of its own. Then [Dir.Exchange] writes a note about it, which is the moment at which the new
// state counts, and moves file by file. Whoever enters the directory and finds the note finishes
// the exchange. If the process is killed before the note, the old state is untouched; after it, the
// next process completes the new one. The old state is moved aside, not deleted.
//
// # Backups
//
// A backup is a gzipped tar archive: the database as SQLite copies it while others write, the
// workspaces, config.yaml, tokens.required, and at its end a manifest with the SHA-256 of each
// file. Without the manifest it is incomplete. A backup is read again, and the database in it
// checked, before it gets its name.
package upkeep
