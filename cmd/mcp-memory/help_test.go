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
		{"recall --help", []string{"--limit", "(default 10)", "(default 0.18)", "mcp-memory help"}, nil, false},
		{"help recall", []string{"(default 10)"}, nil, false},
		{"self-care --help", []string{"auto, agent, llm, extractive (default auto)", "(default longterm,episode)"}, nil, false},
		{"context --help", []string{"--reserve-tokens", "assemble"}, []string{"-1"}, false},
		{"help", []string{"recall", "self-care"}, nil, true},
		{"serve --help", []string{"--http"}, nil, true},
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
