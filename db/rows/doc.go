// Package rows is what the SQL backends share: the columns of each table, what
// is written to them, how they are read back, and the statements that all of
// them understand alike ([PortableTx]). It knows no driver: what runs statements
// is a [Source]. Whatever needs words of one database, or a hint which index to
// walk, stays with the backend.
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
