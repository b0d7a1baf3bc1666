package workspace_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// desks are a workspace in a database and a folder that is kept the same.
type desks struct {
	t   *testing.T
	in  workspace.Dir
	dir string
	now time.Time
}

func newDesks(t *testing.T) *desks {
	return &desks{t, workspace.In(testfiles.NewStore()).Open("ann"), filepath.Join(t.TempDir(), "notes"), noon}
}

func (d *desks) sync(accept bool) (workspace.Synced, error) {
	d.now = d.now.Add(time.Minute)
	return workspace.Sync(context.Background(), d.in, workspace.Folder(d.dir), d.now, accept)
}

func (d *desks) synced() workspace.Synced {
	d.t.Helper()
	did, err := d.sync(false)
	if err != nil {
		d.t.Fatal(err)
	}
	if again, err := d.sync(false); err != nil || again.Any() {
		d.t.Errorf("a second run did %+v, %v", again, err)
	}
	return did
}

// put writes a file in the folder, "" removes it.
func (d *desks) put(name, content string) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil && content == "" {
		err = os.Remove(path)
	} else if err == nil {
		err = os.WriteFile(path, []byte(content), 0o600)
	}
	must(d.t, err)
}

// set is put in the workspace.
func (d *desks) set(name, content string) {
	d.t.Helper()
	old, err := d.in.Raw(d.t.Context(), name)
	must(d.t, err)
	now := []byte(content)
	if content == "" {
		now = nil
	}
	if done, err := d.in.Swap(d.t.Context(), name, old, now); err != nil || !done {
		d.t.Fatal(done, err)
	}
}

// want compares a file on both sides; "" is none.
func (d *desks) want(name, want string) {
	d.t.Helper()
	there, err := d.in.Raw(d.t.Context(), name)
	must(d.t, err)
	here, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil && !os.IsNotExist(err) {
		d.t.Fatal(err)
	}
	if string(there) != want || string(here) != want {
		d.t.Errorf("%s: the workspace says %q, the folder %q, want %q", name, there, here, want)
	}
}

func TestSync(t *testing.T) {
	d := newDesks(t)
	d.set("MEMORY.md", "one\ntwo\nthree\n")
	d.set("memory/2026-03-01.md", "log\n")
	d.set(".mirror.json", "{}")
	d.put("notes/mine.md", "mine\n")
	around := filepath.Dir(d.dir)
	must(t, os.Chmod(around, 0o755))
	d.synced()
	if info, err := os.Stat(around); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder around is closed: %v, %v", info.Mode(), err)
	}
	d.want("MEMORY.md", "one\ntwo\nthree\n")
	d.want("memory/2026-03-01.md", "log\n")
	d.want("notes/mine.md", "mine\n")
	if _, err := os.Stat(filepath.Join(d.dir, ".mirror.json")); err == nil {
		t.Error("a hidden file was copied")
	}
	d.put("MEMORY.md", "one\n2\nthree\n")
	d.set("memory/2026-03-01.md", "log\nmore\n")
	d.synced()
	d.want("MEMORY.md", "one\n2\nthree\n")
	d.want("memory/2026-03-01.md", "log\nmore\n")
	kept, err := filepath.Glob(filepath.Join(d.dir, ".sync/replaced/*/workspace/MEMORY.md"))
	if err != nil || len(kept) != 1 || read(t, kept[0]) != "one\ntwo\nthree\n" {
		t.Errorf("what was replaced is in %v, %v", kept, err)
	}
	d.put("notes/mine.md", "")
	d.set("memory/2026-03-01.md", "")
	if did := d.synced(); !slices.Equal(did.Removed, []string{"notes/mine.md"}) ||
		!slices.Equal(did.Read, []string{"memory/2026-03-01.md"}) {
		t.Errorf("removed: %+v", did)
	}
	d.want("notes/mine.md", "")
	d.want("memory/2026-03-01.md", "")
	d.put("MEMORY.md", "")
	d.set("MEMORY.md", "changed meanwhile\n")
	d.synced()
	d.want("MEMORY.md", "changed meanwhile\n")
	d.put("MEMORY.md", "by a person\n")
	d.set("MEMORY.md", "")
	d.synced()
	d.want("MEMORY.md", "by a person\n")
}

func TestSyncMerges(t *testing.T) {
	d := newDesks(t)
	d.set("MEMORY.md", "a\nb\nc\nd\ne\n")
	d.synced()
	d.put("MEMORY.md", "A\nb\nc\nd\ne\nmine\n")
	d.set("MEMORY.md", "a\nb\nC\nd\ne\n")
	if did := d.synced(); !slices.Equal(did.Merged, []string{"MEMORY.md"}) || len(did.Conflicts) > 0 {
		t.Errorf("merged: %+v", did)
	}
	d.want("MEMORY.md", "A\nb\nC\nd\ne\nmine\n")
	d.put("MEMORY.md", "A\nmy b\nC\nd\ne\nmine\n")
	d.set("MEMORY.md", "A\nits b\nC\nd\ne!\nmine\n")
	did := d.synced()
	d.want("MEMORY.md", "A\nmy b\nC\nd\ne!\nmine\n")
	if len(did.Conflicts) != 1 || !strings.HasPrefix(did.Conflicts[0], "MEMORY.conflict-") {
		t.Fatalf("%+v", did)
	}
	d.want(did.Conflicts[0], "its b\n")
	if list, err := d.in.Conflicts(t.Context()); err != nil || !slices.Equal(list, did.Conflicts) {
		t.Errorf("conflicts %v, %v", list, err)
	}
	if err := os.RemoveAll(filepath.Join(d.dir, ".sync")); err != nil { // nothing is known any more: nothing is lost
		t.Fatal(err)
	}
	d.set("MEMORY.md", "theirs\n")
	did = d.synced()
	d.want("MEMORY.md", "A\nmy b\nC\nd\ne!\nmine\n")
	d.want(did.Conflicts[0], "theirs\n")
}

func TestSyncOfWhatIsNoText(t *testing.T) {
	d := newDesks(t)
	must(t, os.MkdirAll(d.dir, 0o700))
	d.put("nul.md", "a\x00b")
	d.put("latin.md", "caf\xe9")
	d.put("big.md", strings.Repeat("x", 1<<20+1))
	must(t, os.Symlink("/etc/hostname", filepath.Join(d.dir, "link.md")))
	d.put("back\\slash.md", "x")
	did := d.synced()
	if len(did.Left) != 5 || did.Any() {
		t.Errorf("%+v", did)
	}
	if list, _, err := d.in.Pieces(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("in the workspace: %v, %v", list, err)
	}
}

func TestSyncOfAnEmptyFolder(t *testing.T) {
	d := newDesks(t)
	names := []string{"a.md", "b.md", "c.md", "d.md"}
	for _, name := range names {
		d.set(name, name)
	}
	d.synced()
	for _, name := range names[:3] {
		d.put(name, "")
	}
	if did, err := d.sync(false); memory.CodeOf(err) != memory.CodeConflict || did.Any() {
		t.Errorf("%+v, %v", did, err)
	}
	if content, err := d.in.Raw(t.Context(), "a.md"); err != nil || string(content) != "a.md" {
		t.Errorf("%q, %v", content, err)
	}
	if did, err := d.sync(true); err != nil || len(did.Removed) != 3 {
		t.Errorf("%+v, %v", did, err)
	}
	d.want("a.md", "")
	d.want("d.md", "d.md")
}

func TestCarry(t *testing.T) {
	d := newDesks(t)
	for name, content := range map[string]string{"MEMORY.md": "tea", "sessions/s.jsonl": strings.Repeat("line\n", 500_000),
		".mirror.json": "{}", "pic.png": "\xff\x00", ".memories/1.json": "{}"} {
		d.set(name, content)
	}
	data := t.TempDir()
	to := workspace.Open(data, "ann")
	for run, written := range []int{5, 0} {
		r, err := workspace.Carry(t.Context(), d.in, to)
		if err != nil || r.Files != 5 || r.Written != written || r.SumFrom != r.SumTo || r.SumTo == "" {
			t.Errorf("run %d: %+v, %v", run, r, err)
		}
	}
	page := filepath.Join(data, "workspaces", "ann", "MEMORY.md")
	if got, err := os.ReadFile(page); err != nil || string(got) != "tea" {
		t.Errorf("%q", got)
	}
	d.set("MEMORY.md", "coffee") // the source goes on
	d.set("pic.png", "")
	if r, err := workspace.Carry(t.Context(), d.in, to); err != nil || r.Written != 2 || r.SumFrom != r.SumTo {
		t.Errorf("%+v, %v", r, err)
	}
	back := workspace.In(testfiles.NewStore()).Open("ann")
	if r, err := workspace.Carry(t.Context(), to, back); err != nil || r.Files != 4 || r.SumFrom != r.SumTo {
		t.Errorf("back: %+v, %v", r, err)
	}
	must(t, os.WriteFile(page, []byte("a person's"), 0o600))
	if _, err := workspace.Carry(t.Context(), d.in, to); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("over a person's file: %v", err)
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != "a person's" {
		t.Errorf("%q", got)
	}
}
