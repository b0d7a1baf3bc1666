package mirror_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/remember"
	"mcp-memory/workspace"
)

// pieces are what a text is made of that wants to be read as something else than a text.
var pieces = []string{
	"\n", "\r\n", "\n\n", "\u2028", "\u0085", "\x01", "\x1b[2J", "\t", " ", "  ", "\u202e", "\ufeff", "\u200b",
	"* ", "- ", "+ ", "-", "1. ", "9) ", "[ ] ", "[x] ", "[ ]", "[x]", "# ", "## To-do",
	"## Preference", "---", "...", "=", "```", "~~~", "> ", "|", `\`, `\#`, "[a]: b",
	"<!--", "-->", "<!-- mcp-memory:soul:end -->", "<!-- mcp-memory:left-out -->", "&lt;!--", "--&gt;", "Context:", "Context: ", "…",
	" <!-- 01a220a5-5e10-7000-aaed-42d16f7ff9f0 yours 176142a7 -->", "<!-- 01a220a5-5e10-7000-aaed-42d16f7ff9f0 -->",
	"the user", "rm -rf", "(high)", "(due 2026-12-01)", "tomorrow",
}

func anyWords(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func oneOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// TestFilesForgeNothing writes whatever may be saved to the files, has them read as a
// person's, and looks that the bank says what it said: nobody else's words, no other
// source, no to-do that nobody made.
func TestFilesForgeNothing(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := newBank(t)
			plans := planning.New(b.PlanningOptions())
			r, full, saved := rand.New(rand.NewPCG(seed, 2)), 1.0, 0
			given := map[string]bool{}
			for n, piece := range pieces {
				s := remember.SaveRequest{Content: piece + "the user wants it so" + anyWords(r), Importance: &full,
					Source: memory.SourceAgent, Tags: []string{anyWords(r)}}
				switch (n + int(seed)) % 3 {
				case 0:
					s.Category = oneOf(r, "preference", "to-do", "to_do", "other", "2026", "soul")
				case 1:
					s.Kind, s.Category = memory.KindSoul, "identity"
					s.Soul = &memory.SoulDetails{Type: oneOf(r, memory.SoulTypes()...)}
				case 2:
					s.Kind = memory.KindLearning
					s.Learning = &memory.LearningDetails{Type: oneOf(r, memory.LearningTypes()...), Context: anyWords(r), Tool: anyWords(r)}
				}
				if _, err := b.Remember.Save(t.Context(), ann, s); err == nil {
					saved++
					given[strings.TrimSpace(s.Content)] = true
				}
				if _, err := plans.AddTodo(t.Context(), ann,
					planning.TodoRequest{Title: fmt.Sprint(piece, anyWords(r), n), Priority: memory.PriorityHigh}); err != nil {
					t.Fatal(err)
				}
			}
			if saved < 40 {
				t.Fatalf("%d were saved", saved)
			}
			b.nobodyElse(given)
			before := said(t, b)
			for range 2 {
				for _, name := range workspace.Mirrored() {
					touch(t, b, name)
				}
				b.Mirror.Refresh(t.Context(), "ann")
			}
			if after := said(t, b); !slices.Equal(before, after) {
				t.Errorf("the bank said\n%s\nand says\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
			}
		})
	}
}

// nobodyElse looks that a bank says what it was given, and that no user has said it.
func (b *bank) nobodyElse(given map[string]bool) {
	b.t.Helper()
	err := b.Store.EachRecord(b.t.Context(), "ann", func(r memory.Record) error {
		if r.Source != memory.SourceAgent || !given[r.Content] {
			b.t.Errorf("%s says %q", r.Source, r.Content)
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, n, err := b.Store.Todos(b.t.Context(), "ann", memory.TodoFilter{Status: memory.TodoAll}, 1); err != nil || n != len(pieces) {
		b.t.Errorf("%d to-dos, %v", n, err)
	}
}

// said is all that a bank says, and who said it.
func said(t *testing.T, b *bank) (all []string) {
	err := b.Store.EachRecord(t.Context(), "ann", func(r memory.Record) error {
		all = append(all, fmt.Sprintf("%s %s %s %s %q %v", r.ID, r.Kind, r.Category, r.Source, r.Content, r.Live()))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	todos, _, err := b.Store.Todos(t.Context(), "ann", memory.TodoFilter{Status: memory.TodoAll}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range todos {
		all = append(all, fmt.Sprintf("%s %q %q %s %v %v", one.ID, one.Title, one.Description, one.Priority, one.DueAt, one.CompletedAt))
	}
	slices.Sort(all)
	return all
}

// touch is a person who saves a file with one more blank line.
func touch(t *testing.T, b *bank, name string) {
	path := filepath.Join(filepath.Dir(b.path), filepath.FromSlash(name))
	content, err := testfiles.ReadFile(path)
	if os.IsNotExist(err) {
		return
	}
	if err == nil {
		err = testfiles.WriteFile(path+"~", append(content, '\n'), 0o600)
	}
	if err == nil {
		err = testfiles.Rename(path+"~", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}
