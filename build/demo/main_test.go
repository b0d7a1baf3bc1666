package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
)

const compiling = "go: downloading modernc.org/sqlite v1.61.1\nunicode\nmodernc.org/sqlite/lib\nmcp-memory/memory\n# mcp-memory/memory\nmemory/x.go:3:1: expected declaration\n"

func TestFollow(t *testing.T) {
	var log bytes.Buffer
	others := follow(strings.NewReader(compiling), &log, false, time.Now())
	if !slices.Contains(others, "memory/x.go:3:1: expected declaration") || !slices.Contains(others, "# mcp-memory/memory") ||
		slices.Contains(others, "unicode") {
		t.Errorf("what went wrong is %q", others)
	}
	if got := log.String(); got != "go: downloading modernc.org/sqlite v1.61.1\n  modernc.org/sqlite/lib (SQLite, translated to Go: the longest)\n" {
		t.Errorf("a log gets %q", got)
	}
	var screen bytes.Buffer
	follow(strings.NewReader(compiling), &screen, true, time.Now())
	if got := screen.String(); !strings.Contains(got, "  3 packages, 0s: mcp-memory/memory") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("a terminal gets %q", got)
	}
}
