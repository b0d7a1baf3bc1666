package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// The commands around a server: tokens and the question for its health.
func TestTokenCommands(t *testing.T) {
	m := newMachine(t)
	var made struct {
		ID, Token, Agent string
		ExpiresAt        *string  `json:"expires_at"`
		Projects         []string `json:"projects"`
		ReadOnly         bool     `json:"read_only"`
	}
	out := m.ok("token", "create", "--agent", "ann", "--projects", "a,b", "--read-only", "--expires", "720h", "--json")
	if err := json.Unmarshal([]byte(out), &made); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(made.Token, "mcpm_") || made.ID == "" || made.Agent != "ann" || made.ExpiresAt == nil ||
		*made.ExpiresAt != "2026-03-31T09:30:00Z" || len(made.Projects) != 2 || !made.ReadOnly {
		t.Errorf("%s", out)
	}
	if out := m.ok("token", "create", "--agent", "bob", "--json"); !strings.Contains(out, `"expires_at": null`) {
		t.Errorf("%s", out)
	}
	if out := m.ok("token", "create", "--agent", "ops", "--operator", "--json"); !strings.Contains(out, `"operator": true`) {
		t.Errorf("%s", out)
	}
	if list := m.ok("token", "list", "--agent", "ops"); !strings.Contains(list, "operator") {
		t.Errorf("%s", list)
	}
	if out := m.ok("token", "create", "--expires", "2030-01-02"); !strings.HasPrefix(out, "mcpm_") || strings.Count(out, "\n") != 1 {
		t.Errorf("not only the secret: %q", out)
	}
	list := m.ok("token", "list")
	if strings.Contains(list, "mcpm_") || strings.Count(list, "\n") != 4 || !strings.Contains(list, "until 2030-01-02") ||
		!strings.Contains(list, "a,b") || !strings.Contains(list, "until 2026-03-31 09:30") {
		t.Errorf("%s", list)
	}
	if list := m.ok("token", "list", "--agent", "bob", "--json"); !strings.Contains(list, `"total": 1`) {
		t.Errorf("%s", list)
	}
	if short := made.ID[:shortest]; !strings.Contains(list, short) || strings.Contains(list, made.ID) {
		t.Errorf("not by short ids: %s", list)
	}
	m.fails(exitUsage, "several ids", "token", "revoke", made.ID[:4])
	m.ok("token", "revoke", strings.Fields(m.ok("token", "list", "--agent", "ann"))[0])
	if list := m.ok("token", "list", "--agent", "ann"); !strings.Contains(list, "revoked 2026-03-01") {
		t.Errorf("%s", list)
	}
	for _, wrong := range []struct {
		args []string
		code int
	}{
		{[]string{"token", "nope"}, exitUsage}, {[]string{"token", "revoke", "x"}, exitFailed}, {[]string{"token", "revoke"}, exitUsage},
		{[]string{"token", "create", "--expires", "soon"}, exitUsage}, {[]string{"token", "create", "--expires", "-1h"}, exitUsage},
		{[]string{"token", "create", "--agent", "../x"}, exitUsage}, {[]string{"token", "create", "--projects", "*"}, exitUsage},
		{[]string{"token", "create", "--operator", "--projects", "a"}, exitUsage},
		{[]string{"ping", "nonsense"}, exitUsage}, {[]string{"ping", "ftp://127.0.0.1"}, exitUsage},
		{[]string{"ping", "http://127.0.0.1:1"}, exitFailed},
	} {
		if r := m.run("", wrong.args...); r.code != wrong.code || r.stdout != "" || r.stderr == "" {
			t.Errorf("%v: exit %d, %q, %q", wrong.args, r.code, r.stdout, r.stderr)
		}
	}
}

func TestServeRefuses(t *testing.T) {
	m := newMachine(t)
	for _, wrong := range []struct {
		args []string
		code int
		part string
	}{
		{[]string{"serve", "--http", "0.0.0.0:0"}, exitFailed, "--insecure-no-auth"},
		{[]string{"serve", "--http", "127.0.0.1:0", "--http-hosts", "localhost,memory.example"}, exitFailed, "--insecure-no-auth"},
		{[]string{"serve", "--unix", filepath.Join(t.TempDir(), "s"), "--http-hosts", "memory.example"}, exitFailed, "--insecure-no-auth"},
		{[]string{"serve", "--http", "127.0.0.1:0", "--http-streams", "0"}, exitUsage, "http.streams"},
		{[]string{"serve", "--http", "nowhere"}, exitFailed, "--http nowhere"},
		{[]string{"serve", "--http", "127.0.0.1:0", "--tls-cert", "x"}, exitUsage, "--tls-key"},
		{[]string{"serve", "--http", "127.0.0.1:0", "--tls-cert", "x", "--tls-key", "y"}, exitUsage, "certificate"},
		{[]string{"serve", "--sse"}, exitUsage, "--http"},
		{[]string{"serve", "--http", "127.0.0.1:0", "--http-rate", "often"}, exitUsage, "http.rate"},
		{[]string{"serve", "--http", "127.0.0.1:0", "--auth-issuer", "https://issuer.example"}, exitUsage, "auth.audience"},
		{[]string{"serve", "--http", "127.0.0.1:0", "--auth-client-id", "page"}, exitUsage, "auth.issuer"},
	} {
		if r := m.run("", wrong.args...); r.code != wrong.code || !strings.Contains(r.stderr, wrong.part) ||
			strings.Contains(r.stderr, "serving") {
			t.Errorf("%v: exit %d, %q", wrong.args, r.code, r.stderr)
		}
	}
}
