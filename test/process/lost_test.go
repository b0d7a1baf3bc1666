//go:build unix

package process

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The database is deleted under a server. It acknowledges nothing any more, says
// why, and is not ready; what comes afterwards is not open to everybody.
func TestDatabaseDeletedUnderServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, secret := token(t, dir)
	h, url := serveHTTP(t, dir)
	c := newCaller(t, url, secret)
	if r := c.call("memory_save", object{"content": "The harbour closes at nine."}); r.IsError {
		t.Fatal(r.text())
	}
	if text := get(t, url+"/readyz", ""); text != "ready\n" {
		t.Errorf("readyz says %q", text)
	}
	if err := os.Remove(filepath.Join(dir, "memory.db")); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		r, err := c.try("memory_save", object{"content": "Into nothing."})
		if err == nil && !r.IsError {
			t.Fatalf("a save into nothing: %q", r.text())
		}
	}
	answer, err := http.Get(url + "/readyz")
	if err != nil || answer.StatusCode != 503 {
		t.Errorf("readyz: %v, %v", answer, err)
	}
	terminate(t, h)
	if _, err := os.Stat(filepath.Join(dir, "memory.db")); err == nil {
		t.Error("a new file was begun under the server")
	}

	for _, args := range [][]string{nil, {"serve", "--http", "127.0.0.1:0"}, {"stats"}} {
		if code, _, log := cli(t, dir, args...); code != 1 || !strings.Contains(log, "the database is missing") ||
			!strings.Contains(log, "--create") {
			t.Errorf("%v: exit %d, %s", args, code, log)
		}
	}
	for _, c := range []struct {
		args []string
		want int
	}{{[]string{"--create"}, 401}, {nil, 401}, {[]string{"--insecure-no-auth"}, 200}} {
		h, url := serveHTTP(t, dir, c.args...)
		if status, body, err := newCaller(t, url, "").post("tools/list", ""); status != c.want || err != nil {
			t.Errorf("%v: %d %s, %v", c.args, status, body, err)
		}
		terminate(t, h)
	}
}

// A server without tokens says to its host what has happened.
func TestDatabaseReplacedUnderServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.db")
	h := start(t, dir)
	h.save("The harbour closes at nine.")
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if r := h.call("memory_save", object{"content": "Into nothing."}); !r.IsError ||
			!strings.Contains(r.text(), "replaced while it was in use") {
			t.Fatalf("a save into nothing: %q", r.text())
		}
	}
	h.hangUp()
}
