//go:build !ncruces

package sqlite

import (
	"database/sql"
	"errors"
	"sync"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	_ "modernc.org/sqlite/vec" // sqlite-vec for every connection of it
)

// DriverName says which SQLite is linked into the program.
const DriverName = "modernc.org/sqlite"

// OpenDriver opens a handle for a DSN of the form that both drivers share, such as
// "file:memory.db?_pragma=busy_timeout(1000)". Any code that opens a file without a Store has to use
// it, as it sets the driver up before its first use. Errors are those of database/sql.
func OpenDriver(dsn string) (*sql.DB, error) {
	enableStablePlans()
	return sql.Open("sqlite", dsn)
}

// enableStablePlans switches SQLite's query planner stability guarantee on for
// every connection. Without it SQLite prepares some statements anew when the
// value of a parameter changes, because another plan might suit it better. One
// of those is run by sqlite-vec at every insert, and preparing it takes as long
// as the rest. Neither SQL nor the driver reaches this switch of a connection.
var enableStablePlans = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	entry := struct {
		f func(*libc.TLS, uintptr, uintptr, uintptr) int32
	}{stablePlans}
	sqlite3.Xsqlite3_auto_extension(tls, *(*uintptr)(unsafe.Pointer(&entry)))
})

// stablePlans has the form of an extension's entry point: SQLite calls it with
// every connection that it opens.
func stablePlans(tls *libc.TLS, db, _, _ uintptr) int32 {
	const slots = 2 * 8 // of two variadic arguments
	args := tls.Alloc(slots)
	defer tls.Free(slots)
	return sqlite3.Xsqlite3_db_config(tls, db, sqlite3.SQLITE_DBCONFIG_ENABLE_QPSG, libc.VaList(args, int32(1), uintptr(0)))
}

// resultCode returns SQLite's extended result code, 0 for other errors.
func resultCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}
