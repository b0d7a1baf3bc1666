//go:build !linux

package plainfile

import "os"

// exchange reports that this system cannot exchange two files in one step.
func exchange(*os.Root, string, string) (can bool, err error) { return false, nil }

// beingWritten returns false: this system does not tell who is writing a file.
func beingWritten(*os.Root, string) bool { return false }
