// Package cognition keeps what an agent is, has lived through, knows, can do
// and thinks of others: soul entries, episodes, triples, procedures,
// relationships, learnings and a diary.
//
// All of them are records with details, so that every search finds them and
// every budget counts them. What a search shows is the record's content, so
// each is written as text that stands on its own, made of its details.
//
// Nothing is overwritten. What changes is superseded: the earlier version
// stays as it was, with its details, and answers for its time. Only counts
// (runs of a procedure, interactions with somebody) change in place.
//
// Soul entries, procedures, relationships and the diary belong to the agent and
// are the same in every project. Episodes, triples and learnings lie in the
// project of the call, as facts do.
package cognition
