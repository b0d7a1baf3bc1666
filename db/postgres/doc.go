// Package postgres keeps banks in a PostgreSQL database, which several servers can share. It
// implements [memory.Store].
//
// # Agents
//
// The agent comes first in every key, index and statement, and a transaction is of one agent, so
// that the tables can be distributed over machines by agent. Row-level security is a second fence:
// a transaction sees only the rows of the agent that it has named.
//
// # Writes
//
// A write locks its bank's row and works at read committed. Statements whose results nobody waits
// for are queued, and sent with the next query or with the commit, in one round trip (type tx).
// Writes to different banks never wait for each other.
//
// # Search
//
// A word is stored as a hash of the bank's number and the stem, in one inverted index: the postings
// of a bank are apart from those of all others. Scores are computed in this package, from the
// bank's own document frequencies. Substrings and vectors are searched by reading the rows of the
// bank, for which no extension is needed. Recall searches the database in these ways only while its
// index in memory (package recall/index) is being built; a save does always, for similar records.
package postgres
