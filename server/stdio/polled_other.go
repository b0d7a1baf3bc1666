//go:build !unix

package stdio

import "io"

// polled is of other systems.
func polled(in io.Reader) (io.Reader, func()) { return in, func() {} }
