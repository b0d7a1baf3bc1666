package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// place is a workspace with a few files, and a secret beside it.
func place(t *testing.T) (dir workspace.Dir, path string) {
	t.Helper()
	data := t.TempDir()
	path = filepath.Join(data, "workspaces", "ann")
	for name, content := range map[string]string{
		"secret.txt": "the secret", "workspaces/bob/SOUL.md": "the soul of bob", "workspaces/ann/SOUL.md": "I am ann.",
		"workspaces/ann/memory/HISTORY.md": "What was.",
		"workspaces/ann/.hidden.md":        "hidden", "workspaces/ann/memory/.HISTORY.md.draft": "draft",
		"workspaces/ann/a/b/c/d/deep.md": "deep", "workspaces/ann/notes/ä b.md": "umlaut", "workspaces/ann/picture.png": "\xff\xd8\x00",
		"workspaces/ann/big.md": strings.Repeat("x", 1<<20+1),
	} {
		file := filepath.Join(data, filepath.FromSlash(name))
		if err := testfiles.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := testfiles.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"out.md": "../../secret.txt", "inside.md": "SOUL.md",
		"outdir": "../bob", "insidedir": "memory", "notes/up.md": "../../../secret.txt",
	} {
		if testfiles.InRows() {
			break // there are no links
		}
		if err := os.Symlink(filepath.FromSlash(target), filepath.Join(path, filepath.FromSlash(link))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	return testfiles.Open(data, "ann"), path
}

func TestListFiles(t *testing.T) {
	dir, _ := place(t)
	got, err := dir.List(t.Context())
	want := []string{"SOUL.md", "big.md", "memory/HISTORY.md", "notes/ä b.md", "picture.png"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err := testfiles.Open(t.TempDir(), "ann").List(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("of nothing: %q, %v", got, err)
	}
}

func TestReadFiles(t *testing.T) {
	dir, path := place(t)
	for name, want := range map[string]string{"SOUL.md": "I am ann.", "memory/HISTORY.md": "What was.", "notes/ä b.md": "umlaut"} {
		if got, err := dir.Read(t.Context(), name); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for name, want := range map[string]memory.Code{
		"": memory.CodeInvalidArgument, ".": memory.CodeInvalidArgument,
		"..": memory.CodeInvalidArgument, "/etc/passwd": memory.CodeInvalidArgument,
		"../../secret.txt":         memory.CodeInvalidArgument,
		"memory/../../bob/SOUL.md": memory.CodeInvalidArgument, "memory//HISTORY.md": memory.CodeInvalidArgument,
		"./SOUL.md": memory.CodeInvalidArgument, "SOUL.md/": memory.CodeInvalidArgument, `..\bob\SOUL.md`: memory.CodeInvalidArgument,
		"SOUL.md\x00": memory.CodeInvalidArgument, "C:/secret.txt": memory.CodeInvalidArgument, "con": memory.CodeInvalidArgument,
		strings.Repeat("x", 5000): memory.CodeInvalidArgument, "a\xffb": memory.CodeInvalidArgument,
		".hidden.md": memory.CodeNotFound, "memory/.HISTORY.md.draft": memory.CodeNotFound,
		"nothing.md": memory.CodeNotFound, "no/thing.md": memory.CodeNotFound,
		"out.md": memory.CodeForbidden, "inside.md": memory.CodeForbidden,
		"outdir/SOUL.md": memory.CodeForbidden, "insidedir/HISTORY.md": memory.CodeForbidden,
		"notes/up.md": memory.CodeForbidden, "memory": memory.CodeForbidden, "SOUL.md/x": memory.CodeForbidden,
		"picture.png": memory.CodeInvalidArgument, "big.md": memory.CodeTooLarge,
	} {
		got, err := dir.Read(t.Context(), name)
		if testfiles.InRows() && want == memory.CodeForbidden && name != "memory" && name != "SOUL.md/x" {
			want = memory.CodeNotFound // there are no links
		}
		if memory.CodeOf(err) != want || got != "" {
			t.Errorf("%.40q: %q, %v, want %s", name, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), path) {
			t.Errorf("%q tells where the workspace is: %v", name, err)
		}
	}
	if _, err := testfiles.Open(t.TempDir(), "ann").Read(t.Context(), "SOUL.md"); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("of nothing: %v", err)
	}
}
