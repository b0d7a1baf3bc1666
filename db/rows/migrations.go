package rows

import (
	"fmt"
	"io/fs"
	"strings"
)

// Migrations returns the text of every migration in order; the first one makes schema
// version 1. The files are embedded in a backend as migrations/0001_NAME.sql and so on.
func Migrations(files fs.FS) []string {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	texts := make([]string, len(names))
	for i, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // embedded
		}
		if !strings.HasPrefix(name, fmt.Sprintf("migrations/%04d_", i+1)) {
			panic("migrations are not numbered in a row: " + name)
		}
		texts[i] = string(b)
	}
	return texts
}
