// Package review finds what a person should decide about a bank: facts of which one may have
// replaced the other, opposites, near-duplicates, secrets, years that the program wrote though
// nobody said them, and learnings that were never used.
//
// The package decides nothing, and stores only which items a person wants to keep as they are. A
// look reads the newest [Looked] memories and compares them with each other, by the statements that
// package slots finds in them and by the words they share. It runs in the background, again
// whenever the bank has changed. So nobody waits for it, and a bank of any size costs the same.
// While a look runs, the items of the one before are shown, less those that were decided, forgotten
// or replaced since.
package review
