package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// build is the command of the package document, which has counters in it.
func build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds a program with counters")
	}
	name := filepath.Join(t.TempDir(), "steps")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	command := exec.Command("go", "build", "-o", name, "-cover", "-covermode=atomic", "-coverpkg=mcp-memory/eval/steps,mcp-memory/text/...,strings,slices,regexp,unicode,unicode/utf8", ".")
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestReadingIsLinear is what the program is for: no pass over a text takes more steps than the
// bytes of the text allow, whatever repeats in it.
func TestReadingIsLinear(t *testing.T) {
	name := build(t)
	var out, problems bytes.Buffer
	command := exec.Command(name, "-random", "20", "-seed", "30", "-size", "2048")
	command.Stdout, command.Stderr = &out, &problems
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &problems, &out)
	}
	for _, p := range passes() {
		if !strings.Contains(out.String(), p.name) {
			t.Errorf("%s is not counted", p.name)
		}
	}
	square := exec.Command(name, "-size", "64", "-only", square.name)
	if said, err := square.CombinedOutput(); err == nil || !strings.Contains(string(said), "take too many steps") {
		t.Errorf("a square is not found: %v\n%s", err, said)
	}
}

func TestSaysHowToBuildIt(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("it is built with counters")
	}
	var out bytes.Buffer
	if err := run([]string{"-only", "tokens"}, &out, &out); err == nil || !strings.Contains(err.Error(), "package document") {
		t.Errorf("without counters: %v", err)
	}
}
