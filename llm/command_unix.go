//go:build !windows

package llm

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a program a process group of its own, so that killing it ends what it has started
// too.
func ownGroup(process *exec.Cmd) {
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	process.Cancel = func() error { return syscall.Kill(-process.Process.Pid, syscall.SIGKILL) }
}
