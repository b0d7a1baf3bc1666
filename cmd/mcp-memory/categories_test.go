package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const cookbook = `categories:
  - defaults
  - name: Recipes
    description: how to cook a dish, its ingredients and quantities
    examples:
      - Grandma's lasagne needs a litre of béchamel and nutmeg.
      - Bake the bread for forty minutes at 220 degrees.
      - Stir the eggs and the sugar into the flour.
`

// categoryOf saves a memory and returns its category.
func (m *machine) categoryOf(text string) string {
	m.t.Helper()
	var out struct{ Category string }
	m.read(&out, "save", text)
	return out.Category
}

// categories returns the first categories of a question.
func (m *machine) categories(question string) (names []string) {
	m.t.Helper()
	var out struct{ Categories []struct{ Name string } }
	m.read(&out, "recall", question)
	for _, c := range out.Categories {
		names = append(names, c.Name)
	}
	return names
}

func TestOwnCategories(t *testing.T) {
	const dough, money = "Knead the dough with butter and salt, then bake it.", "The rent costs 900 euros a month."
	for name, c := range map[string]struct {
		file, env    string
		dough, money string
		number       int
	}{
		"the default ones":     {"", "", "", "financial", 11},
		"beside the defaults":  {cookbook, "", "recipes", "financial", 12},
		"instead of them":      {strings.Replace(cookbook, "  - defaults\n", "", 1), "", "recipes", "other", 1},
		"with some of them":    {strings.Replace(cookbook, "- defaults", "- financial", 1), "", "recipes", "financial", 2},
		"names in the file":    {"categories: [financial, technical]\n", "", "", "financial", 2},
		"names in the setting": {"", "financial, technical", "", "financial", 2},
		"the environment": {cookbook, `[{"name": "baking", "examples": ["Bake the bread with butter and salt."]}, "financial"]`,
			"baking", "financial", 2},
		"YAML in the setting": {"", "- name: baking\n  examples: [Bake the bread with butter and salt.]\n- financial", "baking",
			"financial", 2},
		"a default in one's own words": {
			"categories:\n  - defaults\n  - name: financial\n    description: dough, bread, butter, salt, baking\n",
			"", "financial", "financial", 11},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.env["MCP_MEMORY_CATEGORIES"] = c.env
			if c.file != "" {
				write(t, filepath.Join(m.dataDir(), "config.yaml"), c.file)
			}
			if got := m.categoryOf(dough); c.dough != "" && got != c.dough {
				t.Errorf("%q is in %s, want %s", dough, got, c.dough)
			}
			if got := m.categoryOf(money); got != c.money {
				t.Errorf("%q is in %s, want %s", money, got, c.money)
			}
			got := m.categories("How long do I bake the bread in butter?")
			if len(got) != c.number || c.dough != "" && got[0] != c.dough {
				t.Errorf("a question's categories are %q, want %d", got, c.number)
			}
		})
	}
}

func TestBadCategories(t *testing.T) {
	for text, want := range map[string]string{
		`categories: [recipes, recipes]`:                `category "recipes" is there twice`,
		`categories: ["no name!"]`:                      `category "no name!" is not a name`,
		`categories: [other]`:                           `category "other" is what fits nowhere`,
		`categories: [defaults, a, defaults]`:           `defaults is there twice`,
		"categories:\n  - description: x":               `category 1 has no name`,
		"categories:\n  - name: x\n    example: y":      `entry 1 has something else than name, description and examples`,
		"categories:\n  - name: x\n    examples: [[y]]": `entry 1 has something else`,
		"categories:\n  - [x]":                          `entry 1 is neither a name nor a category`,
		"categories:\n  name: x":                        `unknown setting "categories.name"`,
		"categories: \"[{\"":                            `it is neither a list nor names with commas`,
		"categories:\n  - name: x\n    description: |\n" + strings.Repeat("      long\n", 500): `category x is 2500 bytes`,
	} {
		m := newMachine(t)
		write(t, filepath.Join(m.dataDir(), "config.yaml"), text+"\n")
		r := m.run("", "save", "x")
		if r.code != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%.60s: exit %d, %s", text, r.code, r.stderr)
		}
	}
}

// A list in config.yaml is what a flag with commas would be.
func TestListsInTheConfigFile(t *testing.T) {
	m := newMachine(t)
	write(t, filepath.Join(m.dataDir(), "config.yaml"), "tools: [core, todo]\nhttp:\n  hosts: [a.example, b.example]\n")
	for key, want := range map[string]string{"tools": "core,todo", "http.hosts": "a.example,b.example"} {
		if value, _ := m.setting(key); value != want {
			t.Errorf("%s is %q, want %q", key, value, want)
		}
	}
}
