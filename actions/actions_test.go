package actions_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/actions"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var barn = memory.Scope{Agent: "ann", Project: "barn"}

// history notes actions of a session, a minute after each other. A line begins with "+" for what worked,
// "-" for what failed, "?" where that is not known, with the output behind "=>", or "~" for a file that was changed.
func history(t *testing.T, bank *testbank.Bank, scope memory.Scope, session, lines string) {
	t.Helper()
	if _, err := bank.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: "A bank of " + scope.Project}); err != nil {
		t.Fatal(err)
	}
	var list []memory.Action
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		line = strings.TrimSpace(line)
		text, output, _ := strings.Cut(line[1:], " => ")
		text, about, _ := strings.Cut(text, " ## ")
		a := memory.Action{
			ID: fmt.Sprint(session, i), Session: session,
			At: testbank.Start.Add(time.Duration(i)*time.Minute - 24*time.Hour), Kind: memory.ActionCommand,
			Text: strings.TrimSpace(text), About: about, Dir: "/work/barn", Outcome: memory.OutcomeOK, Tail: output,
		}
		switch line[0] {
		case '-':
			a.Outcome = memory.OutcomeFailed
		case '?':
			a.Outcome = memory.OutcomeUnknown
		case '~':
			a.Kind = memory.ActionEdit
		}
		list = append(list, a)
	}
	if n, err := bank.Actions().Note(t.Context(), scope, list); err != nil || n != len(list) {
		t.Fatal(n, err)
	}
}

func newBank(t *testing.T) *testbank.Bank {
	return testbank.New(t, testbank.Options{Clock: func() time.Time { return testbank.Start }})
}

func TestHow(t *testing.T) {
	bank := newBank(t)
	history(t, bank, barn, "s1", `
		-docker-compose start => command not found
		+ls db
		+docker compose up -d db ## Start the database container
		+cd /work/barn && go test ./... 2>&1 | tail -20
		-go test ./...
		+gh pr create --fill
		+make frobnicate
		?terraform apply`)
	history(t, bank, memory.Scope{Agent: "ann", Project: "mill"}, "s2", `+pg_ctl start ## Start the database of the mill`)
	for what, want := range map[string]string{
		"start the dev database":    "docker compose up -d db",
		"run the tests":             "go test ./...",
		"open a pull request":       "gh pr create --fill",
		"frobnicate":                "make frobnicate",
		"sew a button onto a shirt": "",
	} {
		commands, err := bank.Actions().How(t.Context(), barn, what)
		first := ""
		if len(commands) > 0 {
			first = commands[0].Command
		}
		if err != nil || first != want {
			t.Errorf("%s: %q, want %q (%v)", what, first, want, err)
		}
		if slices.ContainsFunc(commands, func(c actions.Command) bool {
			return strings.Contains(c.Command, "pg_ctl") || c.Command == "docker-compose start"
		}) {
			t.Errorf("%s: another project's, or what never worked: %+v", what, commands)
		}
	}
	tests, err := bank.Actions().How(t.Context(), barn, "go test")
	if err != nil || len(tests) == 0 || tests[0].Times != 2 || tests[0].Worked != 1 || tests[0].Dir != "/work/barn" {
		t.Errorf("%+v, %v", tests, err)
	}
	if untold, err := bank.Actions().How(t.Context(), barn, "terraform apply"); err != nil || len(untold) == 0 || untold[0].OK ||
		untold[0].Worked != 0 || untold[0].Times != 1 {
		t.Errorf("of a host that does not tell how it ended: %+v, %v", untold, err)
	}
	if _, err := bank.Actions().How(t.Context(), barn, " "); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Error(err)
	}
}

func TestFix(t *testing.T) {
	bank := newBank(t)
	history(t, bank, barn, "s1", `
		-docker compose up -d db => Error response from daemon: Bind for 0.0.0.0:5432 failed: port is already allocated
		-docker compose restart db => Error: Bind for 0.0.0.0:5432 failed: port is already allocated
		+lsof -i :5432
		+sudo systemctl stop postgresql
		+docker compose up -d db
		-go build ./... => main.go:12:4: undefined: parseFlags
		~/work/barn/main.go
		-go build ./... => main.go:14:4: missing return
		~/work/barn/main.go
		+go build ./...
		-npm run tets => npm error Missing script: "tets"
		+npm run test
		-make flash => error: no device found on port
		+sudo make erase`)
	for text, want := range map[string][]string{
		"Bind for 127.0.0.1:5433 failed: port is already allocated": {"sudo systemctl stop postgresql"},
		"other.go:99:1: undefined: helper":                          {"/work/barn/main.go"},
		`npm error Missing script: "dve"`:                           {"npm run test"},
	} {
		fixes, err := bank.Actions().Fix(t.Context(), barn, text)
		if err != nil || len(fixes) == 0 || !reflect.DeepEqual(fixes[0].Did, want) || !fixes[0].Worked {
			t.Errorf("%s: %+v, want %q (%v)", text, fixes, want, err)
		}
	}
	if fixes, err := bank.Actions().Fix(t.Context(), barn, "no device found on port"); err != nil || len(fixes) != 1 || fixes[0].Worked {
		t.Errorf("what never passed: %+v, %v", fixes, err)
	}
	for _, scope := range []memory.Scope{{Agent: "ann", Project: "mill"}, {Agent: "ann"}, {Agent: "bob", Project: "barn"}} {
		if fixes, err := bank.Actions().Fix(t.Context(), scope, "port is already allocated"); err != nil || len(fixes) > 0 {
			t.Errorf("%+v: %+v, %v", scope, fixes, err)
		}
	}
	if fixes, err := bank.Actions().Fix(t.Context(), barn, "the moon is made of cheese"); err != nil || len(fixes) > 0 {
		t.Errorf("an error that is not known: %+v, %v", fixes, err)
	}
	err := bank.Store.Write(t.Context(), "ann", func(tx memory.Tx) error { _, err := tx.EraseSession("s1"); return err })
	if fixes, found := bank.Actions().Fix(t.Context(), barn, "port is already allocated"); err != nil || found != nil || len(fixes) > 0 {
		t.Errorf("after its session was erased: %+v, %v, %v", fixes, err, found)
	}
}

// TestDayOfCalls: a day of 3,000 calls takes at most 5 MB.
func TestDayOfCalls(t *testing.T) {
	a := memory.Action{
		ID: strings.Repeat("x", 24), Project: "owner/repository",
		Session: "01a220bf-5a34-7000-8815-2844d986fb7e", Kind: memory.ActionCommand,
		Text: "go test ./some/package -run TestSomethingOfIt -count=1", Dir: "/home/someone/projects/repository", Host: "claude-code",
		About: strings.Repeat("a", memory.MaxActionAbout),
		Asked: strings.Repeat("b", memory.MaxActionAbout), Tail: strings.Repeat("t", 400),
	}
	failed := a
	failed.Tail = strings.Repeat("t", memory.MaxActionTail)
	if total := 2700*a.Bytes() + 300*failed.Bytes(); total > 5<<20 {
		t.Errorf("%d bytes", total)
	}
}

// What fails at the end of a session is open, unless something worked in its place.
func TestLast(t *testing.T) {
	bank := newBank(t)
	history(t, bank, barn, "s1", `-docker compose up -d db => Error: port is already allocated: 5432
		+DB_PORT=5433 docker compose up -d db
		-npm run lint => Error: 3 problems
		+go test ./...`)
	last, err := bank.Actions().Last(t.Context(), barn)
	if err != nil || last.Session != "s1" || last.Ran != 4 || last.Failed != 2 || len(last.Unmended) != 1 ||
		last.Unmended[0].Command != "npm run lint" {
		t.Errorf("%+v, %v", last, err)
	}
}
