//go:build !noencoder

package minilm

import (
	_ "embed"
	"unsafe"
)

// file is made by `go run ./embed/encoder/minilm/generate`. A string, because it
// stays in the binary as it is: the system reads a page when it is looked at.
//
//go:embed minilm.enc
var file string

func weights() []byte { return unsafe.Slice(unsafe.StringData(file), len(file)) }
