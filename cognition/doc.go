// Package cognition keeps what an agent is, has lived through, knows, can do
// and thinks of others: soul entries, episodes, triples, procedures,
// relationships, learnings and a diary.
//
// All of them are records with details, so that every search finds them and
// every budget counts them. A search shows the content of a record, so the
// content is made from the details as text that can be understood alone.
//
// Nothing is overwritten. A change supersedes: the earlier version stays as it
// was, with its details, and a query about its time finds it. Only counts (runs
// of a procedure, interactions with somebody) change in place.
//
// Soul entries, procedures, relationships and the diary belong to the agent and
// are the same in every project. Episodes, triples and learnings belong to the
// project of the call, as facts do.
package cognition
