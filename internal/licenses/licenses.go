// Package licenses has the licences of what is linked into the program: the
// modules of all platforms and build tags, and Go's own library. The file is
// made from the module cache by
//
//	go run ./internal/licenses/generate
//
// and a test compares it with what is there.
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

// Text returns all licences as UTF-8 text, each with the modules that are under
// it. It panics if the file was damaged when the program was built.
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
