//go:build !linux

package plainfile

import "os"

// exchange reports that this system cannot exchange two files in one step.
func exchange(*os.Root, string, string) (can bool, err error) { return false, nil }
