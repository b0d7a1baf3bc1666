//go:build unix

package main

import "syscall"

// detached makes a process the leader of a session of its own.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
