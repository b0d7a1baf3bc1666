//go:build postgres

package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// smallDisk is a disk of some MiB at a directory that a server's user owns. Without the right to mount one,
// an error.
func smallDisk(t *testing.T, dir string, megabytes int) error {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	owner := ""
	if u, err := user.Lookup("postgres"); err == nil && os.Geteuid() == 0 {
		owner = ",uid=" + u.Uid
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dM,mode=0700%s", megabytes, owner), "tmpfs", dir).
		CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return nil
}

// fill leaves so many KiB of a disk, and returns how to make room again.
func fill(t *testing.T, dir string, megabytes, left int) (free func()) {
	t.Helper()
	out, err := exec.Command("df", "--output=avail", "-k", dir).Output()
	var available int
	if err == nil {
		_, err = fmt.Sscan(strings.Fields(string(out))[1], &available)
	}
	if err != nil || available > megabytes<<10 {
		t.Fatalf("%s has %d KiB: %v", dir, available, err)
	}
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, max(0, available-left)<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(ballast); err != nil {
			t.Error(err)
		}
	}
}

// diskSize is that of a small disk in MiB.
const diskSize = 48

// untilRefused saves long texts until one is refused for want of room, and looks at what is said.
func untilRefused(t *testing.T, s memory.Store, words string) {
	t.Helper()
	for range 5000 {
		var long strings.Builder // that cannot be made shorter
		for range 200 {
			long.WriteString(" " + ids.New())
		}
		if err := trySave(t.Context(), s, "filler", long.String()); err != nil {
			says(t, "on a full disk", err, memory.CodeUnavailable, words)
			return
		}
	}
	t.Error("the disk was never full")
}

// TestDiskIsFull: the disk of the tables is full, and then that of the write-ahead log, which the server does not
// survive. What was acknowledged is there, calls are refused meanwhile, and with room again all goes on.
func TestDiskIsFull(t *testing.T) {
	work := filepath.Dir(serverDir(t))
	tables, wal := filepath.Join(work, "tables"), filepath.Join(work, "wal")
	if err := errors.Join(smallDisk(t, tables, diskSize), smallDisk(t, wal, diskSize)); err != nil {
		limitedFiles(t, err)
		return
	}
	server := ownServer(t, "MCP_MEMORY_PG_INITDB=--wal-segsize=1 --waldir="+wal+"/log",
		"MCP_MEMORY_PG_CONF=min_wal_size = 2MB\nmax_wal_size = 4MB\nwal_keep_size = 0")
	admin(t, server.url, `CREATE TABLESPACE small LOCATION '`+tables+`'`, `GRANT CREATE ON TABLESPACE small TO tester`,
		`ALTER ROLE tester SET default_tablespace = small`)
	s := openAt(t, server.url, 2*time.Second)
	save(t, s, "ann", "before")
	free := fill(t, tables, diskSize, 600)
	l := underLoad(t, s, func() {
		untilRefused(t, s, "disk is full")
		time.Sleep(500 * time.Millisecond)
		free()
	})
	free = fill(t, wal, diskSize, 700)
	again := underLoad(t, s, func() {
		untilRefused(t, s, "")
		time.Sleep(500 * time.Millisecond)
		free()
		if time.Sleep(time.Second); !server.running() { // it has given up: its people start it again
			server.do("--start")
		}
	})
	if n, doubled := l.compare(s); n > 0 || doubled > 0 {
		t.Errorf("of before the log was full %d are lost, %d doubled", n, doubled)
	}
	if got := contents(t, s, "ann"); len(got) != 1 || again.acknowledged.Load() == 0 {
		t.Errorf("%q", got)
	}
}

// limitedFiles is what can be done without the right to mount a disk: no file of the server's may grow over 3 MiB and
// a bit. The bit makes PostgreSQL say what it says of a full disk.
func limitedFiles(t *testing.T, why error) {
	t.Helper()
	report(t, "NO DISK CAN BE MOUNTED (%q): files that may not grow stand for it, and no full write-ahead log was tried", why)
	server := ownServer(t, "MCP_MEMORY_PG_INITDB=--wal-segsize=1", "MCP_MEMORY_PG_FILES=3073")
	s := openAt(t, server.url, 2*time.Second)
	underLoad(t, s, func() {
		untilRefused(t, s, "disk is full")
		server.do("--stop-politely")
		server.do("--start")
	})
}
