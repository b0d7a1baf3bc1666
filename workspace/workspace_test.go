package workspace_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// TestMain lets the test binary be one of several processes that append.
func TestMain(m *testing.M) {
	if dir := os.Getenv("APPEND_TO"); dir != "" {
		appendMany(dir, os.Getenv("APPEND_AS"))
		return
	}
	if dir := os.Getenv("WRITE_TO"); dir != "" {
		writeMany(dir, os.Getenv("WRITE_AS"))
		return
	}
	if dir := os.Getenv("DIE_IN"); dir != "" {
		err := testfiles.Open(dir, "anna").DraftMemory(context.Background(), "half", func() { os.Exit(3) })
		panic(err)
	}
	os.Exit(testfiles.Both(m))
}

const appends = 200

// appendMany adds lines of very different length.
func appendMany(dir, writer string) {
	for i := range appends {
		r := memory.Record{ID: fmt.Sprintf("%s-%d", writer, i), Category: "event", CreatedAt: noon,
			Content: strings.Repeat("words ", i*i/10) + "end"}
		if err := testfiles.Open(dir, "anna").AppendDayLog(r); err != nil {
			panic(err)
		}
	}
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	b, err := testfiles.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestDayLog(t *testing.T) {
	dir := t.TempDir()
	w := testfiles.Open(dir, "anna")
	if entries, err := testfiles.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("opening made %v, %v", entries, err)
	}
	vienna := time.FixedZone("", 3600)
	for i, r := range []memory.Record{
		{Content: "One\r\n two\tthree\n\n# four", Category: "event", CreatedAt: noon},
		{Content: "In a project", Category: "goal", Project: "p", CreatedAt: noon.Add(90 * time.Second)},
		{Content: "The next day here, the same in UTC", Category: "other", CreatedAt: time.Date(2026, 3, 2, 0, 30, 0, 0, vienna)},
		{Content: "Another day", Category: "other", CreatedAt: noon.Add(24 * time.Hour)},
	} {
		r.ID = fmt.Sprint("id", i)
		if err := w.AppendDayLog(r); err != nil {
			t.Fatal(err)
		}
	}
	want := `# 2026-03-01

- 12:00:00 [event] One two three # four <!-- id0 -->
- 12:01:30 [goal] (p) In a project <!-- id1 -->
- 23:30:00 [other] The next day here, the same in UTC <!-- id2 -->
`
	if got := read(t, dir, "workspaces", "anna", "memory", "2026-03-01.md"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if name := w.DayLogName(memory.Record{CreatedAt: noon.Add(24 * time.Hour)}); name != "memory/2026-03-02.md" {
		t.Errorf("name %q", name)
	}
	if got := read(t, dir, "workspaces", "anna", "memory", "2026-03-02.md"); !strings.HasPrefix(got, "# 2026-03-02\n\n- ") {
		t.Errorf("next day\n%s", got)
	}
	if err := testfiles.Open(dir, "boris").AppendDayLog(memory.Record{ID: "b", Content: "x", CreatedAt: noon}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "workspaces", "boris", "memory", "2026-03-01.md"); strings.Contains(got, "id0") {
		t.Errorf("agents share a log\n%s", got)
	}
}

func TestModes(t *testing.T) {
	testfiles.OnDisk(t)
	dir := t.TempDir()
	if err := testfiles.Open(dir, "anna").AppendDayLog(memory.Record{ID: "x", Content: "x", CreatedAt: noon}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{
		"workspaces": 0o700, "workspaces/anna": 0o700, "workspaces/anna/memory": 0o700, "workspaces/anna/memory/2026-03-01.md": 0o600,
	} {
		info, err := testfiles.Stat(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
	}
}

func TestFailures(t *testing.T) {
	testfiles.OnDisk(t)
	r := memory.Record{ID: "x", Content: "x", CreatedAt: noon}
	file := filepath.Join(t.TempDir(), "file")
	if err := testfiles.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := testfiles.Open(file, "anna").AppendDayLog(r); err == nil {
		t.Error("a file served as a directory")
	}
	dir := t.TempDir()
	if err := testfiles.MkdirAll(filepath.Join(dir, "workspaces", "anna", "memory", "2026-03-01.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := testfiles.Open(dir, "anna").AppendDayLog(r); err == nil {
		t.Error("a directory served as a log")
	}
}

// Several goroutines of several processes write at once.
func TestConcurrentAppends(t *testing.T) {
	testfiles.OnDisk(t)
	dir := t.TempDir()
	const processes, goroutines = 3, 3
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "APPEND_TO="+dir, fmt.Sprintf("APPEND_AS=p%d", i))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("process: %v\n%s", err, out)
			}
		})
	}
	for i := range goroutines {
		wg.Go(func() { appendMany(dir, fmt.Sprint("g", i)) })
	}
	wg.Wait()
	whole := regexp.MustCompile(`^- 12:00:00 \[event\] ((?:words )*)end <!-- (\w+)-(\d+) -->$`)
	seen := map[string]bool{}
	log := read(t, dir, "workspaces", "anna", "memory", "2026-03-01.md")
	for line := range strings.SplitSeq(strings.TrimSuffix(log, "\n"), "\n") {
		if line == "" || line == "# 2026-03-01" {
			continue
		}
		m := whole.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("torn line %q", line[:min(len(line), 200)])
		}
		if i, err := strconv.Atoi(m[3]); err != nil || len(m[1]) != i*i/10*len("words ") {
			t.Fatalf("line of %s-%s has %d bytes", m[2], m[3], len(m[1]))
		}
		seen[m[2]+"-"+m[3]] = true
	}
	if len(seen) != (processes+goroutines)*appends || strings.Count(log, "# 2026-03-01") != 1 {
		t.Errorf("%d lines, %d headings", len(seen), strings.Count(log, "# 2026-03-01"))
	}
}
