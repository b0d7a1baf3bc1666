// Package memory is the domain of mcp-memory: what an agent remembers and the
// ports through which the rest of the program reads and writes it.
//
// An agent owns one bank. A bank holds records (facts, long-term memories and
// every other [Kind]), the turns of its conversations, and optional projects
// that scope both. Nothing here does I/O; the only imports are the standard
// library's. Adapters (db/sqlite, embed) implement the ports; use cases
// (remember, recall) call them.
//
// Two times belong to every record. When it was recorded (CreatedAt) is set
// by the program; when it was true (ValidFrom, ValidUntil) or happened
// (OccurredAt) is said by the caller. A correction supersedes a record, it
// never overwrites one, so that the past can still be asked for.
package memory
