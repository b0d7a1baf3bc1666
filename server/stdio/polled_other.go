//go:build !linux

package stdio

import "io"

// poll does nothing except on Linux: a blocking read holds a processor a little longer.
func poll(in io.Reader) (io.Reader, func()) { return in, func() {} }
