package main

import (
	"os/exec"
	"strconv"
	"testing"
)

// TestGone: of a process in this place it is known whether it has ended, of all others nothing. Servers
// in containers may have the same host name and the same number, and both are at work.
func TestGone(t *testing.T) {
	const boot, numbers = "f9848e1f-fed5-49b2-b694-0996b85f4d71\n", "pid:[4026531836]"
	at := func(host, boot, numbers string) self { return self{spaceIn(host, boot, numbers, true), "1", "B"} }
	here := at("memory", boot, numbers)
	for what, other := range map[string]self{
		"another container":  at("memory", boot, "pid:[4026532007]"),
		"another machine":    at("memory", "0a6a8fd1-4b13-4b0c-9e4c-5b1d1f9c9a01\n", numbers),
		"another host":       at("other", boot, numbers),
		"an unknown space":   {spaceIn("memory", "", "", false), "1", "A"},
		"itself":             here,
		"an unknown number":  {here.space, "x", "A"},
		"a name with colons": {here.space, "1", "A:B"},
	} {
		if here.gone(other.name()) {
			t.Errorf("%s is said to be gone: %s", what, other.name())
		}
	}
	if earlier := (self{here.space, here.pid, "A"}); !here.gone(earlier.name()) {
		t.Errorf("an earlier process of the same number is not gone: %s", earlier.name())
	}
}

// TestGoneHere asks about processes of this system.
func TestGoneHere(t *testing.T) {
	here := newSelf()
	if other := newSelf(); other.name() == here.name() || other.space != here.space {
		t.Errorf("two starts are %s and %s", here.name(), other.name())
	}
	command := exec.Command("go", "version")
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	if ended := (self{here.space, strconv.Itoa(command.Process.Pid), "A"}); !here.gone(ended.name()) {
		t.Errorf("a process that has ended is not gone: %s", ended.name())
	}
}
