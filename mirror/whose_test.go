package mirror_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// saveIn saves something that MEMORY.md has a line of.
func (b *bank) saveIn(project, content string) {
	b.t.Helper()
	_, err := b.Remember.Save(b.t.Context(), memory.Scope{Agent: "ann", Project: project, Chosen: true},
		remember.SaveRequest{Content: content, Pinned: true})
	if err != nil {
		b.t.Fatal(err)
	}
}

// lineOf is the line of a record.
func (b *bank) lineOf(words string) string {
	b.t.Helper()
	for line := range strings.Lines(b.file()) {
		if strings.Contains(line, words) {
			return strings.TrimSpace(line)
		}
	}
	b.t.Fatalf("no line has %q:\n%s", words, b.file())
	return ""
}

// project is whose what now says some words is.
func (b *bank) project(words string) (project string) {
	b.t.Helper()
	found := 0
	if err := b.Store.EachRecord(b.t.Context(), "ann", func(r memory.Record) error {
		if r.Live() && strings.Contains(r.Content, words) {
			project = r.Project
			found++
		}
		return nil
	}); err != nil || found != 1 {
		b.t.Fatalf("%d records say %q, %v", found, words, err)
	}
	return project
}

// TestALineSaysWhoseItIs: each line says it whatever the project is called, follows a move, and keeps it
// when it is reworded, and when it is put into the file of another bank.
func TestALineSaysWhoseItIs(t *testing.T) {
	b := newBank(t)
	projects := map[string]string{"first": "nordfracht/parcelbot", "second": "", "third": "a b --> <!-- ü%"}
	marks := map[string]string{"first": " in nordfracht/parcelbot -->", "second": " global -->",
		"third": " in a%20b%20--%3E%20%3C%21--%20%C3%BC%25 -->"}
	for words, project := range projects {
		b.saveIn(project, "The "+words+" plan holds.")
	}
	copied := b.file()
	for words, mark := range marks {
		if line := b.lineOf(words); !strings.HasSuffix(line, mark) || strings.Count(line, "<!--") != 1 {
			t.Errorf("%q does not end in %q", line, mark)
		}
		b.replace("The "+words+" plan holds.", "The "+words+" plan is dropped.")
		if line := b.lineOf(words); !strings.HasSuffix(line, mark) || b.project(words+" plan is dropped") != projects[words] {
			t.Errorf("reworded it is of %q: %q", b.project(words), line)
		}
	}
	to := "local/other"
	_, err := b.Remember.Update(t.Context(), ann,
		remember.UpdateRequest{ID: strings.Fields(strings.SplitAfter(b.lineOf("second plan"), "<!-- ")[1])[0], Project: &to})
	if err != nil {
		t.Fatal(err)
	}
	b.Mirror.Refresh(t.Context(), "ann")
	if line := b.lineOf("second"); !strings.HasSuffix(line, " in local/other -->") || !strings.Contains(line, " yours ") {
		t.Errorf("moved: %q", line)
	}

	other := newBank(t)
	other.save("I like tea.")
	other.edit(func(s string) string {
		for line := range strings.Lines(copied) {
			if strings.Contains(line, "plan holds") {
				s += strings.Replace(line, "holds", "held", 1)
			}
		}
		return s
	})
	for words, project := range projects {
		if got := other.project(words); got != project {
			t.Errorf("in the file of another bank %s is of %q, not of %q", words, got, project)
		}
	}
}

// TestLinesWithoutAMarkStay: a file of an earlier version is left byte for byte, and its lines are known.
func TestLinesWithoutAMarkStay(t *testing.T) {
	b := newBank(t)
	b.saveIn("nordfracht/parcelbot", "The first plan holds.")
	b.saveIn("", "The second plan holds.")
	b.edit(func(s string) string {
		return strings.NewReplacer(" in nordfracht/parcelbot -->", " -->", " global -->", " -->").Replace(s)
	})
	old := b.file()
	if strings.Contains(old, "global") || strings.Count(old, "plan holds") != 2 {
		t.Fatal(old)
	}
	b.edit(func(s string) string { return s + "\nA remark.\n" })
	if got := b.file(); got != old+"\nA remark.\n" {
		t.Errorf("it was written anew:\n%s", got)
	}
	b.dropLine("first plan")
	b.wantLive("project: The second plan holds.")
}
