package recall_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/workspace"
	"mcp-memory/workspace/passages"
)

// vault writes notes of about 5 KB, in folders, as people keep them for years.
func vault(t testing.TB, count int) string {
	t.Helper()
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(3, 4))
	for i := range count {
		var b strings.Builder
		fmt.Fprintf(&b, "---\ntags: [%s]\ndate: 2025-%02d-%02d\n---\n", things[random.IntN(len(things))], 1+i%12, 1+i%28)
		for section := range 4 {
			fmt.Fprintf(&b, "# %s %d\n\n", things[random.IntN(len(things))], section)
			for range 3 {
				for range 6 {
					b.WriteString(sentence(random, i) + " ")
				}
				b.WriteString("\n\n")
			}
		}
		folder := filepath.Join(dir, fmt.Sprint(i%100))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("note %d.md", i)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// filed is a service that searches the agent's workspace in a data directory, and
// further files.
func (b *bank) filed(dataDir string, include ...string) *recall.Service {
	o := b.all.RecallOptions()
	o.Files = func(agent string) recall.Library {
		return passages.NewLibrary(passages.Options{Dir: testfiles.Open(dataDir, agent), Include: include,
			Log: slog.New(slog.DiscardHandler)})
	}
	return recall.New(o)
}

func inFiles(r *recall.Request) {
	r.Corpora, r.Limit, r.MinScore = []memory.Corpus{memory.Memories, memory.Workspace}, 10, recall.Floor
}

// BenchmarkVault reads 10,000 notes of 50 MB (notes/s), asks about them, looks whether
// they have changed, and asks about a small workspace.
func BenchmarkVault(b *testing.B) {
	const count = 10_000
	dir := vault(b, count)
	pattern := filepath.Join(dir, "**", "*.md")
	bank := newBank(b, builtin())
	var s *recall.Service
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			s = bank.filed(b.TempDir(), pattern)
			if err := s.WarmFiles(b.Context(), "ann"); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(count*float64(b.N)/b.Elapsed().Seconds(), "notes/s")
	})
	b.Run("ask", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if len(ask(b, s, questions[i%2], inFiles)) == 0 {
				b.Fatal("nothing")
			}
		}
	})
	library := passages.NewLibrary(passages.Options{Dir: workspace.Open(b.TempDir(), "ann"), Include: []string{pattern},
		Log: slog.New(slog.DiscardHandler)})
	none := func([]memory.Document) error { return nil }
	if err := library.Update(b.Context(), none); err != nil {
		b.Fatal(err)
	}
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			if err := library.Update(b.Context(), none); err != nil {
				b.Fatal(err)
			}
		}
	})
	small := passages.NewLibrary(passages.Options{Dir: workspace.Open(b.TempDir(), "ann"),
		Include: []string{filepath.Join(dir, "7", "*.md")}, Log: slog.New(slog.DiscardHandler)})
	if err := small.Update(b.Context(), none); err != nil {
		b.Fatal(err)
	}
	b.Run("unchanged workspace of 100", func(b *testing.B) {
		for b.Loop() {
			if err := small.Update(b.Context(), none); err != nil {
				b.Fatal(err)
			}
		}
	})
}
