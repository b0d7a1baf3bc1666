//go:build !ncruces

package sqlite

import (
	"database/sql"
	"errors"

	"modernc.org/sqlite"
	_ "modernc.org/sqlite/vec" // sqlite-vec for every connection of it
)

// DriverName says which SQLite is linked into the program.
const DriverName = "modernc.org/sqlite"

// openDriver opens a handle for a DSN of the form that both drivers share.
func openDriver(dsn string) (*sql.DB, error) { return sql.Open("sqlite", dsn) }

// resultCode returns SQLite's extended result code, 0 for other errors.
func resultCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}
