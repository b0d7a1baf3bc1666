package main

import "syscall"

// detached starts a process without a console, which does not end with its parent's.
func detached() *syscall.SysProcAttr {
	const detachedProcess, noWindow = 0x00000008, 0x08000000
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess | noWindow, HideWindow: true}
}
