//go:build ncruces

package sqlite

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"

	_ "github.com/asg017/sqlite-vec-go-bindings/ncruces" // SQLite with sqlite-vec, as WebAssembly
	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/driver" // registers the driver "sqlite3"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// DriverName says which SQLite is linked into the program.
const DriverName = "github.com/ncruces/go-sqlite3"

// OpenDriver opens a handle for a DSN of the form that both drivers share, such as
// "file:memory.db?_pragma=busy_timeout(1000)". Any code that opens a file without a Store has to use
// it, as it sets the driver up before its first use. Errors are those of database/sql.
func OpenDriver(dsn string) (*sql.DB, error) {
	configure()
	return sql.Open("sqlite3", dsn)
}

// configure sets up the WebAssembly runtime before its first use. The SQLite
// of the sqlite-vec bindings needs the threads feature, which is off by
// default. Compiling it takes more than a second, so the machine code is kept
// in the user's cache directory; where there is none it is compiled each time.
var configure = sync.OnceFunc(func() {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads)
	if base, err := os.UserCacheDir(); err == nil {
		dir := filepath.Join(base, "mcp-memory", "wazero")
		if os.MkdirAll(dir, 0o700) == nil {
			if cache, err := wazero.NewCompilationCacheWithDir(dir); err == nil {
				config = config.WithCompilationCache(cache)
			}
		}
	}
	sqlite3.RuntimeConfig = config
})

// resultCode returns SQLite's extended result code, 0 for other errors.
func resultCode(err error) int {
	var e *sqlite3.Error
	if errors.As(err, &e) {
		return int(e.ExtendedCode())
	}
	var code sqlite3.ErrorCode
	if errors.As(err, &code) {
		return int(code)
	}
	return 0
}
