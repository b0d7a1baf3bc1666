package contextwindow

import (
	"testing"

	"mcp-memory/text/failing"
)

// TestTelling: of what a failed call returned, the line that says why.
func TestTelling(t *testing.T) {
	for reason, want := range map[string]string{
		"Exit code 127\nbash: frobnicate: command not found": "bash: frobnicate: command not found",
		"exit status 1":                 "exit status 1",
		"Error: no rule to make target": "Error: no rule to make target",
		"Exit code 1\n\n> shop@1.0.0 build\n> vite build\n\nerror during build:\nCould not resolve entry module":                 "error during build:",
		"Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\nZeroDivisionError: division by zero": "ZeroDivisionError: division by zero",
		"Error: Exit code 2\nls: cannot access 'x': No such file or directory\nmore":                                             "ls: cannot access 'x': No such file or directory",
		"":                                     "",
		"Exit code 1":                          "Exit code 1",
		"Exit code 3\nsomething odd\nand more": "something odd",
	} {
		if got := shortened(failing.Telling(reason), 200); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}
