package workspace_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// fact is a live record with an id of which later ones are greater.
func fact(id, category, content string) memory.Record {
	return memory.Record{ID: id, Category: category, Content: content, Importance: 0.5, CreatedAt: noon}
}

func correcting(id, old, category, content string) memory.Record {
	r := fact(id, category, content)
	r.Supersedes = old
	return r
}

// plain is a file without the sums, which no person reads.
func plain(content string) string {
	var b strings.Builder
	for l := range strings.Lines(content) {
		if at := strings.Index(l, " <!-- "); at >= 0 && strings.HasPrefix(strings.TrimSpace(l), "-") {
			l = l[:at] + " " + strings.Fields(l[at:])[1] + l[len(strings.TrimRight(l, "\r\n")):]
		}
		b.WriteString(l)
	}
	return b.String()
}

func TestMerge(t *testing.T) {
	ours := workspace.MergeFacts("", []memory.Record{fact("a", "preference", "Tea"), fact("b", "preference", "Rice")})
	line := func(n int) string { return strings.SplitAfter(ours, "\n")[n] }
	tea, rice := line(2), line(3)
	for _, c := range []struct {
		name, content string
		facts         []memory.Record
		want          string
	}{
		{"empty", "", []memory.Record{fact("x", "event", "Met Eve"), fact("y", "identity", "Is Anna"), fact("z", "", "Odd")},
			"## Identity\n\n- Is Anna y\n\n## Event\n\n- Met Eve x\n\n## Other\n\n- Odd z\n"},
		{"own category before other", "## Other\n\nmine\n", []memory.Record{fact("x", "my-own_thing", "X")},
			"## My own thing\n\n- X x\n\n## Other\n\nmine\n"},
		{"not in front of what is no category", "## Notes\nmine", []memory.Record{fact("x", "identity", "X")},
			"## Notes\nmine\n\n## Identity\n\n- X x\n"},
		{"after prose of the section", "# Me\n## preference ##\nI like\n\n### More\n- deep\n# End\n",
			[]memory.Record{fact("x", "preference", "X")},
			"# Me\n## preference ##\nI like\n\n- X x\n\n### More\n- deep\n# End\n"},
		{"in the person's list", "## Preference\n* mine\n  more\n## Event\n",
			[]memory.Record{fact("x", "preference", "X"), fact("y", "preference", "Y")},
			"## Preference\n* mine\n  more\n- X x\n- Y y\n\n## Event\n"},
		{"after what hangs on ours", "## Preference\n\n" + tea + "  - nested\n\n  loose\n\nprose\n",
			[]memory.Record{fact("x", "preference", "X")},
			"## Preference\n\n- Tea a\n  - nested\n\n  loose\n- X x\n\nprose\n"},
		{"correction in place", "## Mine\n\n" + tea + rice, []memory.Record{correcting("x", "a", "preference", "Coffee")},
			"## Mine\n\n- Coffee x\n- Rice b\n"},
		{"correction with the person's list marker", "  * " + tea[2:], []memory.Record{correcting("x", "a", "preference", "Coffee")},
			strings.Replace("  * Coffee x\n", " x\n", " <!-- x 50 "+sumOf("Coffee")+" global -->\n", 1)},
		{"correction of a reworded line", "- Only " + tea[2:] + "  and why\n" + rice,
			[]memory.Record{correcting("x", "a", "preference", "Coffee")},
			"- Only Tea a\n  and why\n- Coffee x\n- Rice b\n"},
		{"correction through the batch", tea + rice,
			[]memory.Record{correcting("x", "w", "preference", "Coffee"), correcting("w", "a", "preference", "Water")},
			"- Coffee x\n- Rice b\n"},
		{"correction of two", tea + rice,
			[]memory.Record{correcting("x", "w", "event", "Both"), correcting("w", "a", "", "W"), correcting("a", "b", "", "Tea")},
			"- Both x\n"},
		{"correction that is there", tea + "- X <!-- x -->\n", []memory.Record{correcting("x", "a", "preference", "Coffee")}, "- X x\n"},
		{"moved into prose", "He <!-- a -->\nand she\n", []memory.Record{fact("a", "event", "Tea"), correcting("x", "a", "event", "X")},
			"He <!-- a -->\nand she\n\n- X x\n"},
		{"no live fact", "mine",
			[]memory.Record{{ID: "x", SupersededBy: "y", Content: "X"}, {ID: "z", ArchivedAt: noon, Content: "Z"}}, "mine"},
		{"a fence hides", "```\n## Event\n" + tea + "```\n", []memory.Record{fact("x", "event", "X"), correcting("y", "a", "event", "Y")},
			"```\n## Event\n- Tea a\n```\n\n## Event\n\n- X x\n- Y y\n"},
		{"an open fence does not", "```\n## Event\n~~~~\n", []memory.Record{fact("x", "event", "X")}, "```\n## Event\n~~~~\n\n- X x\n"},
		{"a comment hides", "<!--\n## Event\n-->", []memory.Record{fact("x", "event", "X")}, "<!--\n## Event\n-->\n\n## Event\n\n- X x\n"},
		{"never inside a block", "## Event\n" + tea + "```\n\n\n```\n", []memory.Record{fact("x", "event", "X")},
			"## Event\n- Tea a\n```\n\n\n```\n\n- X x\n"},
		{"windows", "\uFEFF## Event\r\n\r\nmine\r\n", []memory.Record{fact("x", "event", "X\r\nY"), fact("y", "other", "Y")},
			"\uFEFF## Event\r\n\r\nmine\r\n\r\n- X Y x\r\n\r\n## Other\r\n\r\n- Y y\r\n"},
		{"blanks without an end", "## Event\n  ", []memory.Record{fact("x", "event", "X")}, "## Event\n  \n- X x\n"},
		{"front matter is no list", "---\ntags:\n- event\n## Event\n...: x\n---\n", []memory.Record{fact("x", "event", "X")},
			"---\ntags:\n- event\n## Event\n...: x\n---\n\n## Event\n\n- X x\n"},
		{"rules are no front matter", "---\nIt is so:\n" + tea + "---\n", []memory.Record{correcting("x", "a", "preference", "Coffee")},
			"---\nIt is so:\n- Coffee x\n---\n"},
		{"nothing to inject", "",
			[]memory.Record{fact("x", "event", "# No <!-- a --> \u2028## one\x1b[1m"), fact("y", "event", "```go"),
				fact("z", "event", "-5 degrees")},
			"## Event\n\n- \\# No &lt;!-- a --&gt; ## one[1m x\n- \\```go y\n- -5 degrees z\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := workspace.MergeFacts(c.content, c.facts)
			if plain(got) != plain(c.want) {
				t.Errorf("got\n%q\nwant\n%q", plain(got), plain(c.want))
			}
			if again := workspace.MergeFacts(got, c.facts); again != got {
				t.Errorf("merged again\n%q\nbefore\n%q", again, got)
			}
		})
	}
}

// sumOf reads the sum of words from a file in which they are alone.
func sumOf(words string) string {
	fields := strings.Fields(workspace.MergeFacts("", []memory.Record{fact("a", "event", words)}))
	return fields[len(fields)-3]
}

func TestDeletedBulletStaysAway(t *testing.T) {
	content := workspace.MergeFacts("", []memory.Record{fact("a", "event", "A"), fact("b", "event", "B")})
	lines := strings.SplitAfter(content, "\n")
	content = strings.Join(append(lines[:2:2], lines[3:]...), "")
	if got := plain(workspace.MergeFacts(content, []memory.Record{fact("c", "event", "C")})); got != "## Event\n\n- B b\n- C c\n" {
		t.Errorf("got %q", got)
	}
}

func TestLongFactIsShortened(t *testing.T) {
	got := workspace.MergeFacts("", []memory.Record{fact("a", "event", strings.Repeat("é ", 2000))})
	if n := len([]rune(got)); n < 600 || n > 650 || !strings.Contains(got, "é… <!-- a") {
		t.Errorf("%d characters: %s", n, got)
	}
}

func TestBound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	categories := memory.DefaultCategories()
	var facts []memory.Record
	for i := range 800 {
		f := fact(fmt.Sprintf("id-%04d", i), categories[random.IntN(len(categories))].Name, strings.Repeat("word ", 1+random.IntN(20)))
		f.Importance = float64(random.IntN(4)) / 4
		facts = append(facts, f)
	}
	facts[0].Pinned = true
	mine := "# Mine\n\n" + strings.Repeat("My own words.\n", 500)
	content := mine
	for batch := 0; batch < len(facts); batch += 100 {
		content = workspace.MergeFacts(content, facts[batch:batch+100])
		if again := workspace.MergeFacts(content, facts[batch:batch+100]); again != content {
			t.Fatalf("batch %d: merging again changed it from %d to %d bytes", batch, len(content), len(again))
		}
	}
	if len(content) > workspace.MaxMemoryBytes || len(content) < workspace.MaxMemoryBytes-200 {
		t.Errorf("%d bytes", len(content))
	}
	if !strings.HasPrefix(content, mine) || strings.Count(content, "left-out") != 1 || !strings.Contains(content, "<!-- id-0000 100 ") {
		t.Errorf("lost something:\n%s", content[len(mine):])
	}
	for _, f := range facts {
		if there := strings.Contains(content, "<!-- "+f.ID+" "); there && f.Importance == 0 && !f.Pinned {
			t.Errorf("%s is there without any importance", f.ID)
		}
	}
	own := strings.Repeat("- mine <!-- id-0001 -->\n", workspace.MaxMemoryBytes/20)
	if got := workspace.MergeFacts(own, facts); !strings.HasPrefix(got, own) || strings.Contains(got, "id-0002") {
		t.Errorf("a person's %d bytes became %d", len(own), len(got))
	}
}

// FuzzMerge checks that what a person wrote stays, in order and byte for byte,
// and that a merge is done when it is done.
func FuzzMerge(f *testing.F) {
	ours := workspace.MergeFacts("", []memory.Record{fact("a", "preference", "Tea"), fact("b", "event", "Rice")})
	for _, content := range []string{
		"", "mine", "\uFEFF# Me\r\n\r\n## Event\r\n* x\r\n", "\uFEFF## Event", ours,
		strings.TrimSpace(ours), "> " + ours, ours + "  - nested\n", "```\n" + ours,
		"<!--\n" + ours, strings.ReplaceAll(ours, "Tea", "Green tea"),
		ours + ours, "## Event\n\n1. one\n\n   two\n## Event", "\n\n \n## identity\n\t\n",
		"- Tea <!-- a --> and <!-- b -->\n", "x\n---\n*More*<!-- mcp-memory:left-out -->\ny",
		"- - -\n# \n##\n## Other #\n", "~~~~\n## Event\n~~~\n~~~~~\n",
		strings.NewReplacer("<!-- a ", "<!-- b ", "<!-- b ", "<!-- a ").Replace(ours),
	} {
		f.Add(content, "Coffee")
	}
	f.Fuzz(func(t *testing.T, content, words string) {
		content = strings.ToValidUTF8(content, "?")
		facts := []memory.Record{
			correcting("x", "a", "preference", words), fact("b", "event", "Rice"),
			fact("y", "identity", words), fact("z", "made-up", words), fact("w", "event", words),
		}
		got := workspace.MergeFacts(content, facts)
		if again := workspace.MergeFacts(got, facts); again != got {
			t.Fatalf("merged again\n%q\nbefore\n%q\nfrom\n%q", again, got, content)
		}
		rest := strings.TrimPrefix(got, "\uFEFF") // which belongs to the file, not to its first line
		for l := range strings.Lines(strings.TrimPrefix(content, "\uFEFF")) {
			l = strings.TrimSuffix(l, "\n")
			ours := slices.ContainsFunc([]string{"Tea", "Rice", words},
				func(s string) bool { return strings.Contains(l, " "+sumOf(s)+" ") })
			if strings.Contains(l, "<!-- a ") && ours {
				continue // as we wrote it, whatever its importance, and corrected
			}
			at := strings.Index("\n"+rest, "\n"+l)
			if at < 0 {
				t.Fatalf("line %q is lost or out of order in\n%q\nfrom\n%q", l, got, content)
			}
			rest = rest[at+len(l):]
		}
		for _, id := range []string{"x", "y", "z", "w"} {
			if n := strings.Count(got, "<!-- "+id+" "); n < 1 || n > 1+strings.Count(content, "<!-- "+id) {
				t.Fatalf("%s is there %d times in\n%q\nfrom\n%q", id, n, got, content)
			}
		}
		if strings.HasPrefix(content, "\uFEFF") && (!strings.HasPrefix(got, "\uFEFF") || strings.LastIndex(got, "\uFEFF## ") > 0) {
			t.Fatalf("the byte order mark moved: %q", got)
		}
	})
}

// Whatever is free, the file stays below the bound, and once is enough.
func TestBoundToTheByte(t *testing.T) {
	for mine := workspace.MaxMemoryBytes - 400; mine < workspace.MaxMemoryBytes-20; mine++ {
		content := strings.Repeat("x", mine)
		facts := []memory.Record{fact("a", "event", "A"), fact("b", "goal", "B"), fact("c", "goal", "C"), fact("d", "identity", "D")}
		facts[1].Importance, facts[3].Importance = 0.1, 0.2
		got := workspace.MergeFacts(content, facts)
		if strings.Contains(got, "<!-- a ") && len(got) > workspace.MaxMemoryBytes {
			t.Fatalf("%d bytes became %d", mine, len(got))
		}
		if again := workspace.MergeFacts(got, facts); again != got {
			t.Fatalf("%d bytes: merged again\n%q\nbefore\n%q", mine, again[mine:], got[mine:])
		}
		if strings.Contains(got, "## Identity") != strings.Contains(got, "<!-- d ") {
			t.Fatalf("%d bytes: an empty heading in\n%q", mine, got[mine:])
		}
	}
}

// Blank lines and headings that come and go must not make it start over.
func TestBoundSettles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := []string{"## Event\n", "## Goal", "\n", "mine\n", "- mine\n", "## Mine\n\n", "### Small\n", "  more\n",
			strings.Repeat("long ", 40) + "\n"}
		content := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
		content += strings.Repeat("x", workspace.MaxMemoryBytes-len(content)-rapid.IntRange(250, 900).Draw(t, "free"))
		for batch := range 3 {
			var facts []memory.Record
			for i := range rapid.IntRange(1, 6).Draw(t, "facts") {
				f := fact(fmt.Sprintf("%d-%d", batch, i), rapid.SampledFrom([]string{"event", "goal", "identity", "mine", "other"}).
					Draw(t, "category"),
					strings.Repeat("w", rapid.IntRange(1, 150).Draw(t, "length")))
				f.Importance = float64(rapid.IntRange(0, 3).Draw(t, "importance")) / 3
				facts = append(facts, f)
			}
			before := content
			content = workspace.MergeFacts(content, facts)
			if again := workspace.MergeFacts(content, facts); again != content || len(content) > workspace.MaxMemoryBytes {
				t.Fatalf("%d bytes, merged again %d bytes, from\n%q\nto\n%q\nto\n%q", len(content), len(again), short(before),
					short(content), short(again))
			}
		}
	})
}

// What a person hung on a bullet would hang on another one without it.
func TestBoundSparesWhatHangsTogether(t *testing.T) {
	least := fact("a", "event", "A")
	least.Importance = 0
	content := workspace.MergeFacts("", []memory.Record{least}) + "  - mine\n\n" + strings.Repeat("x", workspace.MaxMemoryBytes) + "\n"
	got := workspace.MergeFacts(content, []memory.Record{fact("b", "goal", strings.Repeat("B ", 200))})
	if !strings.HasPrefix(got, content) || strings.Contains(got, "<!-- b ") || !strings.Contains(got, "left-out") {
		t.Errorf("got %d bytes\n%.200s", len(got), got)
	}
}

// short is a file without its filling.
func short(content string) string { return strings.ReplaceAll(content, strings.Repeat("x", 100), "") }
