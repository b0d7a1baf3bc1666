package workspace

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// No two agents share a folder where case is ignored, and names are as short as
// file systems want them.
func TestFolderNames(t *testing.T) {
	seen := map[string]string{}
	for agent, want := range map[string]string{
		"ada": "ada", "Ada": "%41da", "ADA": "%41%44%41", "aDa": "a%44a", "a.b_c@d-1": "a.b_c@d-1",
		"zoë": "zoë", "ZOË": "%5A%4F%C3%8B", "σας": "σα%CF%82", "σασ": "σασ",
		"\u212Aim": "%E2%84%AAim", "kim": "kim", "ſam": "%C5%BFam", "sam": "sam",
		"_shared": "%5Fshared",
	} {
		got := folderName(agent)
		if got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
		folded := strings.ToLower(strings.ToUpper(got))
		if other, ok := seen[folded]; ok {
			t.Errorf("%q and %q share %q", agent, other, folded)
		}
		seen[folded] = agent
	}
	long, other := strings.Repeat("A", 128), strings.Repeat("A", 127)+"B"
	if a, b := folderName(long), folderName(other); len(a) > maxNameBytes || a == b {
		t.Errorf("%q, %q", a, b)
	}
}

// Folders of an earlier version stay whose they are, whether or not the file
// system tells case.
func TestFolderOfAnEarlierVersion(t *testing.T) {
	for name, one := range map[string]struct {
		ignoresCase bool
		there       []string
		agent, want string
	}{
		"nothing there":                      {true, nil, "Ada", "%41da"},
		"lower case, nothing there":          {true, nil, "ada", "ada"},
		"its own":                            {true, []string{"Ada"}, "Ada", "Ada"},
		"its own, case matters":              {false, []string{"Ada"}, "Ada", "Ada"},
		"another's":                          {true, []string{"ada"}, "Ada", "%41da"},
		"another's, case matters":            {false, []string{"ada"}, "Ada", "%41da"},
		"lower case, its own":                {true, []string{"ada"}, "ada", "ada"},
		"lower case, another's":              {true, []string{"Ada"}, "ada", "%61da"},
		"lower case, another's, case counts": {false, []string{"Ada"}, "ada", "ada"},
		"that of all agents":                 {false, []string{"_shared"}, "_shared", "%5Fshared"},
		"both, case matters":                 {false, []string{"Ada", "ada"}, "ada", "ada"},
	} {
		named := func(s string) bool { return slices.Contains(one.there, s) }
		found := func(s string) bool {
			return slices.ContainsFunc(one.there, func(t string) bool { return t == s || one.ignoresCase && strings.EqualFold(t, s) })
		}
		if got := chooseFolder(one.agent, named, found); got != one.want {
			t.Errorf("%s: %q, want %q", name, got, one.want)
		}
	}
}

// On this file system, whatever it is.
func TestFoldersOfTwoAgents(t *testing.T) {
	data := t.TempDir()
	for _, agent := range []string{"Ada", "ada", "ADA"} {
		if err := Open(data, agent).Ensure(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(data, "workspaces"))
	made := map[string]bool{}
	for _, e := range entries {
		made[strings.ToLower(e.Name())] = true
	}
	if err != nil || len(made) != 3 {
		t.Errorf("%v, %v", slices.Sorted(maps.Keys(made)), err)
	}
	old := t.TempDir()
	if err := os.MkdirAll(filepath.Join(old, "workspaces", "Eve"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := Open(old, "Eve").path; got != filepath.Join(old, "workspaces", "Eve") {
		t.Errorf("Eve's folder is %s", got)
	}
	if got := Open(old, "eve").path; strings.EqualFold(got, filepath.Join(old, "workspaces", "Eve")) &&
		!isNamed(filepath.Join(old, "workspaces"), "eve") {
		if _, err := os.Stat(got); err == nil {
			t.Errorf("eve's folder is %s", got)
		}
	}
}
