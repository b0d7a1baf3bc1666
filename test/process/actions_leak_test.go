//go:build unix

package process

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func (w *workbench) load() { w.in(w.home, "", "import", "--from", "claude-code", "--all", "--yes") }

// answers is all that is said in a folder of what was done, when it is asked for with some words.
func (w *workbench) answers(dir string, questions ...string) map[string]string {
	all := map[string]string{}
	for _, q := range questions {
		for _, command := range []string{"how", "fix"} {
			all[command+" "+q] = w.in(dir, "", command, q)
			all[command+" "+q+" in JSON"] = w.in(dir, "", command, q, "--json")
		}
	}
	cmd := command(w.t, w.data, "serve", "--tools", "all")
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + w.home, withoutEncoder}
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"memory://session-start"}}
`)
	_, all["the first page and the instructions"], _ = runCommand(w.t, cmd)
	all["the hook at a start"] = w.hook(dir, "new-session", "SessionStart", object{"source": "startup"})
	return all
}

// kept is every file of the data directory, and all that leaves it.
func (w *workbench) kept() map[string]string {
	all := map[string]string{"the export": w.in(w.home, "", "export", "-")}
	err := filepath.WalkDir(w.data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all[filepath.Base(path)] = string(content)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// none fails for each text that has one of some words.
func none(t *testing.T, texts map[string]string, words ...string) {
	t.Helper()
	for what, text := range texts {
		for _, word := range words {
			if at := strings.Index(text, word); at >= 0 {
				t.Errorf("%s has %q: %.200q", what, word, text[max(0, at-60):])
			}
		}
	}
}

// commandSecrets are commands and what they print, with what must not be kept of them.
var commandSecrets = []struct {
	done
	secret string
}{
	{done{command: "kubectl create secret docker-registry regcred --docker-username=ci --docker-password=hQ7vRz2LwX9tKc4P",
		printed: "secret/regcred created"}, "hQ7vRz2LwX9tKc4P"},
	{done{command: "airflow connections add warehouse --conn-uri postgresql://forecast:n0rthW1nd-77x@db.example.test:5432/dwh",
		printed: "Successfully added"}, "n0rthW1nd-77x"},
	{done{command: `curl -H "Authorization: Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0" https://api.example.test/v1`, printed: "403",
		failed: true}, "9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
	{done{command: "PGPASSWORD=vN3kQ8sLw2 psql -h db -U app -c 'select 1'", printed: "1"}, "vN3kQ8sLw2"},
	{done{command: "docker login -u ci -p 8sK2mQ9xLw4T registry.example.test", printed: "Login Succeeded"}, "8sK2mQ9xLw4T"},
	{done{command: "sshpass -p 'Fr1day-night7' ssh mira@10.0.0.9 uptime", printed: "Permission denied", failed: true}, "Fr1day-night7"},
	{done{command: "git clone https://mira:ghs_abcdefABCDEF0123456789abcdefABCDEF0123@git.example.test/acme/x",
		printed: "Cloning into 'x'..."}, "ghs_abcdefABCDEF0123456789abcdefABCDEF0123"},
	{done{command: "cat .env", printed: "PORT=8080\nSTRIPE_KEY=sk_live_51HxyzABCDEFGHijklmnop\n"}, "sk_live_51HxyzABCDEFGHijklmnop"},
	{done{command: "gcloud auth login --cred-file=key.json",
		printed: `{"access_token":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtaXJhIn0.c2lnbmF0dXJlLW9mLXRlc3Q"}`},
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtaXJhIn0.c2lnbmF0dXJlLW9mLXRlc3Q"},
	{done{command: "node server.js", printed: "Error: connect failed for redis://default:Qx7vLp2mZr9@cache:6379", failed: true},
		"Qx7vLp2mZr9"},
	{done{path: "config/prod.yaml", printed: "password: Jq8LmZ2w9Xc4"}, "Jq8LmZ2w9Xc4"},
}

// TestSecretsOfCommands: of a secret in a command, in what it printed or in an edit nothing is kept, whether
// it came by a transcript or by hooks; the rest of the command is.
func TestSecretsOfCommands(t *testing.T) {
	t.Parallel()
	w := newWorkbench(t)
	shop := repository(t, "shop")
	var calls []done
	var secrets []string
	for _, c := range commandSecrets {
		calls, secrets = append(calls, c.done), append(secrets, c.secret)
	}
	w.session("11111111-aaaa-4aaa-8aaa-000000000001", shop, time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC), "Set up the accounts.", calls...)
	w.load()
	live := "11111111-aaaa-4aaa-8aaa-00000000000a"
	path := w.session(live, shop, time.Date(2026, 9, 2, 9, 0, 0, 0, time.UTC), "Set up the accounts once more.", calls...)
	w.hook(shop, live, "PostToolUseFailure",
		object{"transcript_path": path, "tool_name": "Bash", "tool_input": object{"command": calls[2].command}, "tool_use_id": "t",
			"error": "Exit code 1\n" + calls[9].printed})
	w.hook(shop, live, "Stop", object{"transcript_path": path, "last_assistant_message": "Done."})
	said := w.answers(shop, "registry pull secret", "airflow connection", "log in to the registry", "Error: connect failed",
		"config/prod.yaml", "Permission denied", "clone x")
	none(t, said, secrets...)
	none(t, w.kept(), secrets...)
	if !strings.Contains(said["how airflow connection"], "airflow connections add warehouse") {
		t.Errorf("the command itself is not kept: %s", said["how airflow connection"])
	}
}

// TestActionsOfAnotherProject: what was done in one repository is in no answer, on no page and in no
// line of another, whatever is asked there.
func TestActionsOfAnotherProject(t *testing.T) {
	t.Parallel()
	w := newWorkbench(t)
	shop, press := repository(t, "shop"), repository(t, "press")
	day := time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC)
	w.session("11111111-aaaa-4aaa-8aaa-000000000002", shop, day, "We decided that zyzzyva stays in lib/cart.ts because of the harbour.",
		done{command: "npm run zyzzyva-deploy", printed: "Error: zyzzyva harbour is closed", failed: true},
		done{path: "lib/cart.ts", printed: "zyzzyva"},
		done{command: "npm run zyzzyva-deploy -- --force", printed: "zyzzyva deployed"})
	w.session("11111111-aaaa-4aaa-8aaa-000000000003", press, day.Add(time.Hour), "Run the press.",
		done{command: "make press", printed: "pressed"}, done{path: "lib/press.ts", printed: "x"})
	w.load()
	if found := w.in(shop, "", "how", "zyzzyva deploy"); !strings.Contains(found, "--force") {
		t.Fatalf("the project itself does not know it: %s", found)
	}
	said := w.answers(press, "deploy", "harbour", "Error: the harbour is closed", "lib/cart.ts", "cart.ts", "what failed",
		filepath.Join(shop, "lib/cart.ts"))
	for i, input := range []object{{"command": "npm run zyzzyva-deploy"},
		{"file_path": filepath.Join(press, "lib/cart.ts"), "old_string": "a", "new_string": "b"}} {
		tool := []string{"Bash", "Edit"}[i]
		said["before "+tool] = strings.ReplaceAll(w.hook(press, fmt.Sprint("b", i), "PreToolUse",
			object{"tool_name": tool, "tool_input": input, "tool_use_id": "t2"}), "npm run zyzzyva-deploy", "")
	}
	none(t, said, "zyzzyva")
}
