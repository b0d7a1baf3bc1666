package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// The ioctls of ptmx(4).
const (
	unlockTerminal = 0x40045431 // TIOCSPTLCK
	terminalNumber = 0x80045430 // TIOCGPTN
)

// openTerminal returns both ends of a terminal: the program's, and the person's.
func openTerminal(t *testing.T) (program, person *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no terminals here: ", err)
	}
	t.Cleanup(func() { person.Close() })
	var number, unlocked int32
	for call, argument := range map[uintptr]*int32{unlockTerminal: &unlocked, terminalNumber: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, person.Fd(), call, uintptr(unsafe.Pointer(argument))); errno != 0 {
			t.Fatal(errno)
		}
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return program, person
}

// answer runs a command at a terminal where a person answers what it asks.
func (m *machine) answer(says string, args ...string) ran {
	m.t.Helper()
	program, person := openTerminal(m.t)
	if _, err := person.WriteString(says + "\n"); err != nil {
		m.t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	p := Program{
		Args: args, Stdin: program, Stdout: &stdout, Stderr: &stderr,
		Env: func(name string) string { return m.env[name] }, Clock: m.clock,
	}
	code := p.Run(m.t.Context())
	return ran{code, stdout.String(), stderr.String()}
}

// TestUndoAsksInColour wants colours in the question of undo, and nothing else of what
// moves a terminal.
func TestUndoAsksInColour(t *testing.T) {
	m := newMachine(t)
	m.now = someDay
	m.ok("save", "Anna \x1b[2Jplays the oboe.")
	r := m.answer("n", "undo", "--color", "always")
	if r.code != exitDone || !strings.Contains(r.stderr, "\x1b[2m  ") ||
		!strings.HasSuffix(r.stderr, "Take this back? [y/N] Nothing was changed.\n") {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(r.stderr, `Anna \u001b[2Jplays`) || strings.Contains(r.stderr, `\u001b[2m`) {
		t.Errorf("asked %q", r.stderr)
	}
	if r = m.answer("y", "undo", "--color", "always"); r.code != exitDone || !strings.HasPrefix(r.stdout, "Took back:") {
		t.Errorf("%+v", r)
	}
}
