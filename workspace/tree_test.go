package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// desk is a new workspace with the path of its files.
func desk(t *testing.T) (w workspace.Dir, dir string) {
	t.Helper()
	data := t.TempDir()
	return testfiles.Open(data, "anna"), filepath.Join(data, "workspaces", "anna")
}

func write(t *testing.T, content string, path ...string) {
	t.Helper()
	name := filepath.Join(path...)
	if err := errors.Join(testfiles.MkdirAll(filepath.Dir(name), 0o700), testfiles.WriteFile(name, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, code memory.Code) {
	t.Helper()
	if memory.CodeOf(err) != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func TestMemory(t *testing.T) {
	w, dir := desk(t)
	if got, err := w.Memory(t.Context()); got != "" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	must(t, w.Erase(t.Context(), []memory.Record{fact("a", "event", "A")}))
	must(t, w.MergeMemory(t.Context(), nil))
	if _, err := testfiles.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("made for nothing: %v", err)
	}
	must(t, w.MergeMemory(t.Context(), []memory.Record{fact("a", "event", "A"), fact("b", "event", "B"), fact("c", "event", "C")}))
	got, err := w.Memory(t.Context())
	must(t, err)
	if !strings.HasPrefix(got, "# Memory\n\n") || !strings.Contains(plain(got), "\n## Event\n\n- A a\n- B b\n- C c\n") {
		t.Errorf("got\n%s", got)
	}
	mine := "\uFEFF" + strings.Replace(got, "- C", "- Not C", 1)
	write(t, mine, dir, "MEMORY.md")
	must(t, w.Erase(t.Context(), []memory.Record{fact("a", "event", "A"), fact("c", "event", "C"), fact("x", "event", "X")}))
	got, err = w.Memory(t.Context())
	must(t, err)
	if !strings.HasPrefix(got, "# Memory") || !strings.HasSuffix(plain(got), "\n## Event\n\n- B b\n- Not C c\n") {
		t.Errorf("after forgetting\n%s", got)
	}
	if raw := read(t, dir, "MEMORY.md"); raw != "\uFEFF"+got {
		t.Errorf("the byte order mark is gone: %q", raw)
	}
	wantCode(t, w.MergeMemory(t.Context(), []memory.Record{fact("a b", "event", "A")}), memory.CodeInvalidArgument)
}

func TestMergeIsDoneOnce(t *testing.T) {
	w, dir := desk(t)
	var before os.FileInfo
	for i := range 1000 {
		must(t, w.MergeMemory(t.Context(), []memory.Record{fact("a", "event", "A"), fact("b", "goal", "B")}))
		info, err := testfiles.Stat(filepath.Join(dir, "MEMORY.md"))
		must(t, err)
		if i > 0 && (!testfiles.InRows() && !os.SameFile(before, info) || !info.ModTime().Equal(before.ModTime())) {
			t.Fatal("written again for nothing")
		}
		before = info
	}
}

// A person saves while a merge is under way.
func TestEditedMeanwhile(t *testing.T) {
	testfiles.OnDisk(t)
	w, dir := desk(t)
	write(t, "# Mine\n", dir, "MEMORY.md")
	saved := 0
	save := func() {
		if saved++; saved == 1 {
			write(t, "# Mine, and more\n", dir, "MEMORY.md")
		}
	}
	must(t, w.MergeWhile(t.Context(), []memory.Record{fact("a", "event", "A")}, save))
	if got := plain(read(t, dir, "MEMORY.md")); got != "# Mine, and more\n\n## Event\n\n- A a\n" || saved != 2 {
		t.Errorf("after %d merges\n%s", saved, got)
	}
	// The same length, as an editor that replaces the file does.
	err := w.MergeWhile(t.Context(), []memory.Record{fact("b", "event", "B")}, func() {
		saved++
		write(t, fmt.Sprintf("# Mine %d\n", saved%10), dir, "new")
		must(t, testfiles.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "MEMORY.md")))
	})
	wantCode(t, err, memory.CodeConflict)
	if got := read(t, dir, "MEMORY.md"); got != fmt.Sprintf("# Mine %d\n", saved%10) {
		t.Errorf("overwritten: %s", got)
	}
	wantNoDraft(t, dir)
}

// A person makes the file while it is being made, or removes it.
func TestMadeOrRemovedMeanwhile(t *testing.T) {
	testfiles.OnDisk(t)
	w, dir := desk(t)
	once := sync.OnceFunc(func() { write(t, "mine\n", dir, "MEMORY.md") })
	must(t, w.MergeWhile(t.Context(), []memory.Record{fact("a", "event", "A")}, once))
	if got := read(t, dir, "MEMORY.md"); !strings.HasPrefix(got, "mine\n\n## Event") {
		t.Errorf("got\n%s", got)
	}
	once = sync.OnceFunc(func() { must(t, testfiles.Remove(filepath.Join(dir, "MEMORY.md"))) })
	must(t, w.MergeWhile(t.Context(), []memory.Record{fact("b", "event", "B")}, once))
	if got := plain(read(t, dir, "MEMORY.md")); got != "## Event\n\n- B b\n" {
		t.Errorf("what was removed came back\n%s", got)
	}
}

func wantNoDraft(t *testing.T, dir string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(dir, ".*draft")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// A process dies between the draft and the rename.
func TestDeath(t *testing.T) {
	testfiles.OnDisk(t)
	w, dir := desk(t)
	write(t, "# Mine\n", dir, "MEMORY.md")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DIE_IN="+filepath.Dir(filepath.Dir(dir)))
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 3 {
		t.Fatalf("%v\n%s", err, out)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*draft")); len(left) != 1 {
		t.Fatalf("the process did not die in the middle: %v", left)
	}
	if got := read(t, dir, "MEMORY.md"); got != "# Mine\n" {
		t.Errorf("half done: %q", got)
	}
	must(t, w.MergeMemory(t.Context(), []memory.Record{fact("a", "event", "A")}))
	if got := plain(read(t, dir, "MEMORY.md")); got != "# Mine\n\n## Event\n\n- A a\n" {
		t.Errorf("got\n%s", got)
	}
	wantNoDraft(t, dir)
}

func TestLockKeepsOthersOut(t *testing.T) {
	testfiles.OnDisk(t)
	w, _ := desk(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	must(t, w.Alone(t.Context(), func() {
		if err := w.MergeMemory(ctx, []memory.Record{fact("a", "event", "A")}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	}))
	if got, err := w.Memory(t.Context()); got != "" || err != nil {
		t.Errorf("written all the same: %q, %v", got, err)
	}
	must(t, w.MergeMemory(t.Context(), []memory.Record{fact("a", "event", "A")}))
}

func TestRefused(t *testing.T) {
	testfiles.OnDisk(t)
	facts := []memory.Record{fact("a", "event", "A")}
	t.Run("link", func(t *testing.T) {
		w, dir := desk(t)
		far := filepath.Join(t.TempDir(), "far.md")
		write(t, "far", far)
		write(t, "", dir, "x")
		if err := os.Symlink(far, filepath.Join(dir, "MEMORY.md")); err != nil {
			t.Skip(err)
		}
		must(t, os.Symlink(filepath.Dir(far), filepath.Join(dir, "memory")))
		wantCode(t, w.MergeMemory(t.Context(), facts), memory.CodeForbidden)
		_, err := w.Memory(t.Context())
		wantCode(t, err, memory.CodeForbidden)
		wantCode(t, w.AppendHistory(t.Context(), "a", noon, "x"), memory.CodeForbidden)
		wantCode(t, w.AppendDayLog(facts[0]), memory.CodeForbidden)
		must(t, w.Ensure(t.Context()))
		if entries, _ := testfiles.ReadDir(filepath.Dir(far)); len(entries) != 1 || read(t, far) != "far" {
			t.Errorf("something went out: %v", entries)
		}
	})
	t.Run("the whole directory may be one", func(t *testing.T) {
		w, dir := desk(t)
		far := t.TempDir()
		must(t, testfiles.MkdirAll(filepath.Dir(dir), 0o700))
		if err := os.Symlink(far, dir); err != nil {
			t.Skip(err)
		}
		must(t, w.MergeMemory(t.Context(), facts))
		if got := read(t, far, "MEMORY.md"); !strings.Contains(got, "- A") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("read-only", func(t *testing.T) {
		w, dir := desk(t)
		for _, name := range []string{"MEMORY.md", "memory/HISTORY.md"} {
			write(t, "mine", dir, name)
			must(t, os.Chmod(filepath.Join(dir, name), 0o400))
		}
		wantCode(t, w.MergeMemory(t.Context(), facts), memory.CodeForbidden)
		wantCode(t, w.AppendHistory(t.Context(), "a", noon, "x"), memory.CodeForbidden)
		must(t, w.Ensure(t.Context()))
	})
	t.Run("not UTF-8", func(t *testing.T) {
		w, dir := desk(t)
		for _, content := range []string{"caf\xe9", "a\x00b"} {
			write(t, content, dir, "MEMORY.md")
			wantCode(t, w.MergeMemory(t.Context(), facts), memory.CodeInvalidArgument)
			_, err := w.Memory(t.Context())
			wantCode(t, err, memory.CodeInvalidArgument)
		}
	})
	t.Run("too large", func(t *testing.T) {
		w, dir := desk(t)
		write(t, strings.Repeat("x", 1<<20+1), dir, "MEMORY.md")
		wantCode(t, w.MergeMemory(t.Context(), facts), memory.CodeTooLarge)
	})
}

func TestModesOfEverything(t *testing.T) {
	testfiles.OnDisk(t)
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	w, dir := desk(t)
	write(t, "mine\n", dir, "MEMORY.md")
	write(t, "mine\n", dir, "memory", "HISTORY.md")
	for _, path := range []string{dir, filepath.Dir(dir), filepath.Join(dir, "memory"), filepath.Join(dir, "MEMORY.md"),
		filepath.Join(dir, "memory", "HISTORY.md")} {
		must(t, os.Chmod(path, 0o777))
	}
	everything(t, w)
	must(t, filepath.WalkDir(filepath.Dir(dir), func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		info, err := e.Info()
		must(t, err)
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		return nil
	}))
}

// everything writes each file of a workspace.
func everything(t *testing.T, w workspace.Dir) {
	t.Helper()
	learning := fact("l", "other", "Mind the gap")
	for _, kind := range memory.LearningTypes() {
		learning.Learning = &memory.LearningDetails{Type: kind}
		must(t, w.AppendLearning(t.Context(), learning))
	}
	soul := fact("s", "other", "Be kind")
	soul.Soul = &memory.SoulDetails{Type: memory.SoulValue}
	must(t, w.MirrorSoul(t.Context(), []memory.Record{soul}))
	must(t, w.MergeMemory(t.Context(), []memory.Record{fact("a", "event", "A")}))
	must(t, w.AppendHistory(t.Context(), "h", noon, "Something"))
	must(t, w.AppendSession(t.Context(), "one", []memory.Turn{{Content: "Hello"}}))
	must(t, w.AppendDayLog(fact("a", "event", "A")))
	must(t, w.Ensure(t.Context()))
}

func TestEnsure(t *testing.T) {
	w, dir := desk(t)
	write(t, "", dir, "USER.md")
	for range 2 {
		must(t, w.Ensure(t.Context()))
	}
	for _, name := range []string{"AGENTS.md", "SOUL.md", "MEMORY.md", "HEARTBEAT.md"} {
		if got := read(t, dir, name); !strings.HasPrefix(got, "# ") || !strings.HasSuffix(got, ".\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := read(t, dir, "USER.md"); got != "" {
		t.Errorf("overwritten: %q", got)
	}
	wantNoDraft(t, dir)
}

func TestEnsureForGit(t *testing.T) {
	testfiles.OnDisk(t)
	w, dir := desk(t)
	must(t, w.Ensure(t.Context()))
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Skipf("git %v: %v %s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	must(t, w.MergeMemory(t.Context(), []memory.Record{fact("a", "event", "A")}))
	must(t, w.AppendSession(t.Context(), "one", []memory.Turn{{Content: "Hello"}}))
	must(t, w.AppendDayLog(fact("a", "event", "A")))
	for _, name := range []string{".mirror.json", ".mirror.lock", "memory/.lock", ".MEMORY.md.draft", "memory/.HISTORY.md.draft"} {
		write(t, "x", dir, filepath.FromSlash(name))
	}
	want := "?? .gitignore\n?? AGENTS.md\n?? HEARTBEAT.md\n?? MEMORY.md\n?? SOUL.md\n?? USER.md\n?? memory/2026-03-01.md\n"
	if got := git("status", "--short", "-uall"); got != want {
		t.Errorf("Git sees\n%swant\n%s", got, want)
	}
	write(t, "mine\n", dir, ".gitignore")
	must(t, w.Ensure(t.Context()))
	if got := read(t, dir, ".gitignore"); got != "mine\n" {
		t.Errorf("overwritten: %q", got)
	}
}

const writes = 30

// writeMany does everything that processes could do to each other.
func writeMany(dir, writer string) {
	w, ctx := testfiles.Open(dir, "anna"), context.Background()
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	for i := range writes {
		id := fmt.Sprintf("%s-%d", writer, i)
		check(w.MergeMemory(ctx, []memory.Record{fact(id, "event", "Fact of "+id)}))
		check(w.AppendHistory(ctx, id, noon, strings.Repeat("words ", i)))
		check(w.AppendHistory(ctx, fmt.Sprint("both-", i), noon, "once"))
		check(w.AppendSession(ctx, "one", []memory.Turn{{Index: i, Content: "same"}}))
	}
}

func TestConcurrentWrites(t *testing.T) {
	testfiles.OnDisk(t)
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "WRITE_TO="+dir, fmt.Sprintf("WRITE_AS=p%d", i))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("process: %v\n%s", err, out)
			}
		})
		wg.Go(func() { writeMany(dir, fmt.Sprint("g", i)) })
	}
	wg.Wait()
	root := filepath.Join(dir, "workspaces", "anna")
	facts, history, session := read(t, root, "MEMORY.md"), read(t, root, "memory", "HISTORY.md"), read(t, root, "sessions", "one.jsonl")
	for i := range writes {
		for _, writer := range []string{"p0", "p1", "g0", "g1"} {
			id := fmt.Sprintf("%s-%d", writer, i)
			if strings.Count(facts, "<!-- "+id+" ") != 1 || strings.Count(history, "<!-- "+id+" -->\n") != 1 {
				t.Errorf("%s was lost or is twice there", id)
			}
		}
		if n := strings.Count(history, fmt.Sprintf("<!-- both-%d -->\n", i)); n != 1 {
			t.Errorf("entry %d is %d times there", i, n)
		}
		if n := strings.Count(session, fmt.Sprintf("{\"index\":%d,", i)); n != 1 {
			t.Errorf("turn %d is %d times there", i, n)
		}
	}
	if strings.Count(facts, "## Event") != 1 || strings.Count(history, "# History") != 1 {
		t.Error("a heading is twice there")
	}
}
