//go:build !linux

package workspace

// exchange reports that this system cannot exchange two files in one step.
func (t onDisk) exchange(string, string) (can bool, err error) { return false, nil }
