// Package sqlite keeps banks in one SQLite file. It implements [memory.Store].
//
// # Processes
//
// Many processes share a file: WAL, a busy timeout, BEGIN IMMEDIATE for every
// write and synchronous=FULL, so that what was acknowledged survives a power
// cut. Each process has one writing handle and a pool of reading ones. Writes of
// one process that wait for each other share a commit (group commit, type commitQueue).
//
// # Search
//
// A document's seq is bank << 40 | n. One bank is therefore one range of
// rowids, and a full-text query with that range never reads the postings of
// another bank; vec0 tables have the bank as partition key. Text indexes are
// contentless and get prepared text (package analysis): words in any
// inflection in one, literal parts in the other.
//
// FTS5 computes bm25() for every match before it can sort, which makes common
// words expensive. A query therefore uses its rarest words only, up to a
// number of postings in all; document frequencies come from a table of the
// bank's own (MatchWords).
//
// # Vectors
//
// Each embedder's fingerprint has its own set of vec0 tables with two columns:
// a compact one for the first pass (int8, or one bit a dimension where there
// are many) and floats from which the answer is computed exactly. A document
// that an embedder could not reach in time waits in vector_queue.
//
// # Drivers
//
// modernc.org/sqlite by default; with the build tag ncruces the pair
// ncruces/go-sqlite3 and asg017/sqlite-vec-go-bindings. The seam is
// driver_*.go; everything else is the same for both.
package sqlite
