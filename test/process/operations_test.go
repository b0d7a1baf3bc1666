//go:build unix

package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shellBlock finds the commands of a page.
var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// operations are the commands of a section of docs/deployment.md.
func operations(t *testing.T, heading string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "deployment.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "\n## "+heading+"\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	var all strings.Builder
	for _, m := range shellBlock.FindAllStringSubmatch(section, -1) {
		all.WriteString(m[1])
	}
	if !found || all.Len() == 0 {
		t.Fatalf("there are no commands for %s", heading)
	}
	return all.String()
}

// operate runs the commands of a section as they stand there, but for the places.
func operate(t *testing.T, heading, dir, backups string) string {
	t.Helper()
	script := strings.NewReplacer("/var/lib/mcp-memory", dir, "/backup", backups, "mcp-memory --",
		binary.Path(t, os.Getenv("MCP_MEMORY_TEST_TAGS"))+" --").
		Replace(operations(t, heading))
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Env = []string{"HOME=" + home, withoutEncoder, "PATH=" + os.Getenv("PATH")}
	cmd.Dir = home
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", heading, err, script, out)
	}
	return string(out)
}

// TestOperations does what docs/deployment.md says: a backup, a restore after a loss, an
// upgrade that is rolled back, and a repair.
func TestOperations(t *testing.T) {
	t.Parallel()
	dir, backups := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "memory.db")
	save := func(text string) {
		if code, _, log := cli(t, dir, "save", text); code != 0 {
			t.Fatal(log)
		}
	}
	live := func(want string) {
		t.Helper()
		if code, out, log := cli(t, dir, "stats"); code != 0 || !strings.Contains(out, want+" live") {
			t.Errorf("want %s: %s%s", want, out, log)
		}
	}
	save("The harbour closes at nine.")
	operate(t, "Backup", dir, backups)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	operate(t, "Restore", dir, backups)
	live("1")

	operate(t, "Upgrade", dir, backups)
	save("What the newer program has saved.")
	operate(t, "Rollback", dir, backups)
	live("1")

	for i := range 30 {
		save(fmt.Sprintf("Ferry %d leaves. %s", i, strings.Repeat("It is blue. ", 60)))
	}
	live("31")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(text, []byte("The harbour closes at nine."))
	if at < 0 {
		t.Fatal("there is no such text")
	}
	copy(text[at/4096*4096:][:4096], bytes.Repeat([]byte{0xa5}, 4096))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := operate(t, "Disaster", dir, backups); !strings.Contains(out, "Repaired: ") || !strings.Contains(out, "lost: record ") {
		t.Errorf("%s", out)
	}
	if code, out, _ := cli(t, dir, "doctor"); code != 0 {
		t.Error(out)
	}
}
