package llm

import (
	"os/exec"
	"syscall"
)

// ownGroup opens no window for a program; what it has started itself ends by itself.
func ownGroup(process *exec.Cmd) {
	const noWindow = 0x08000000
	process.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: noWindow}
}
