package actions_test

import (
	"strings"
	"testing"

	"mcp-memory/actions"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// A command that failed when it was run last is warned of where another worked; not where it
// worked since, was never run here, or nothing helped.
func TestBeforeACommand(t *testing.T) {
	bank := newBank(t)
	history(t, bank, barn, "s1", `
		-npm run tets => npm error Missing script: "tets"
		+npm run test
		-make flash => error: no device found on port
		-go build ./... => main.go:12:4: undefined: parseFlags
		~/work/barn/main.go
		+go build ./...
		-npm run build:legacy => Error: error:0308010C:digital envelope routines::unsupported
		+npm run e2e -- --grep checkout
		-docker compose up => error: no such service: mail
		+docker compose -f compose.dev.yml up`)
	s := bank.Actions()
	for command, want := range map[string]string{
		"npm run tets":                  "what worked then: npm run test",
		"cd /work/barn && npm run tets": "what worked then: npm run test",
		"npm run test":                  "",
		"make flash":                    "",
		"go build ./...":                "",
		"ls":                            "",
		"docker compose up":             "what worked then: docker compose -f compose.dev.yml up",
		"npm run build:legacy":          "", // another script is no other form of it
	} {
		got, err := s.Before(t.Context(), barn, actions.Call{Command: command})
		if err != nil || want == "" && got.Text != "" || !strings.Contains(got.Text, want) || strings.Contains(got.Text, "\n") {
			t.Errorf("%s: %+v, %v", command, got, err)
		}
	}
	for _, scope := range []memory.Scope{{Agent: "ann", Project: "mill"}, {Agent: "bob", Project: "barn"}} {
		if got, err := s.Before(t.Context(), scope, actions.Call{Command: "npm run tets"}); err != nil || got.Text != "" {
			t.Errorf("%+v is told %+v, %v", scope, got, err)
		}
	}
}

// Before a file is changed a decision that names it is shown, and none about another, nor a secret.
func TestBeforeAFile(t *testing.T) {
	bank := newBank(t)
	for _, content := range []string{"We decided that rates.go is generated: change rates.tmpl instead.",
		"We decided that the door's key code in vault.go is 4471."} {
		if _, err := bank.Remember.Save(t.Context(), barn, remember.SaveRequest{Content: content, Category: "decision"}); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{"/work/barn/money/rates.go": "change rates.tmpl instead", "/work/barn/money/total.go": "",
		"/work/barn/money/vault.go": ""} {
		got, err := bank.Actions().Before(t.Context(), barn, actions.Call{Path: path})
		if err != nil || want == "" && got.Text != "" || !strings.Contains(got.Text, want) {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
}
