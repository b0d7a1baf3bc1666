//go:build !windows

package llm

import (
	"os/exec"
	"syscall"
)

// ownGroup has a program end together with all that it has started.
func ownGroup(process *exec.Cmd) {
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	process.Cancel = func() error { return syscall.Kill(-process.Process.Pid, syscall.SIGKILL) }
}
