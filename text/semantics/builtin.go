package semantics

import (
	_ "embed"
	"fmt"
	"sync"
)

//go:embed semantic-40k.sem
var builtinFile []byte

//go:embed NOTICE
var notice string

// Builtin returns the table that is part of the program. It is opened at the
// first call, so a process that never calls it pays nothing. It panics if the
// file was damaged when the program was built.
var Builtin = sync.OnceValue(func() *Table {
	t, err := Decode(builtinFile)
	if err != nil {
		panic(fmt.Sprintf("semantics: builtin table: %v", err))
	}
	return t
})

// Notice returns the attributions and licences of the texts from which the
// built-in table was computed, for showing to people.
func Notice() string { return notice }
