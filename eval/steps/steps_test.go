package main

import (
	"bytes"
	"strings"
	"testing"
)

// What counts is built anew, standard library and all, which is why test/steps/run.sh does it and no test here.
func TestSaysHowToBuildIt(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("it is built with counters")
	}
	var out bytes.Buffer
	if err := run([]string{"-only", "tokens"}, &out, &out); err == nil || !strings.Contains(err.Error(), "package document") {
		t.Errorf("without counters: %v", err)
	}
}
