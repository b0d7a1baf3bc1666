package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"

	"mcp-memory/internal/plainfile"
)

// self identifies this process in leases on work that other processes may have to take over.
type self struct{ space, pid, run string }

func newSelf() self {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return self{spaceOf(host), strconv.Itoa(os.Getpid()), rand.Text()}
}

// spaceOf returns a name for the space in which a process id is unique. A host name is not enough,
// because containers and copies of a machine may share it. On Linux it has the boot and the PID
// namespace.
func spaceOf(host string) string {
	boot, err := plainfile.Read("/proc/sys/kernel/random/boot_id", 1<<10)
	numbers, unread := os.Readlink("/proc/self/ns/pid")
	return spaceIn(host, string(boot), numbers, errors.Join(err, unread) == nil)
}

// spaceIn is spaceOf for given values of the system. known is false if it could not tell them.
func spaceIn(host, boot, numbers string, known bool) string {
	host = strings.ReplaceAll(host, ":", "_")
	if !known {
		return host
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(boot) + " " + numbers))
	return host + "-" + hex.EncodeToString(sum[:6])
}

func (s self) name() string { return s.space + ":" + s.pid + ":" + s.run }

// gone reports whether the process with a name has certainly ended. It is false for a process in
// another space, of which nothing is known.
func (s self) gone(name string) bool {
	parts := strings.Split(name, ":")
	if len(parts) != 3 || parts[0] != s.space || name == s.name() {
		return false
	}
	if parts[1] == s.pid {
		return true // an earlier process had the same id as this one
	}
	pid, err := strconv.Atoi(parts[1])
	if err != nil {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return true // on Windows FindProcess fails for a process that has ended
	}
	defer process.Release()
	err = process.Signal(syscall.Signal(0))
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
}
