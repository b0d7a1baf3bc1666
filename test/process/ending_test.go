//go:build unix

package process

import (
	"slices"
	"strings"
	"syscall"
	"testing"
)

// What was sent before the input ended is done and answered.
func TestInputEndsAfterSave(t *testing.T) {
	t.Parallel()
	for name, trim := range map[string]string{"whole line": "", "line without its end": "\n"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			first := start(t, dir)
			first.write(strings.TrimSuffix(first.callLine("memory_save", object{"content": "The harbour closes at nine."}), trim))
			if err := first.in.Close(); err != nil {
				t.Fatal(err)
			}
			if r := first.answer(1); r.IsError {
				t.Errorf("the save says %s", r.text())
			}
			first.ended()
			remembered(t, dir, "When does the harbour close?", "The harbour closes at nine.")
		})
	}
}

// remembered asks a new process.
func remembered(t *testing.T, dir, question, want string) {
	t.Helper()
	h := start(t, dir)
	if got := h.recall(question); !slices.Contains(got, want) {
		t.Errorf("%s %q", question, got)
	}
	h.hangUp()
}

func TestKilledAfterSave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := start(t, dir)
	h.save("The harbour closes at nine.")
	h.kill()
	remembered(t, dir, "When does the harbour close?", "The harbour closes at nine.")
}

func TestTermination(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		dir := t.TempDir()
		h := start(t, dir)
		h.save("The harbour closes at nine.")
		if err := h.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		h.ended()
		remembered(t, dir, "When does the harbour close?", "The harbour closes at nine.")
	}
}

// A host that stops listening is not a failure, and what it has sent is kept.
func TestHostStopsListening(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := command(t, dir)
	cmd.Stdin = strings.NewReader((&host{t: t}).callLine("memory_save", object{"content": "The harbour closes at nine."}))
	r, w := pipe(t)
	cmd.Stdout = w
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Run(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	remembered(t, dir, "When does the harbour close?", "The harbour closes at nine.")
}
