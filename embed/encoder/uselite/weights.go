//go:build !noencoder

package uselite

import (
	_ "embed"
	"unsafe"
)

// file is made by `go run ./embed/encoder/uselite/generate`. A string, because it
// stays in the binary as it is: the system reads a page when it is looked at.
//
//go:embed use-lite.enc
var file string

func weights() []byte { return unsafe.Slice(unsafe.StringData(file), len(file)) }
