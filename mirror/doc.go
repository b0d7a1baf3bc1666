// Package mirror keeps an agent's bank and MEMORY.md saying the same, both ways.
//
// What is durable is written to the file: what is pinned, of importance 0.7 or more,
// or says who the user is, how they like things or what was decided; and what a
// compaction found. Whatever call changes such a memory, it changes the line too
// before it returns: [Watch] wraps the store and sees every transaction.
// An import changes the lines now and then and at its end: [Gathering].
//
// What a person does to the file changes the bank: a reworded line supersedes its
// memory, a line taken out archives it, a new bullet is saved under the category of
// its heading, a bullet moved under the heading of another category changes that.
// Open to-dos are in the file as well, as bullets with a box: ticking completes one,
// clearing reopens it, and so on; HEARTBEAT.md is looked through for boxes, too.
// The person wins: an edit that meets a change of the bank supersedes it, and the
// history has both. What the file said when it was left is kept beside it (see
// workspace.Dir.Reconcile); comparing with that tells who changed what.
//
// To hear a line is to change the bank as the line says. A pass hears up to 100 new and
// reworded lines; if thousands are pasted at once, [Service.Run] and the next calls hear the
// rest.
//
// Everything may be repeated. A process that dies between the bank and the file
// leaves a file from which the next pass draws the same conclusions, and
// [Service.Complete] writes what a dead process has not.
package mirror
