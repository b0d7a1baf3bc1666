package passages_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/workspace"
	"mcp-memory/workspace/passages"
)

// shelf is a workspace and a folder beside it, with what has been handed on.
type shelf struct {
	*passages.Library
	t       *testing.T
	dir     string // the agent's workspace
	outside string
	seqs    map[string]int64 // by text, the newest
	last    int64
}

func newShelf(t *testing.T, patterns ...string) *shelf {
	base := t.TempDir()
	w := workspace.Open(base, "ann")
	s := &shelf{t: t, dir: w.Path(), outside: t.TempDir(), seqs: map[string]int64{}}
	var include []string
	for _, p := range patterns {
		include = append(include, filepath.Join(s.outside, filepath.FromSlash(p)))
	}
	s.write(s.dir, "AGENTS.md", workspace.Beginning("AGENTS.md"))
	s.Library = passages.NewLibrary(passages.Options{Dir: w, Include: include, Log: slog.New(slog.DiscardHandler)})
	return s
}

func (s *shelf) write(dir, name, text string) string {
	s.t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		s.t.Fatal(err)
	}
	return file
}

// update returns the texts that are new.
func (s *shelf) update() (texts []string) {
	s.t.Helper()
	err := s.Update(s.t.Context(), func(docs []memory.Document) error {
		for _, d := range docs {
			if d.Seq <= s.last {
				s.t.Errorf("%q has the number %d after %d", d.Content, d.Seq, s.last)
			}
			s.last, s.seqs[d.Content] = d.Seq, d.Seq
			texts = append(texts, d.Content)
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	slices.Sort(texts)
	return texts
}

// all reads everything that is there, as "path:line text".
func (s *shelf) all() (list []string) {
	s.t.Helper()
	docs, err := s.Documents(s.t.Context(), s.Select(time.Time{}, time.Time{}))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, d := range docs {
		path := d.Place.Path
		if rest, err := filepath.Rel(s.outside, path); err == nil {
			path = "~/" + filepath.ToSlash(rest)
		}
		list = append(list, strings.ReplaceAll(path, `\`, "/")+" "+d.Content)
	}
	slices.Sort(list)
	return list
}

func (s *shelf) want(got []string, want ...string) {
	s.t.Helper()
	if !slices.Equal(got, want) {
		s.t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestWhatIsRead(t *testing.T) {
	s := newShelf(t, "**/*.md", "*.log", "deep")
	s.write(s.dir, "USER.md", "Ann is a dentist.")
	s.write(s.dir, "AGENTS.md", workspace.Beginning("AGENTS.md")+"\nSpeak Dutch.\n")
	s.write(s.dir, "memory/2026-01-02.md", "Met Ben.")
	s.write(s.dir, "plain.txt", "Plain.")
	s.write(s.dir, "sessions/a.jsonl", `{"content":"turn"}`)
	s.write(s.dir, "MEMORY.conflict-20260101T000000.md", "conflict")
	s.write(s.dir, ".hidden.md", "hidden")
	s.write(s.dir, ".mirror.json", "{}")
	s.write(filepath.Join(filepath.Dir(s.dir), workspace.SharedFolder), "AGENTS.md", "For all.")
	s.write(filepath.Join(filepath.Dir(s.dir), "ben"), "USER.md", "of another agent")
	s.write(s.outside, "a.md", "\uFEFFOutside.\r\n")
	s.write(s.outside, "x/y/b.md", "Deep down.")
	s.write(s.outside, "run.log", "A log.")
	s.write(s.outside, "x/run.log", "not meant")
	s.write(s.outside, "deep/c.txt", "A text.")
	s.write(s.outside, ".obsidian/d.md", "hidden")
	s.write(s.outside, ".git/d.md", "hidden")
	s.write(s.outside, "node_modules/d/README.md", "fetched")
	s.write(s.outside, "binary.md", "a\x00b")
	s.write(s.outside, "latin.md", "caf\xe9")
	s.write(s.outside, "empty.md", "")
	s.write(s.outside, "huge.md", strings.Repeat("a huge file\n", 1<<20))
	s.update()
	s.want(s.all(), "AGENTS.md Speak Dutch.", "USER.md Ann is a dentist.", "_shared/AGENTS.md For all.", "memory/2026-01-02.md Met Ben.",
		"plain.txt Plain.", "~/a.md Outside.", "~/deep/c.txt A text.", "~/run.log A log.", "~/x/y/b.md Deep down.")
	s.want(s.update())
	if s.Len() != 9 {
		t.Errorf("%d passages", s.Len())
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	s := newShelf(t, "**/*.md")
	secret := s.write(t.TempDir(), "secret.md", "A secret.")
	for link, to := range map[string]string{"file.md": secret, "folder": filepath.Dir(secret)} {
		if err := os.Symlink(to, filepath.Join(s.outside, link)); err != nil {
			t.Skip(err)
		}
	}
	s.want(s.update())
	// A folder that becomes a link after the look does not lead out either.
	inner := s.write(s.outside, "sub/secret.md", "A secret.")
	s.update()
	if err := errors.Join(os.RemoveAll(filepath.Dir(inner)), os.Symlink(filepath.Dir(secret), filepath.Dir(inner))); err != nil {
		t.Fatal(err)
	}
	s.want(s.all())
}

func TestChangesAreSeen(t *testing.T) {
	s := newShelf(t, "*.md")
	file := s.write(s.outside, "a.md", "First.")
	other := s.write(s.outside, "b.md", "Other.")
	s.want(s.update(), "First.", "Other.")
	s.want(s.update())

	s.write(s.outside, "a.md", "Second version.")
	s.want(s.all(), "~/b.md Other.") // its text is no longer that of the passage
	s.want(s.update(), "Second version.")
	s.want(s.all(), "~/a.md Second version.", "~/b.md Other.")

	// Of the same size and time, but another file, as editors save.
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	fresh := s.write(s.outside, "new", "Renamed version")
	if err := errors.Join(os.Chtimes(fresh, info.ModTime(), info.ModTime()), os.Rename(fresh, file)); err != nil {
		t.Fatal(err)
	}
	s.want(s.update(), "Renamed version")

	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	s.want(s.all(), "~/a.md Renamed version")
	s.want(s.update())
	if s.Len() != 1 {
		t.Errorf("%d passages are left", s.Len())
	}
}

func TestWhatMayNotBeReadIsTriedAgain(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("everything may be read")
	}
	s := newShelf(t, "*.md")
	file := s.write(s.outside, "a.md", "Closed.")
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	s.want(s.update())
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	s.want(s.update(), "Closed.")
}

func TestSelectByTime(t *testing.T) {
	s := newShelf(t)
	s.write(s.dir, "memory/2026-01-02.md", "Named.")
	s.write(s.dir, "a.md", "---\ndate: 2025-05-05\n---\nDated.")
	edited := s.write(s.dir, "b.md", "Edited.")
	if err := os.Chtimes(edited, time.Time{}, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	s.update()
	day := func(text string) time.Time {
		d, err := time.Parse(time.DateOnly, text)
		if err != nil && text != "" {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		since, until string
		want         []string
	}{
		{"2026-01-02", "", []string{"Named."}},
		{"", "2026-01-02", []string{"Dated.", "Edited."}},
		{"2025-01-01", "2026-01-01", []string{"Dated."}},
		{"2024-01-01", "2024-01-02", []string{"Edited."}},
	} {
		docs, err := s.Documents(t.Context(), s.Select(day(c.since), day(c.until)))
		var got []string
		for _, d := range docs {
			got = append(got, d.Content)
		}
		if slices.Sort(got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("since %s until %s: %q, %v, want %q", c.since, c.until, got, err, c.want)
		}
	}
}

// What stops in the middle goes on there.
func TestAnUpdateThatStopsIsResumed(t *testing.T) {
	s := newShelf(t, "*.md")
	for _, name := range []string{"a", "b", "c"} {
		s.write(s.outside, name+".md", strings.Repeat(name+" word ", 40_000))
	}
	full := errors.New("full")
	batches := 0
	err := s.Update(t.Context(), func([]memory.Document) error {
		if batches++; batches == 2 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Update(canceled, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	left := strings.Join(s.update(), " ")
	if strings.Contains(left, "a word") || !strings.Contains(left, "b word") || !strings.Contains(left, "c word") {
		t.Error("not just the second and the third are read again")
	}
}

func TestCheckPattern(t *testing.T) {
	abs := t.TempDir()
	for pattern, ok := range map[string]bool{
		filepath.Join(abs, "**", "*.md"): true, abs: true, "notes/*.md": false,
		"": false, filepath.Join(abs, "[a"): false, abs + "/\xff": false,
	} {
		if err := passages.CheckPattern(pattern); (err == nil) != ok {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}
