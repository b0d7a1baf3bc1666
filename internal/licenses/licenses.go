// Package licenses has the licences of everything that is linked into the program: the modules of
// all platforms and build tags, and Go's standard library. The file is generated from the module
// cache by
//
//	go run ./internal/licenses/generate
//
// and a test checks that it is up to date.
package licenses

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
)

//go:embed licenses.txt.gz
var compressed []byte

// Text returns all licences as UTF-8 text, each with the modules that are under it. It panics if
// the embedded file is damaged.
func Text() string {
	text, err := decompress(compressed)
	if err != nil {
		panic(fmt.Sprintf("licenses: %v", err))
	}
	return string(text)
}

func decompress(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
