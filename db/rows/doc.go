// Package rows says how values become columns and rows become values, for
// every SQL backend: the columns of each table, what is written to them, and
// how they are read back. It knows no driver and runs no query; what differs
// between the backends, their statements, stays with them.
//
// A time is the microseconds since 1970 in UTC and NULL for the zero time; a
// list is a JSON array; a text that may be missing is NULL where it is empty.
package rows

import (
	"fmt"

	"mcp-memory/memory"
)

// Row is a row of a result, whatever the driver.
type Row interface {
	// Scan reads the columns into dest, in order.
	Scan(dest ...any) error
}

// Table is where a corpus keeps its documents.
func Table(c memory.Corpus) string {
	if c == memory.Memories {
		return "records"
	}
	return "turns"
}

// BankShift splits a document's number: the bank's above, the document's own below.
const BankShift = 40

// of says which row cannot be read, if there is an error.
func of(err error, what string, id any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("read %s %v: %w", what, id, err)
}
