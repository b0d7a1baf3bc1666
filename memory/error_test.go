package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

func TestErrorsRepeatLittle(t *testing.T) {
	long, cause := strings.Repeat("ö", 1<<20), errors.New("cause")
	for _, text := range []any{long, Kind(long)} {
		err := Errorf(CodeNotFound, "there is no %q of %d: %w", text, 7, cause)
		if want := `not_found: there is no "` + strings.Repeat("ö", 199) + `…" of 7: cause`; err.Error() != want || !errors.Is(err, cause) {
			t.Errorf("%.600s", err)
		}
	}
	if err := Errorf(CodeNotFound, "%w", errors.New(long)); len([]rune(err.Message)) != 1000 {
		t.Errorf("a cause of %d characters", len([]rune(err.Message)))
	}
	for _, n := range []int{199, 200} {
		if err := Errorf(CodeNotFound, "%s", strings.Repeat("ö", n)); len([]rune(err.Message)) != n {
			t.Errorf("%d characters: %s", n, err.Message)
		}
	}
}

// TestInCommands: a person reads of commands, whatever the error came through.
func TestInCommands(t *testing.T) {
	both := Errorf(CodeNotFound, "there is no record").WithAdvice(Advice{Tool: "memory_get", Command: "`get`"})
	for err, want := range map[error]string{
		both:                         "not_found: there is no record (`get`)",
		fmt.Errorf("load: %w", both): "load: not_found: there is no record (`get`)",
		both.WithHint("look"):        "not_found: there is no record (look)",
		errors.New("plain"):          "plain",
	} {
		if got := InCommands(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if both.Error() != "not_found: there is no record (memory_get)" {
		t.Errorf("%q", both.Error())
	}
}

// A disk that is full is said to be so, also by what knows nothing of codes.
func TestPublicOfFullDisk(t *testing.T) {
	full := fmt.Errorf("erase from the log: %w", &fs.PathError{Op: "write", Path: "/x/2026-03-01.md", Err: syscall.ENOSPC})
	if e := Public(full); e.Code != CodeUnavailable || e.Message != "the disk is full" || e.Hint == "" || CodeOf(full) != CodeUnavailable {
		t.Errorf("%+v, %s", e, CodeOf(full))
	}
	if e := Public(errors.New("x")); e.Code != CodeInternal || CodeOf(errors.New("x")) != CodeInternal {
		t.Errorf("%+v", e)
	}
}
