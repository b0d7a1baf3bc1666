// Package lazyregexp compiles regular expressions when they are first used, so
// that a program does not pay at its start for those that a run never needs.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles expr at its first call and returns the
// same expression at each. It panics then if expr does not compile, so every
// expression wants a test that uses it. The function is safe for concurrent use.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
