package dbtest

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/memory"
)

// OpenFiles opens the files in dir, as a further process would.
type OpenFiles func(t *testing.T, dir string) memory.FileStore

// RunFiles tests a [memory.FileStore], one subtest for each behaviour.
func RunFiles(t *testing.T, open OpenFiles) {
	for name, test := range map[string]func(*testing.T, *filesEnv){
		"put and read":     putFiles,
		"expected version": putExpected,
		"pieces":           appendPieces,
		"folders":          fileFolders,
		"remove":           removeFiles,
		"all or nothing":   editAllOrNothing,
		"agents":           filesOfAgents,
		"names":            fileNames,
		"versions":         fileVersions,
		"one at a time":    editOneAtATime,
		"locks":            fileLocks,
		"log":              appendLog,
		"log together":     logTogether,
	} {
		t.Run(name, func(t *testing.T) {
			e := &filesEnv{t: t, dir: t.TempDir(), open: open}
			e.FileStore = open(t, e.dir)
			test(t, e)
		})
	}
}

type filesEnv struct {
	memory.FileStore
	t    *testing.T
	dir  string
	open OpenFiles
}

func (e *filesEnv) edit(fn func(memory.FileTx) error) {
	e.t.Helper()
	if err := e.EditFiles(e.t.Context(), agent, fn); err != nil {
		e.t.Fatalf("edit: %v", err)
	}
}

// put creates a file, or replaces it whatever its version.
func (e *filesEnv) put(name, content string) {
	e.t.Helper()
	e.edit(func(tx memory.FileTx) error {
		old, err := tx.File(name)
		if err != nil {
			return err
		}
		if old == nil {
			old = &memory.FileInfo{}
		}
		return tx.PutFile(name, old.Version, []byte(content))
	})
}

// read returns the content of a file, "(none)" if there is none.
func (e *filesEnv) read(store memory.FileStore, agent, name string) string {
	e.t.Helper()
	info, content, err := store.FileBytes(e.t.Context(), agent, name, 0, -1)
	if err != nil {
		e.t.Fatalf("read %s: %v", name, err)
	}
	if info == nil {
		return "(none)"
	}
	if info.Size != int64(len(content)) || info.Name != name {
		e.t.Errorf("%s has %d bytes: %+v", name, len(content), info)
	}
	return string(content)
}

// names lists the agent's files and folders; folders end with a slash.
func (e *filesEnv) names(agent string) (names []string) {
	e.t.Helper()
	list, err := e.Files(e.t.Context(), agent)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, f := range list {
		if f.Folder {
			f.Name += "/"
		}
		names = append(names, f.Name)
	}
	return names
}

func (e *filesEnv) want(what string, got, want any) {
	e.t.Helper()
	if !reflect.DeepEqual(got, want) {
		e.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func putFiles(t *testing.T, e *filesEnv) {
	e.want("of nobody", e.names(agent), []string(nil))
	e.want("missing", e.read(e, agent, "MEMORY.md"), "(none)")
	binary := string([]byte{0, 255, 254, 'a', 0})
	large := strings.Repeat("0123456789abcdef", 200_000) // 3.2 MB: several parts
	before := time.Now().Add(-time.Hour)
	for name, content := range map[string]string{"MEMORY.md": "tea", "empty.md": "", "notes/binär.bin": binary, "large.txt": large} {
		e.put(name, content)
		e.want(name, e.read(e, agent, name) == content, true)
	}
	e.want("names", e.names(agent), []string{"MEMORY.md", "empty.md", "large.txt", "notes/", "notes/binär.bin"})
	some, err := e.Files(t.Context(), agent, "large.txt", "none", "notes")
	if err != nil || len(some) != 2 || some[0].Name != "large.txt" || !some[1].Folder {
		t.Errorf("by name: %+v, %v", some, err)
	}
	e.put("large.txt", "small")
	e.want("replaced", e.read(e, agent, "large.txt"), "small")
	e.want("by another", e.read(e.open(t, e.dir), agent, "large.txt"), "small")
	list, err := e.Files(t.Context(), agent)
	if err != nil || list[0].Size != 3 || list[0].ChangedAt.Before(before) || list[0].Version == 0 {
		t.Errorf("%+v, %v", list, err)
	}
	e.edit(func(tx memory.FileTx) error {
		inside, err := tx.Files()
		if !reflect.DeepEqual(inside, list) {
			t.Errorf("inside %+v, outside %+v", inside, list)
		}
		return err
	})
}

func putExpected(t *testing.T, e *filesEnv) {
	e.put("a.md", "one")
	stale, _, err := e.FileBytes(t.Context(), agent, "a.md", 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	e.put("a.md", "two")
	e.put("folder/b.md", "b")
	for what, c := range map[string]struct {
		name    string
		version int64
	}{
		"an old version": {"a.md", stale.Version}, "not there any more": {"none.md", stale.Version}, "there already": {"a.md", 0},
		"a folder": {"folder", 0}, "below a file": {"a.md/c.md", 0},
	} {
		err := e.EditFiles(t.Context(), agent, func(tx memory.FileTx) error { return tx.PutFile(c.name, c.version, []byte("three")) })
		e.want(what, memory.CodeOf(err), memory.CodeConflict)
	}
	e.want("the file", e.read(e, agent, "a.md"), "two")
	e.want("names", e.names(agent), []string{"a.md", "folder/", "folder/b.md"})
	err = e.EditFiles(t.Context(), agent, func(tx memory.FileTx) error { return tx.AppendFile("folder", []byte("x")) })
	e.want("appended to a folder", memory.CodeOf(err), memory.CodeConflict)
}

func appendPieces(t *testing.T, e *filesEnv) {
	var whole bytes.Buffer
	for i := range 300 {
		line := fmt.Sprintf("%d %s\n", i, strings.Repeat("words ", i))
		whole.WriteString(line)
		e.edit(func(tx memory.FileTx) error { return tx.AppendFile("log/day.md", []byte(line)) })
	}
	e.want("all", e.read(e, agent, "log/day.md") == whole.String(), true)
	for _, at := range []int{0, 1, 4000, 8191, 8192, 8193, 100_000, whole.Len() - 1, whole.Len(), whole.Len() + 10} {
		for _, n := range []int{0, 1, 5000, 70_000, -1} {
			end := min(at+n, whole.Len())
			if n < 0 {
				end = whole.Len()
			}
			want := string(whole.Bytes()[min(at, whole.Len()):max(end, min(at, whole.Len()))])
			_, got, err := e.FileBytes(t.Context(), agent, "log/day.md", int64(at), int64(n))
			if err != nil || string(got) != want {
				t.Errorf("%d bytes from %d: %d, want %d; %v", n, at, len(got), len(want), err)
			}
			e.edit(func(tx memory.FileTx) error {
				inside, err := tx.Bytes("log/day.md", int64(at), int64(n))
				e.want(fmt.Sprint("inside, ", n, " from ", at), string(inside) == want, true)
				return err
			})
		}
	}
	for _, size := range []int{whole.Len() + 5, whole.Len() - 3, 8192, 100, 0} {
		e.edit(func(tx memory.FileTx) error { return tx.CutFile("log/day.md", int64(size)) })
		whole.Truncate(min(size, whole.Len()))
		e.want(fmt.Sprint("cut to ", size), e.read(e, agent, "log/day.md") == whole.String(), true)
	}
	e.edit(func(tx memory.FileTx) error { return tx.AppendFile("log/day.md", []byte("again")) })
	e.want("after all was cut", e.read(e, agent, "log/day.md"), "again")
	e.edit(func(tx memory.FileTx) error { return tx.CutFile("log/none.md", 3) })
	e.want("cut what is not there", e.read(e, agent, "log/none.md"), "(none)")
}

func fileFolders(t *testing.T, e *filesEnv) {
	e.edit(func(tx memory.FileTx) error { return tx.MakeFolder("a/b") })
	e.edit(func(tx memory.FileTx) error { return tx.MakeFolder("a/b") })
	e.put("a/c/d.md", "d")
	e.want("names", e.names(agent), []string{"a/", "a/b/", "a/c/", "a/c/d.md"})
	err := e.EditFiles(t.Context(), agent, func(tx memory.FileTx) error { return tx.MakeFolder("a/c/d.md/e") })
	e.want("below a file", memory.CodeOf(err), memory.CodeConflict)
	err = e.EditFiles(t.Context(), agent, func(tx memory.FileTx) error { return tx.MakeFolder("a/c/d.md") })
	e.want("a file", memory.CodeOf(err), memory.CodeConflict)
}

func removeFiles(t *testing.T, e *filesEnv) {
	for _, name := range []string{"a", "a.md", "b/one.md", "b/two/three.md", "b.md", "b-1/x.md", "b0.md"} {
		e.put(name, name)
	}
	e.edit(func(tx memory.FileTx) error { return tx.RemoveFile("b") })
	e.want("without a folder", e.names(agent), []string{"a", "a.md", "b-1/", "b-1/x.md", "b.md", "b0.md"})
	e.edit(func(tx memory.FileTx) error {
		if err := tx.RemoveFile("a"); err != nil {
			return err
		}
		return tx.RemoveFile("not/there")
	})
	e.put("a", "new")
	e.want("made again", e.read(e, agent, "a"), "new")
	e.edit(func(tx memory.FileTx) error { return tx.RemoveFiles() })
	version, err := e.FilesVersion(t.Context(), agent)
	e.want("no version", []any{version, err}, []any{int64(0), nil})
	e.want("nothing", e.names(agent), []string(nil))
	e.put("a", "newer")
	e.want("made anew", e.read(e, agent, "a"), "newer")
	e.edit(func(tx memory.FileTx) error {
		if err := tx.RemoveFiles(); err != nil {
			return err
		}
		return tx.PutFile("z", 0, []byte("z"))
	})
	e.want("in one step", e.names(agent), []string{"z"})
	if version, err := e.FilesVersion(t.Context(), agent); version == 0 || err != nil {
		t.Errorf("version %d, %v", version, err)
	}
}

func editAllOrNothing(t *testing.T, e *filesEnv) {
	e.put("a.md", "a")
	before, _ := e.FilesVersion(t.Context(), agent)
	mistake := memory.Errorf(memory.CodeExpired, "too late")
	err := e.EditFiles(t.Context(), agent, func(tx memory.FileTx) error {
		for _, name := range []string{"b.md", "c/d.md"} {
			if err := tx.PutFile(name, 0, []byte("x")); err != nil {
				return err
			}
		}
		if err := tx.RemoveFile("a.md"); err != nil {
			return err
		}
		if found, err := tx.File("b.md"); found == nil || err != nil {
			t.Errorf("inside: %v, %v", found, err)
		}
		return mistake
	})
	e.want("error", err, error(mistake))
	e.want("names", e.names(agent), []string{"a.md"})
	after, _ := e.FilesVersion(t.Context(), agent)
	e.want("version", after, before)
	e.edit(func(memory.FileTx) error { return nil })
	after, _ = e.FilesVersion(t.Context(), agent)
	e.want("version after nothing", after, before)
}

func filesOfAgents(t *testing.T, e *filesEnv) {
	e.put("a.md", "Ann's")
	if err := e.EditFiles(t.Context(), "bob", func(tx memory.FileTx) error {
		if found, err := tx.File("a.md"); found != nil || err != nil {
			t.Errorf("bob sees %v, %v", found, err)
		}
		return tx.PutFile("a.md", 0, []byte("Bob's"))
	}); err != nil {
		t.Fatal(err)
	}
	e.want("Ann's", e.read(e, agent, "a.md"), "Ann's")
	e.want("Bob's", e.read(e, "bob", "a.md"), "Bob's")
	if err := e.EditFiles(t.Context(), "bob", memory.FileTx.RemoveFiles); err != nil {
		t.Fatal(err)
	}
	e.want("Ann's still", e.names(agent), []string{"a.md"})
	e.want("nobody's", memory.CodeOf(e.EditFiles(t.Context(), "", memory.FileTx.RemoveFiles)), memory.CodeInvalidArgument)
}

func fileNames(t *testing.T, e *filesEnv) {
	for _, name := range []string{"", ".", "..", "../a.md", "a/../b.md", "a/..", "/a.md", "a//b", "a/", "./a", "a\x00b", `a\b`, "a\xff",
		strings.Repeat("x", memory.MaxFileNameBytes+1)} {
		_, _, err := e.FileBytes(t.Context(), agent, name, 0, -1)
		e.want(fmt.Sprintf("read %q", name), memory.CodeOf(err), memory.CodeInvalidArgument)
		for what, change := range map[string]func(memory.FileTx) error{
			"put":    func(tx memory.FileTx) error { return tx.PutFile(name, 0, nil) },
			"append": func(tx memory.FileTx) error { return tx.AppendFile(name, nil) },
			"cut":    func(tx memory.FileTx) error { return tx.CutFile(name, 0) },
			"remove": func(tx memory.FileTx) error { return tx.RemoveFile(name) },
			"folder": func(tx memory.FileTx) error { return tx.MakeFolder(name) },
			"look":   func(tx memory.FileTx) error { _, err := tx.File(name); return err },
			"bytes":  func(tx memory.FileTx) error { _, err := tx.Bytes(name, 0, -1); return err },
		} {
			e.want(fmt.Sprintf("%s %q", what, name), memory.CodeOf(e.EditFiles(t.Context(), agent, change)), memory.CodeInvalidArgument)
		}
	}
	for _, name := range []string{".mirror.json", "a b%20'\";--.md", "日本/é.md", "..a", strings.Repeat("x", memory.MaxFileNameBytes)} {
		e.put(name, name)
		e.want(name, e.read(e, agent, name), name)
	}
}

func fileVersions(t *testing.T, e *filesEnv) {
	var seen []int64
	step := func(what string, fn func(memory.FileTx) error) {
		e.edit(fn)
		version, err := e.FilesVersion(t.Context(), agent)
		if err != nil || len(seen) > 0 && version <= slices.Max(seen) {
			t.Errorf("%s: version %d after %v, %v", what, version, seen, err)
		}
		seen = append(seen, version)
	}
	put := func(name string) func(memory.FileTx) error {
		return func(tx memory.FileTx) error { return tx.AppendFile(name, []byte("x")) }
	}
	step("put", put("a"))
	step("put another", put("b"))
	step("append", put("a"))
	step("cut", func(tx memory.FileTx) error { return tx.CutFile("a", 1) })
	step("remove", func(tx memory.FileTx) error { return tx.RemoveFile("a") })
	step("put again", put("a"))
	e.edit(memory.FileTx.RemoveFiles)
	step("put after all was removed", put("a"))
	list, err := e.Files(t.Context(), agent)
	if err != nil || len(list) != 1 || list[0].Version != seen[len(seen)-1] {
		t.Errorf("%+v, %v, want version %d", list, err, seen[len(seen)-1])
	}
}

// editOneAtATime increments a number in a file from several stores at once.
func editOneAtATime(t *testing.T, e *filesEnv) {
	const each = 20
	var group sync.WaitGroup
	for range 4 {
		store := e.open(t, e.dir)
		group.Go(func() {
			for range each {
				if err := store.EditFiles(t.Context(), agent, func(tx memory.FileTx) error {
					info, err := tx.File("count")
					if err != nil {
						return err
					}
					n, version := 0, int64(0)
					if info != nil {
						content, err := tx.Bytes("count", 0, -1)
						if err != nil {
							return err
						}
						n, _ = strconv.Atoi(string(content))
						version = info.Version
					}
					return tx.PutFile("count", version, []byte(strconv.Itoa(n+1)))
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	e.want("count", e.read(e, agent, "count"), strconv.Itoa(4*each))
}

func fileLocks(t *testing.T, e *filesEnv) {
	other := e.open(t, e.dir)
	hold := func(store memory.FileStore, agent, lock, holder string, length time.Duration) bool {
		t.Helper()
		held, err := store.HoldFiles(t.Context(), agent, lock, holder, length)
		if err != nil {
			t.Fatal(err)
		}
		return held
	}
	held := func(holder string) (held bool) {
		t.Helper()
		e.edit(func(tx memory.FileTx) (err error) {
			held, err = tx.Held("mirror", holder)
			return err
		})
		return held
	}
	e.want("first", hold(e, agent, "mirror", "one", time.Hour), true)
	e.want("second", hold(other, agent, "mirror", "two", time.Hour), false)
	e.want("another lock", hold(other, agent, "else", "two", time.Hour), true)
	e.want("another agent", hold(other, "bob", "mirror", "two", time.Hour), true)
	e.want("prolonged", hold(e, agent, "mirror", "one", time.Hour), true)
	e.want("held", []bool{held("one"), held("two")}, []bool{true, false})
	if err := other.ReleaseFiles(t.Context(), agent, "mirror", "two"); err != nil {
		t.Fatal(err)
	}
	e.want("released by another", hold(other, agent, "mirror", "two", time.Hour), false)
	if err := e.ReleaseFiles(t.Context(), agent, "mirror", "one"); err != nil {
		t.Fatal(err)
	}
	e.want("released", []bool{held("one"), hold(other, agent, "mirror", "two", time.Microsecond)}, []bool{false, true})
	for !hold(e, agent, "mirror", "three", time.Hour) { // until the holder's time is over
		time.Sleep(time.Millisecond)
	}
	e.want("lost", []bool{held("two"), held("three")}, []bool{false, true})
}

// appendLog appends lines to logs: the first one with a heading, and more than fit into one part.
// Appending to a folder or below a file is an error.
func appendLog(t *testing.T, e *filesEnv) {
	add := func(name, line string, want memory.Code) {
		t.Helper()
		err := e.AppendLog(t.Context(), agent, name, "# Log\n", line)
		e.want(fmt.Sprintf("%s: %.20q", name, line), memory.CodeOf(err), want)
	}
	before, _ := e.FilesVersion(t.Context(), agent)
	for _, line := range []string{"one\n", "two\n", "", "three\n"} {
		add("logs/a.md", line, "")
	}
	e.want("lines", e.read(e.open(t, e.dir), agent, "logs/a.md"), "# Log\none\ntwo\nthree\n")
	e.want("names", e.names(agent), []string{"logs/", "logs/a.md"})
	version, _ := e.FilesVersion(t.Context(), agent)
	list, err := e.Files(t.Context(), agent, "logs/a.md")
	if err != nil || len(list) != 1 || list[0].Size != 20 || list[0].Version != version || version <= before {
		t.Errorf("%+v, %v; the workspace has version %d, and had %d", list, err, version, before)
	}
	want := "# Log\n"
	for i := range 100 {
		line := fmt.Sprint(i, strings.Repeat("x", 20*i), "\n")
		if i%40 == 39 {
			line = strings.Repeat(line, 20)
		}
		add("b.md", line, "")
		want += line
	}
	if got := e.read(e, agent, "b.md"); got != want {
		t.Errorf("%d bytes are kept, want %d", len(got), len(want))
	}
	add("logs", "line\n", memory.CodeConflict)
	add("b.md/c.md", "line\n", memory.CodeConflict)
	add("../c.md", "line\n", memory.CodeInvalidArgument)
	e.want("another's", e.read(e, agent+"2", "b.md"), "(none)")
	if err := e.AppendLog(t.Context(), "", "b.md", "", "line\n"); err == nil {
		t.Error("the agent may be empty")
	}
}

// logTogether lets several stores append at once to a log that does not exist yet, in workspaces
// that do not either.
func logTogether(t *testing.T, e *filesEnv) {
	const rounds, writers, each = 12, 4, 10
	stores := []memory.FileStore{e.FileStore, e.open(t, e.dir)}
	for round := range rounds {
		who := fmt.Sprint(agent, round)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					if err := stores[w%2].AppendLog(t.Context(), who, "logs/a.md", "# Log\n", fmt.Sprintf("%d of %d\n", i, w)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		lines := strings.SplitAfter(strings.TrimSuffix(e.read(e, who, "logs/a.md"), "\n"), "\n")
		slices.Sort(lines)
		if n := len(slices.Compact(lines)); n != writers*each+1 || len(lines) != n {
			t.Errorf("%d lines, of them %d different ones", len(lines), n)
		}
	}
}
