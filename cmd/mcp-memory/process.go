package main

import (
	"crypto/rand"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// self names this process in work that other processes may have to take over.
type self struct{ host, pid, run string }

func newSelf() self {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return self{strings.ReplaceAll(host, ":", "_"), strconv.Itoa(os.Getpid()), rand.Text()}
}

func (s self) name() string { return s.host + ":" + s.pid + ":" + s.run }

// gone reports whether the process of that name has certainly ended. Of one
// on another machine nothing is known.
func (s self) gone(name string) bool {
	parts := strings.Split(name, ":")
	if len(parts) != 3 || parts[0] != s.host || name == s.name() {
		return false
	}
	if parts[1] == s.pid {
		return true // an earlier process had the number that is ours now
	}
	pid, err := strconv.Atoi(parts[1])
	if err != nil {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return true // Windows looks for it at once
	}
	defer process.Release()
	err = process.Signal(syscall.Signal(0))
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
}
