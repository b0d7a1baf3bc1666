package llm

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps a program from opening a window. What it has started itself is not ended with it.
func ownGroup(process *exec.Cmd) {
	const noWindow = 0x08000000
	process.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: noWindow}
}
