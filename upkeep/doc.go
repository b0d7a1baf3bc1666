// Package upkeep looks after the data directory as a whole: who may use it, what
// is missing from it, backups of it, and how one state of it takes the place of
// another.
//
// # Users
//
// Everybody who opens the database holds the directory's lock together with the
// others ([Enter]). Who exchanges files under it (a restore, a repair) holds it
// alone. The operating system takes the lock back from a process that dies.
//
// # Exchange
//
// Several files cannot be renamed at once. So what comes in is made complete in a
// directory beside, [exchange] then writes a note that says so, which is the moment
// at which the new state counts, and moves file by file. Whoever enters the directory and
// finds the note finishes what it says. Killed before the note, the old state is there
// untouched; killed after it, the new one is there as soon as somebody looks.
// What was there before is moved aside, not deleted.
//
// # Backups
//
// A backup is one gzipped tar: the database as SQLite copies it while others
// write, the workspaces, config.yaml, and at its end a manifest with the SHA-256 of each
// of them. Without the manifest it is not complete; it is read again, and the
// database in it checked, before it gets its name.
package upkeep
