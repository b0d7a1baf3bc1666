package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Help says what may be said and what holds otherwise; the settings, which are
// flags of every command, do not bury it.
func TestHelp(t *testing.T) {
	m := newMachine(t)
	const anySetting = "--embed-url"
	for _, c := range []struct {
		args          string
		has, lacks    []string
		showsSettings bool
	}{
		{"recall --help", []string{"--limit", "(default 10)", "(default 0.18)", "mcp-memory --help --all", "--since time", "--limit int"},
			nil, false},
		{"help recall", []string{"(default 10)"}, nil, false},
		{"self-care --help", []string{"auto, agent, llm, extractive (default auto)", "(default longterm,episode)"}, nil, false},
		{"context --help", []string{"--reserve-tokens", "assemble"}, []string{"-1"}, false},
		{"help", []string{"recall", "self-care", "Memory:", "Maintenance:"}, []string{"Additional", "manual"}, false},
		{"--help --all", []string{"recall"}, nil, true},
		{"serve --help", []string{"--http"}, nil, false},
		{"soul --help", []string{"list", "show", "add", "remove"}, nil, false},
		{"learnings --help", []string{"add"}, []string{"record "}, false},
	} {
		out := m.ok(strings.Fields(c.args)...)
		for _, want := range c.has {
			if !strings.Contains(out, want) {
				t.Errorf("%s lacks %q:\n%s", c.args, want, out)
			}
		}
		for _, unwanted := range c.lacks {
			if strings.Contains(out, unwanted) {
				t.Errorf("%s has %q:\n%s", c.args, unwanted, out)
			}
		}
		if shown := strings.Contains(out, anySetting); shown != c.showsSettings {
			t.Errorf("%s shows the settings: %t", c.args, shown)
		}
	}
}

func TestSettingsShowTheProjectFound(t *testing.T) {
	m := newMachine(t)
	if value, origin := m.setting("project"); value != "" || origin != "default" {
		t.Errorf("without a project: %q from %q", value, origin)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, projectFile), "project: garden\n")
	t.Chdir(dir)
	if value, origin := m.setting("project"); value != "garden" || origin != "working directory" {
		t.Errorf("the project is %q from %q", value, origin)
	}
	if value, _ := m.setting("project", "--project="); value == "garden" {
		t.Error("a project that was set to none is shown as found")
	}
}

// TestOldNamesGoOn calls families by the names that their commands had before.
func TestOldNamesGoOn(t *testing.T) {
	m := newMachine(t)
	m.ok("episode", "save", "The launch went well.")
	m.ok("diary", "write", "It rained.")
	m.ok("learnings", "record", "Read the log first.", "--kind", "error")
	m.ok("people", "update", "boris", "--trust-level", "0.5")
	for want, args := range map[string]string{
		"The launch went well.": "episode list", "It rained.": "diary read",
		"Read the log first.": "learnings list", "boris": "people list",
	} {
		if got := m.ok(strings.Fields(args)...); !strings.Contains(got, want) {
			t.Errorf("%s prints %q", args, got)
		}
	}
	if got := m.ok("episode", "list"); strings.Contains(got, "rained") {
		t.Errorf("the episodes are %q", got)
	}
}

// TestMistypedIsUnderstood says what was likely meant, in one form, with where to look.
func TestMistypedIsUnderstood(t *testing.T) {
	m := newMachine(t)
	for want, args := range map[string]string{
		`unknown command "recal" for "mcp-memory"; did you mean recall?`:  "recal",
		`unknown command "lst" for "mcp-memory soul"; did you mean list?`: "soul lst",
		`unknown flag: --limt; did you mean --limit?`:                     "recall --limt 3 x",
		"history: ID is missing\nTry: mcp-memory history --help":          "history",
		"recall: QUERY is missing\nTry: mcp-memory recall --help":         "recall",
		"get: ID is missing":           "get",
		`stats: "x" is not understood`: "stats x",
		"agent erase: NAME is missing": "agent erase",
	} {
		m.fails(exitUsage, want, strings.Fields(args)...)
	}
	for _, flag := range []string{"--version", "-v"} {
		if got := m.ok(flag); !strings.HasPrefix(got, "mcp-memory ") || strings.Count(got, "\n") != 1 {
			t.Errorf("%s prints %q", flag, got)
		}
	}
}

// TestEveryCommandHasItsGroup wants no command outside of the groups of the help.
func TestEveryCommandHasItsGroup(t *testing.T) {
	for _, cmd := range (&Program{}).root().Commands() {
		if !cmd.Hidden && cmd.GroupID == "" {
			t.Errorf("%s is in no group", cmd.Name())
		}
	}
}

// TestCompletionOffersMemories asks for completions as shells do.
func TestCompletionOffersMemories(t *testing.T) {
	m := newMachine(t)
	var saved struct{ ID string }
	m.read(&saved, "save", "The harbour closes at nine.")
	for want, args := range map[string][]string{
		saved.ID + "\tThe harbour closes at nine.\n": {"get", ""},
		saved.ID + "\tThe harbour":                   {"history", saved.ID[:9]},
		"auto\n":                                     {"self-care", "--mode", ""},
		"technical\t":                                {"recall", "x", "--category", ""},
		"default":                                    {"recall", "x", "--agent", ""},
		"recall\tRecall memories":                    {"reca"},
	} {
		if r := m.run("", append([]string{"__complete"}, args...)...); r.code != exitDone || !strings.Contains(r.stdout, want) {
			t.Errorf("%v offers %q", args, r.stdout)
		}
	}
}
