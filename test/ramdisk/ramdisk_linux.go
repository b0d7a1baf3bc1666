package ramdisk

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

const (
	place = "/dev/shm"
	room  = 4 << 30 // bytes; tests that run beside each other use less than a tenth
)

// Use has the temporary files that are made from now on be in memory, also those of programs that are
// started. It does nothing in a program that is no test.
func Use() { use() }

var use = sync.OnceFunc(func() {
	if testing.Testing() && os.Getenv("TMPDIR") == "" && usable() {
		_ = os.Setenv("TMPDIR", place) // it fails for no such value
	}
})

// usable reports whether there is a file system in memory that takes files and programs and is large
// enough, as is the memory behind it. That of a container is mostly neither.
func usable() bool {
	var s unix.Statfs_t
	if err := unix.Statfs(place, &s); err != nil || s.Type != unix.TMPFS_MAGIC || s.Flags&(unix.MS_NOEXEC|unix.MS_RDONLY) != 0 {
		return false
	}
	return s.Bavail*uint64(s.Bsize) >= room && available() >= room && unix.Access(place, unix.W_OK|unix.X_OK) == nil
}

// available is the memory that can be used without swapping, in bytes; 0 if the system does not say.
func available() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	_, text, found := bytes.Cut(text, []byte("MemAvailable:"))
	if err != nil || !found {
		return 0
	}
	text, _, _ = bytes.Cut(text, []byte("kB"))
	kilobytes, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}
