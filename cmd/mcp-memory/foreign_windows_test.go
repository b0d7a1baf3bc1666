package main

import "testing"

// pipes makes none: file systems of Windows have no such files.
func pipes(*testing.T, string) map[string]string { return nil }
