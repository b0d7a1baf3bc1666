package taxonomy_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"mcp-memory/text/taxonomy"
)

// TestScopes: sentences that no model was trained with, said in other projects by other
// people, are put where they belong, and hardly one of a project that is called certain is not.
func TestScopes(t *testing.T) {
	for name, must := range map[string][2]int{"scope.held": {90, 65}, "scope.todos": {90, 0}} {
		t.Run(name, func(t *testing.T) { scopes(t, name, must) })
	}
}

func scopes(t *testing.T, name string, must [2]int) {
	file, err := os.Open("../../eval/sets/judgement/scope/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all, right [2]int // plain and hard ones
	certain, wrong := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var line struct {
			Content, Project, Scope string
			Hard                    bool
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Scope == "either" {
			continue
		}
		sort := 0
		if line.Hard {
			sort = 1
		}
		global, sure := taxonomy.Global(line.Content, line.Project)
		all[sort]++
		if global == (line.Scope == "global") {
			right[sort]++
		}
		if global && sure {
			certain++
			if line.Scope == "project" {
				wrong++
				t.Log(line.Content)
			}
		}
	}
	t.Logf("plain %d of %d, hard %d of %d; %d of %d certainly global ones are of the project", right[0], all[0], right[1], all[1],
		wrong, certain)
	if 100*right[0] < must[0]*all[0] || 100*right[1] < must[1]*all[1] || 100*wrong > 10*certain {
		t.Error("too few")
	}
}

// TestNamedProject: what names the project is about it.
func TestNamedProject(t *testing.T) {
	const personal = "My sister is called Anna."
	for _, c := range []struct {
		text, project string
		global        bool
	}{
		{personal, "acme/shop", true},
		{"My sister uses parcelpony.", "acme/parcelpony", false},
		{"I love the Family Calendar.", "local/family-calendar", false},
		{"My home is in Graz.", "local/home", true}, // a word as any other
		{"The blog is built with Hugo.", "me/blog", false},
		{"I like to read a blog in bed.", "me/blog", true},
		{"", "acme/shop", false},
	} {
		if got, _ := taxonomy.Global(c.text, c.project); got != c.global {
			t.Errorf("%q in %s is global: %v", c.text, c.project, got)
		}
	}
}

// A date says nothing of whose it is: with one, what is said is whose it was without.
func TestScopesOfDates(t *testing.T) {
	for text, want := range map[string]bool{
		"The plumber comes on 30 November 2026 at nine.": true, "The kids have no school on 4 December 2026.": true,
		"The electrician is coming on 29 November 2026 at 8.": true,
		"The release is on 4 December 2026.":                  false, "The demo for the client is on 2 December 2026 at 10.": false,
	} {
		if global, _ := taxonomy.Global(text, "local/blog"); global != want {
			t.Errorf("%q: global %v", text, global)
		}
	}
}
