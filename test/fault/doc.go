// Package fault is tests alone: every call of SQLite to the file system that changes something fails
// once, or is the last one before the process or the machine dies, while the program saves, erases,
// imports, backs up, restores or migrates. Reads fail and locks are refused while it starts, saves,
// erases, recalls and exports. docs/evaluation.md says how to run all of it.
//
// The tests put a layer between SQLite and its file system, which only the default driver allows
// while files keep their locks and shared memory; with the tag ncruces there are none.
package fault
