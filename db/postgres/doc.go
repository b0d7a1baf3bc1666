// Package postgres keeps banks in a PostgreSQL database, for several servers on
// one memory. It implements [memory.Store].
//
// # Agents
//
// The agent comes first in every key, index and statement, and a transaction is of
// one agent: the tables can be spread over machines by it. Row-level security is
// a second fence: a row is there only for the agent that the transaction has named.
//
// # Writes
//
// A write locks its bank's row, works at read committed, and gathers the statements
// whose result nobody waits for: they travel with the next question, or with the
// commit (type tx). Banks never wait for each other.
//
// # Search
//
// Words are hashes of the bank's number and the stem, in one inverted index: the
// postings of one bank lie apart from those of all others. Scores are computed here,
// by the bank's own document frequencies. Substrings and vectors are looked for in
// the rows of the bank, which no extension is needed for. All of this is the path
// while the index in memory is being built (package recall/index).
package postgres
