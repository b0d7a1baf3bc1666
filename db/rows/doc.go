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

// Table returns the name of the table with the documents of a corpus.
func Table(c memory.Corpus) string {
	if c == memory.Memories {
		return "records"
	}
	return "turns"
}

// BankShift splits the number of a document, seq: the bits from BankShift on are the number of its
// bank, those below count within the bank.
const BankShift = 40

// of adds to an error which row could not be read; it returns nil for nil.
func of(err error, what string, id any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("read %s %v: %w", what, id, err)
}
