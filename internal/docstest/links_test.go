package docstest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// links finds the targets of [text](target) in Markdown.
var links = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// fences finds code blocks, in which brackets are no links.
var fences = regexp.MustCompile("(?ms)^\\s*```.*?^\\s*```")

func TestLinks(t *testing.T) {
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != top && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range links.FindAllStringSubmatch(fences.ReplaceAllString(string(text), ""), -1) {
			checkLink(t, path, m[1])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkLink wants a link inside the tree to lead to a file that is there, and
// its anchor to a heading of it.
func checkLink(t *testing.T, path, target string) {
	t.Helper()
	if strings.Contains(target, ":") {
		return // another site
	}
	file, anchor, _ := strings.Cut(target, "#")
	to := path
	if file != "" {
		to = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
	}
	if _, err := os.Stat(to); err != nil {
		t.Errorf("%s links to %s, which is not there", path, target)
	} else if anchor != "" && !slices.Contains(anchors(t, to), anchor) {
		t.Errorf("%s links to %s, and that heading is not there", path, target)
	}
}

var (
	headings = regexp.MustCompile(`(?m)^#+ (.+)$`)
	dropped  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors lists the anchors of a document's headings, as GitHub makes them.
func anchors(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range headings.FindAllStringSubmatch(fences.ReplaceAllString(string(text), ""), -1) {
		name := dropped.ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// placeholder finds what was to be filled in, such as a figure to be measured.
var placeholder = regexp.MustCompile(`@@[A-Z]+@@|TO DO|TBD`)

// TestNothingIsLeftToFillIn wants documents to be finished.
func TestNothingIsLeftToFillIn(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(top, "docs", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	more, err := filepath.Glob(filepath.Join(top, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(files, more...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if found := placeholder.Find(text); found != nil {
			t.Errorf("%s has %q, which is still to be filled in", path, found)
		}
	}
}
