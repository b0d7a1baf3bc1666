//go:build !linux

package plainfile

import "os"

// exchange reports that this system cannot exchange two files in one step.
func exchange(*os.Root, string, string) (can bool, err error) { return false, nil }

// beingWritten is asked of what was exchanged only.
func beingWritten(*os.Root, string) bool { return false }
