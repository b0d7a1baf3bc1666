//go:build postgres

package postgres

import (
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// ownedServer is a server of a test's own, which may be harmed.
type ownedServer struct {
	t    *testing.T
	home string
	url  string // of an empty database, as the role that owns it and may do nothing else
}

// ownServer starts a server with more settings in the environment of server.sh.
func ownServer(t *testing.T, settings ...string) *ownedServer {
	t.Helper()
	s := &ownedServer{t: t, home: serverDir(t)}
	s.url = strings.TrimSpace(s.script(settings, s.home))
	t.Cleanup(s.end)
	return s
}

// serverDir is a directory that a server's user gets into; those of tests are deep in private ones.
func serverDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mcp-memory-pg-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "pg")
}

// script runs server.sh.
func (s *ownedServer) script(settings []string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command("bash", append([]string{"server.sh"}, args...)...)
	cmd.Env, cmd.Stderr = append(append(os.Environ(), "MCP_MEMORY_PG_DURABLE=1"), settings...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("server.sh %v: %v", args, err)
	}
	return string(out)
}

// do runs a command of server.sh on the server.
func (s *ownedServer) do(command string) { s.t.Helper(); s.script(nil, command, s.home) }

// end stops the server if it is there.
func (s *ownedServer) end() {
	if s.running() {
		s.do("--stop")
	}
}

// running reports whether somebody listens at its port.
func (s *ownedServer) running() bool {
	conn, err := net.Dial("tcp", hostOf(s.url))
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

func hostOf(at string) string {
	u, err := url.Parse(at)
	if err != nil {
		panic(err)
	}
	return u.Host
}

// standby starts a second server, which from then on has everything that this one acknowledges.
func (s *ownedServer) standby() *ownedServer {
	s.t.Helper()
	other := &ownedServer{t: s.t, home: serverDir(s.t)}
	other.url = strings.TrimSpace(s.script(nil, "--standby", s.home, other.home))
	s.t.Cleanup(other.end)
	return other
}

// as is the URL for another role, with more parameters.
func as(of, role, parameters string) string {
	u, err := url.Parse(of)
	if err != nil {
		panic(err)
	}
	u.User = url.User(role)
	if u.RawQuery != "" && parameters != "" {
		parameters = "&" + parameters
	}
	u.RawQuery += parameters
	return u.String()
}

// admin runs statements as the superuser.
func admin(t *testing.T, at string, statements ...string) {
	t.Helper()
	conn := connect(t, as(at, "postgres", ""))
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func connect(t *testing.T, at string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(t.Context()) })
	return conn
}

// killSession kills a session of the store without warning, as soon as there is one: the
// server may still be beginning anew.
func (s *ownedServer) killSession() {
	s.t.Helper()
	var err error
	for range 200 {
		if err = s.tryKillSession(); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Error("no session to kill in 10 s:", err)
}

func (s *ownedServer) tryKillSession() error {
	conn, err := pgx.Connect(s.t.Context(), as(s.url, "postgres", ""))
	if err != nil {
		return err
	}
	defer conn.Close(s.t.Context())
	var pid int
	err = conn.QueryRow(s.t.Context(),
		`SELECT pid FROM pg_stat_activity WHERE application_name = 'mcp-memory' ORDER BY state LIMIT 1`).Scan(&pid)
	if err != nil {
		return err
	}
	return syscall.Kill(pid, syscall.SIGKILL)
}
